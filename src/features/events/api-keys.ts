import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import type { ApiKey, ApiScope, CenterConfig } from '../../core/model/center-config.ts';
import { Problem } from '../../core/model/problem.ts';
import type { Clock } from '../../ports/clock.ts';
import { networksOf } from '../../web/client-network.ts';
import { createMemoryCounters, tooMany } from '../../web/client-rates.ts';

export interface ApiKeysParts {
  readonly centers: readonly CenterConfig[];
  readonly clock: Clock;
  readonly observer: { wrongApiKey(): void };
}

/** Whose key it is. */
export interface Caller {
  readonly center: string;
  readonly key: ApiKey;
}

const minute = 60_000;
/** Of one key, at one node. */
const mostRequests = 600;
/** Of one client's smallest network, at one node; its wider ones may do a multiple. */
const wrong = { most: 40, withinMs: 10 * minute };

/** Who may ask: by `Authorization: Bearer …`, for the center of that key alone. */
export function createApiKeys({ centers, clock, observer }: ApiKeysParts) {
  const known = centers.flatMap(({ center, apiKeys = [] }) =>
    apiKeys.map((key) => ({ center, key, digest: Buffer.from(key.sha256, 'hex') })),
  );
  const requests = createMemoryCounters(clock);
  const wrongKeys = createMemoryCounters(clock);

  /** Every one is compared, whatever is found. */
  function find(text: string): Caller | undefined {
    const given = createHash('sha256').update(text).digest();
    const [found] = known.filter(({ digest }) => timingSafeEqual(given, digest));
    return found;
  }

  /** In memory: anybody can send wrong keys, and a right one is not held up by them. */
  function countWrong({ ip = '' }: Request): void {
    observer.wrongApiKey();
    for (const { key, times } of networksOf(ip)) {
      const counted = wrongKeys.count(key, { most: wrong.most * times, withinMs: wrong.withinMs });
      if (counted.kind === 'full') throw tooMany(counted.waitMs);
    }
  }

  function countRequest({ key }: Caller): void {
    const counted = requests.count(key.sha256, { most: mostRequests, withinMs: minute });
    if (counted.kind === 'full') throw tooMany(counted.waitMs);
  }

  return {
    /** Throws not-signed-in, not-allowed and too-many-requests. A right key is never held up by wrong ones. */
    admit(request: Request, scope: ApiScope): Caller {
      const [, text] = /^Bearer +(\S{1,512})$/i.exec(request.get('authorization') ?? '') ?? [];
      if (text === undefined) throw new Problem('not-signed-in');
      const caller = find(text);
      if (caller === undefined) {
        countWrong(request);
        throw new Problem('not-signed-in');
      }
      countRequest(caller);
      if (!caller.key.scopes.includes(scope)) throw new Problem('not-allowed');
      return caller;
    },
  };
}
