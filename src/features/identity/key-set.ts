import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose';
import { JWKSNoMatchingKey } from 'jose/errors';
import { createLocalJWKSet } from 'jose/jwks/local';
import { Problem } from '../../core/model/problem.ts';
import type { Clock } from '../../ports/clock.ts';
import type { HttpCall } from '../../ports/http-call.ts';

const minute = 60_000;
/** Keys are read again after this time, or when a token names an unknown key. */
const fresh = 10 * minute;
/** The shortest time between two reads. */
const pause = 30_000;
/** If reading fails, known keys stay valid this long. */
const stale = 24 * 60 * minute;
/** More than any backend uses; each key is copied and examined. */
const mostKeys = 1_000;

/**
 * The public keys of a backend, read from its address at first use. A new key there is found at once. A
 * process makes one reading at a time, and at most one every 30 seconds. Without keys no token can be judged:
 * keys-unreachable.
 */
export function createKeySet(
  url: string,
  { http, clock }: { http: HttpCall; clock: Clock },
): JWTVerifyGetKey {
  let known: { readonly keys: JWTVerifyGetKey; readonly at: number } | undefined;
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

  /**
   * Reads the keys again and never rejects. The call is limited to seconds, so that it ends before the next
   * one may begin.
   */
  async function readAgain(): Promise<void> {
    if (clock.now() - triedAt >= pause) {
      triedAt = clock.now();
      reading = read().catch((fault: unknown) => {
        failure = fault;
      });
    }
    await reading;
  }

  const age = () => (known === undefined ? Number.POSITIVE_INFINITY : clock.now() - known.at);

  return async (header, token) => {
    if (age() > fresh) await readAgain();
    if (known === undefined || age() > stale) throw new Problem('keys-unreachable', { cause: failure });
    try {
      return await known.keys(header, token);
    } catch (fault) {
      if (!(fault instanceof JWKSNoMatchingKey)) throw fault;
      await readAgain();
      return known.keys(header, token);
    }
  };
}

/** Reads a JSON Web Key Set (RFC 7517). Throws if it is invalid or too large. */
export function readKeySet(text: string): JWTVerifyGetKey {
  const keys: JSONWebKeySet = JSON.parse(text);
  if (Array.isArray(keys?.keys) && keys.keys.length > mostKeys) throw new Error('a set of too many keys');
  return createLocalJWKSet(keys);
}
