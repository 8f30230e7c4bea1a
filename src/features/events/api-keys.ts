import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import type { ApiKey, ApiScope, CenterConfig } from '../../core/model/center/center-config.ts';
import { Problem } from '../../core/model/problem.ts';
import type { Clock } from '../../ports/clock.ts';
import { networksOf } from '../../web/client-network.ts';
import { createMemoryCounters, orRefuse } from '../../web/client-rates.ts';

export interface ApiKeysParts {
  readonly centers: readonly CenterConfig[];
  readonly clock: Clock;
  readonly observer: { wrongApiKey(): void };
}

export interface Caller {
  readonly center: string;
  readonly key: ApiKey;
}

const minute = 60_000;
/** Requests with one key in a minute, at one node. */
const mostRequests = 600;
/** Wrong keys from a client's smallest network, at one node; wider networks may send a multiple. */
const wrong = { most: 40, withinMs: 10 * minute };

/** Checks `Authorization: Bearer …`. A key is valid for its center alone. */
export function createApiKeys({ centers, clock, observer }: ApiKeysParts) {
  const known = centers.flatMap(({ center, apiKeys = [] }) =>
    apiKeys.map((key) => ({ center, key, digest: Buffer.from(key.sha256, 'hex') })),
  );
  const requests = createMemoryCounters(clock);
  const wrongKeys = createMemoryCounters(clock);

  /** Compares every key, so that the time does not depend on the match. */
  function find(text: string): Caller | undefined {
    const given = createHash('sha256').update(text).digest();
    const [found] = known.filter(({ digest }) => timingSafeEqual(given, digest));
    return found;
  }

  return {
    /** Throws not-signed-in, not-allowed and too-many-requests. Wrong keys never block a right one. */
    admit(request: Request, scope: ApiScope): Caller {
      const [, text] = /^Bearer +(\S{1,512})$/i.exec(request.get('authorization') ?? '') ?? [];
      if (text === undefined) throw new Problem('not-signed-in');
      const caller = find(text);
      if (caller === undefined) {
        observer.wrongApiKey();
        // Counted in memory, because anyone can send wrong keys.
        for (const { key, times } of networksOf(request.ip ?? ''))
          orRefuse(wrongKeys.count('wrong', key, { most: wrong.most * times, withinMs: wrong.withinMs }));
        throw new Problem('not-signed-in');
      }
      orRefuse(requests.count('right', caller.key.sha256, { most: mostRequests, withinMs: minute }));
      if (!caller.key.scopes.includes(scope)) throw new Problem('not-allowed');
      return caller;
    },
  };
}
