import { createHmac } from 'node:crypto';
import { Router } from 'express';
import { localTime } from './clock.ts';
import type { Endpoint } from './endpoint.ts';
import type { JsonObject } from './json.ts';
import { sortedPage } from './paging.ts';
import type { People, Person } from './people.ts';
import { readQueryDate } from './query-date.ts';

const LIFE_MS = 365 * 86_400_000;

/** Tokens of the hosted pages: each person on record has one, valid for a year from the first record. */
export function linkTokenRoutes(parts: { endpoint: Endpoint; people: People; key: Buffer }): Router {
  return Router({ caseSensitive: true }).get(
    '/api/consentmanager/v1/linktokens',
    parts.endpoint('list-link-tokens', ['CONSENT', 'CONSENT_READ'], (call) => {
      const since = readQueryDate(call.query, 'since')?.getTime() ?? 0;
      const until = readQueryDate(call.query, 'until')?.getTime() ?? Infinity;
      const listed = parts.people
        .list(call.identifier)
        .filter(({ created }) => created >= since && created <= until)
        .sort((a, b) => a.created - b.created || (a.identifier < b.identifier ? -1 : 1));
      return sortedPage(call.query, listed, { most: 2000, show: (person) => showToken(person, parts.key) });
    }),
  );
}

function showToken(person: Person, key: Buffer): JsonObject {
  const token = createHmac('sha256', key).update(`link ${person.identifier}`).digest('base64');
  return {
    DataSubjectId: person.identifier,
    LinkToken: token,
    UrlEncodedLinkToken: encodeURIComponent(token),
    ExpiryDate: localTime(new Date(person.created + LIFE_MS)),
    CreatedDate: localTime(new Date(person.created)),
  };
}
