import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import type { ApiKey, ApiScope, CenterConfig } from '../../core/model/center-config.ts';
import { Problem } from '../../core/model/problem.ts';
import type { Clock } from '../../ports/clock.ts';
import type { RateCounters } from '../../ports/rate-counters.ts';
import { networksOf } from '../../web/client-network.ts';

export interface ApiKeysParts {
  readonly centers: readonly CenterConfig[];
  readonly rateCounters: Pick<RateCounters, 'count'>;
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
/** Of one client's smallest network; its wider ones may do a multiple. */
const wrong = { most: 40, withinMs: 10 * minute };

/** Who may ask: by `Authorization: Bearer …`, for the center of that key alone. */
export function createApiKeys({ centers, rateCounters, clock, observer }: ApiKeysParts) {
  const known = centers.flatMap(({ center, apiKeys = [] }) =>
    apiKeys.map((key) => ({ center, key, digest: Buffer.from(key.sha256, 'hex') })),
  );
  const counted = new Map<string, { readonly endsAt: number; count: number }>();

  /** Every one is compared, whatever is found. */
  function find(text: string): Caller | undefined {
    const given = createHash('sha256').update(text).digest();
    const [found] = known.filter(({ digest }) => timingSafeEqual(given, digest));
    return found;
  }

  async function countWrong({ ip = '' }: Request): Promise<void> {
    observer.wrongApiKey();
    for (const { key, times } of networksOf(ip)) {
      const allowed = { most: wrong.most * times, withinMs: wrong.withinMs };
      const taken = await rateCounters.count('wrong API keys', key, allowed);
      if (taken.kind === 'full') refuse(taken.waitMs);
    }
  }

  function count({ key }: Caller): void {
    const now = clock.now();
    const before = counted.get(key.sha256);
    const isSame = before !== undefined && before.endsAt > now && before.endsAt <= now + minute;
    const turn = isSame ? before : { endsAt: now + minute, count: 0 };
    counted.set(key.sha256, turn);
    if (turn.count >= mostRequests) refuse(turn.endsAt - now);
    turn.count += 1;
  }

  return {
    /** Throws not-signed-in, not-allowed and too-many-requests. A right key is never held up by wrong ones. */
    async admit(request: Request, scope: ApiScope): Promise<Caller> {
      const [, text] = /^Bearer +(\S{1,512})$/i.exec(request.get('authorization') ?? '') ?? [];
      if (text === undefined) throw new Problem('not-signed-in');
      const caller = find(text);
      if (caller === undefined) {
        await countWrong(request);
        throw new Problem('not-signed-in');
      }
      count(caller);
      if (!caller.key.scopes.includes(scope)) throw new Problem('not-allowed');
      return caller;
    },
  };
}

function refuse(waitMs: number): never {
  throw new Problem('too-many-requests', { retryAfter: Math.ceil(waitMs / 1000) });
}
