import { Router } from 'express';
import type { Centers } from './centers.ts';
import { openToken, signToken } from './collection-points.ts';
import { text } from './json.ts';
import { notFound } from './refusal.ts';
import type { SubjectRecords } from './subject-records.ts';
import { applyOutsideChange } from './transitions.ts';

const PATH = '/request/v1/doubleoptin/:token';
const LIFE_MS = 7 * 86_400_000;
const REMEMBERED = 500;

/** A mail that the platform would send. */
interface SandboxMail {
  readonly at: string;
  readonly to: string;
  readonly subject: string;
  /** Address that confirms the consents. */
  readonly link: string;
}

export interface DoubleOptIn {
  /** Writes the mail that asks the person to confirm these purposes. */
  ask(identifier: string, purposes: readonly string[], centers: readonly string[]): void;
  readonly routes: Router;
  /** Route that lists the mails. */
  readonly control: Router;
}

/** Keeps consents waiting until the person follows the link of a mail; writes these mails. */
export function createDoubleOptIn(parts: {
  centers: Centers;
  records: SubjectRecords;
  key: Buffer;
  now: () => Date;
  /** Returns the sandbox's own address. */
  url: () => string;
}): DoubleOptIn {
  const { centers, records, key, now } = parts;
  const mails: SandboxMail[] = [];

  /** Activates the purposes that still wait. A purpose withdrawn meanwhile stays withdrawn. */
  function confirm(token: string): void {
    const claims = openToken(token, key);
    const identifier = text(claims?.['identifier']);
    if (
      claims?.['sub'] !== 'double opt-in' ||
      identifier === undefined ||
      Number(claims['exp']) < now().getTime()
    )
      throw notFound('The link is not valid, or not any more');
    const purposes = String(claims['purposes']).split(' ');
    for (const id of String(claims['centers']).split(' ')) {
      const center = centers.find(id);
      if (center === undefined) continue;
      const before = records.find(center, identifier);
      const waiting = before.purposes.filter(
        (purpose) => purpose.status === 'PENDING' && purposes.includes(purpose.id),
      );
      if (waiting.length === 0) continue;
      const changes = waiting.map((purpose) => ({
        asked: { id: purpose.id, topics: [], preferences: [] },
        status: 'ACTIVE',
        keepsChoices: true,
      }));
      const setting = { catalogue: center.catalogue, now: now().getTime() };
      records.save(center, identifier, applyOutsideChange(before, changes, setting));
    }
  }

  return {
    ask(identifier, purposes, ids) {
      const exp = now().getTime() + LIFE_MS;
      const claims = {
        sub: 'double opt-in',
        identifier,
        purposes: purposes.join(' '),
        centers: ids.join(' '),
        exp,
      };
      mails.push({
        at: now().toISOString(),
        to: identifier,
        subject: 'Please confirm your subscription',
        link: `${parts.url()}${PATH.replace(':token', signToken(claims, key))}`,
      });
      if (mails.length > REMEMBERED) mails.shift();
    },
    routes: Router({ caseSensitive: true })
      // A person's browser calls this, without the token of a client.
      .get(PATH, (request, response) => {
        confirm(request.params.token);
        response.type('text/plain').send('Your subscription is confirmed.');
      }),
    control: Router({ caseSensitive: true }).get(
      '/_sandbox/mails',
      (_request, response) => void response.json(mails),
    ),
  };
}
