import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose';
import { JWKSNoMatchingKey } from 'jose/errors';
import { createLocalJWKSet } from 'jose/jwks/local';
import { Problem } from '../../core/model/problem.ts';
import type { Clock } from '../../ports/clock.ts';
import type { HttpCall } from '../../ports/http-call.ts';

const minute = 60_000;
/** Keys are read again after this, or when a token names a key that is not there. */
const fresh = 10 * minute;
/** Not asked more often than this, whatever tokens come. */
const pause = 30_000;
/** Keys that cannot be read again are still good this long. */
const stale = 24 * 60 * minute;
/** More than anybody has in use; each is copied and looked at. */
const mostKeys = 1_000;

interface Known {
  readonly keys: JWTVerifyGetKey;
  readonly at: number;
}

/**
 * The public keys of a backend, read from its address when they are first needed. A key that is new there is found
 * at once; one process asks for them once at a time and at most every 30 seconds. Without keys it is not known whether
 * a token is right: keys-unreachable.
 */
export function createKeySet(
  url: string,
  { http, clock }: { http: HttpCall; clock: Clock },
): JWTVerifyGetKey {
  let known: Known | undefined;
  let triedAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  let failure: unknown;

  async function read(): Promise<void> {
    const { status, body } = await http({
      url,
      method: 'GET',
      headers: { accept: 'application/jwk-set+json, application/json' },
      body: undefined,
    });
    if (status !== 200) throw new Error(`the address of the keys answered ${status}`);
    known = { keys: readKeySet(body), at: clock.now() };
  }

  function readAgain(): Promise<void> {
    if (reading !== undefined) return reading;
    if (clock.now() - triedAt < pause) return Promise.resolve();
    triedAt = clock.now();
    reading = read().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  const age = () => (known === undefined ? Number.POSITIVE_INFINITY : clock.now() - known.at);

  return async (header, token) => {
    if (age() > fresh) {
      await readAgain().catch((fault: unknown) => {
        failure = fault;
      });
    }
    if (known === undefined || age() > stale) throw new Problem('keys-unreachable', { cause: failure });
    try {
      return await known.keys(header, token);
    } catch (fault) {
      if (!(fault instanceof JWKSNoMatchingKey)) throw fault;
      await readAgain().catch(() => undefined);
      return known.keys(header, token);
    }
  };
}

/** A JSON Web Key Set (RFC 7517) as text. Throws when it is none, or holds more keys than anybody has. */
export function readKeySet(text: string): JWTVerifyGetKey {
  const keys: JSONWebKeySet = JSON.parse(text);
  if (Array.isArray(keys?.keys) && keys.keys.length > mostKeys) throw new Error('a set of too many keys');
  return createLocalJWKSet(keys);
}
