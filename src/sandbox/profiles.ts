import { Router } from 'express';
import { localTime } from './clock.ts';
import type { CatalogueEntry } from './consent-schema.ts';
import type { Endpoint } from './endpoint.ts';
import { fold, isGuid, type JsonObject, object, objects, text } from './json.ts';
import { sortedPage } from './paging.ts';
import type { People, Person } from './people.ts';
import { readQueryDate } from './query-date.ts';
import { isActive, type RecordedPurpose, statusNow } from './record.ts';
import { malformed } from './refusal.ts';

export interface ProfileParts {
  readonly endpoint: Endpoint;
  readonly people: People;
  readonly now: () => Date;
  readonly purposeFinder: () => (id: string) => CatalogueEntry | undefined;
}

/** Lists people with their purposes of all centers. */
export function profileRoutes({ endpoint, people, now, purposeFinder }: ProfileParts): Router {
  return Router({ caseSensitive: true }).get(
    '/api/consentmanager/v1/datasubjects/profiles',
    endpoint('list-profiles', ['CONSENT', 'CONSENT_READ'], (call) => {
      const since = readQueryDate(call.query, 'updatedSince')?.getTime() ?? 0;
      const purpose = fold(call.query.get('purposeGuid') ?? '');
      if (purpose !== '' && !isGuid(purpose)) throw malformed('purposeGuid');
      const listed = people
        .list(call.identifier)
        .map((person) => (purpose === '' ? person : narrowed(person, purpose)))
        .filter(({ purposes, updated }) => purposes.length > 0 && updated >= since)
        .sort((a, b) => b.updated - a.updated || (a.identifier < b.identifier ? -1 : 1));
      const setting = { find: purposeFinder(), now: now().getTime() };
      return sortedPage(call.query, listed, { most: 100, show: (person) => showPerson(person, setting) });
    }),
  );
}

function narrowed(person: Person, id: string): Person {
  return { ...person, purposes: person.purposes.filter((purpose) => purpose.id === id) };
}

interface Setting {
  readonly find: (id: string) => CatalogueEntry | undefined;
  readonly now: number;
}

function showPerson(person: Person, setting: Setting): JsonObject {
  return {
    Id: person.id,
    Language: person.language ?? 'en-us',
    Identifier: person.identifier,
    LastUpdatedDate: localTime(new Date(person.updated)),
    CreatedDate: localTime(new Date(person.created)),
    DataElements: Object.entries(person.elements).map(([Name, Value]) => ({ Name, Value })),
    Purposes: person.purposes.map((purpose) => showPurpose(purpose, setting)),
    TestDataSubject: false,
  };
}

function showPurpose(purpose: RecordedPurpose, { find, now }: Setting): JsonObject {
  const entry = find(purpose.id);
  const item = object(purpose.item);
  const status = statusNow(purpose, entry, now);
  const date = localTime(new Date(purpose.since));
  const ends =
    entry === undefined || entry.lifeSpan === 0 ? undefined : purpose.since + entry.lifeSpan * 1000;
  const isEmpty = purpose.written && status === 'WITHDRAWN';
  const version = entry?.purpose['Version'];
  return {
    Id: text(item['Id']) ?? purpose.id,
    Name: text(entry?.purpose['Label']) ?? text(item['Label']) ?? '',
    Version: typeof version === 'number' ? version : 1,
    Status: status,
    FirstTransactionDate: date,
    LastTransactionDate: date,
    WithdrawalDate: status === 'WITHDRAWN' ? date : null,
    ConsentDate: isActive(purpose.status) ? date : null,
    ExpiryDate: ends === undefined || !isActive(purpose.status) ? null : localTime(new Date(ends)),
    TotalTransactionCount: 1,
    Topics: isEmpty ? [] : objects(item['Topics']).map(showTopic),
    CustomPreferences: isEmpty ? [] : objects(item['CustomPreferences']).map(showPreference),
    LastTransactionCollectionPointId: null,
    LastTransactionCollectionPointVersion: null,
    LastReceiptId: null,
    PurposeNote: null,
    attributes: {},
  };
}

function showTopic(topic: JsonObject): JsonObject {
  return { Id: topic['Id'] ?? '', Name: topic['Name'] ?? '', IsConsented: true };
}

function showPreference(preference: JsonObject): JsonObject {
  return {
    Id: preference['Id'] ?? '',
    Name: preference['Name'] ?? '',
    Options: objects(preference['Options']).map(({ Id, Label }) => ({ Id: Id ?? '', Name: Label ?? '' })),
  };
}
