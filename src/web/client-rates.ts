import { Problem } from '../core/model/problem.ts';
import type { Allowed, Counted, RateCounters } from '../ports/rate-counters.ts';
import { networksOf } from './client-network.ts';

/** The most keys; above it, the oldest is dropped. */
const mostKeys = 20_000;

/**
 * Makes counters in memory for requests that strangers may repeat without limit: they cost no write to the
 * store.
 */
export function createMemoryCounters(clock: { now(): number }) {
  const counters = new Map<string, { readonly endsAt: number; count: number }>();
  return {
    /** Counts like `RateCounters.count`, for this process alone. */
    count(use: string, name: string, { most, withinMs }: Allowed): Counted {
      const now = clock.now();
      const key = `${use} ${name}`;
      const known = counters.get(key);
      const isOn = known !== undefined && known.endsAt > now && known.endsAt <= now + withinMs;
      const counter = isOn ? known : { endsAt: now + withinMs, count: 0 };
      if (counter.count >= most) return { kind: 'full', waitMs: counter.endsAt - now };
      counter.count += 1;
      if (!isOn) {
        counters.delete(key);
        counters.set(key, counter);
        for (const [oldest, { endsAt }] of counters) {
          if (endsAt > now && counters.size <= mostKeys) break;
          counters.delete(oldest);
        }
      }
      return { kind: 'counted', count: counter.count, endsAt: counter.endsAt };
    },
    giveBack(use: string, name: string, { endsAt }: { readonly endsAt: number }): void {
      const counter = counters.get(`${use} ${name}`);
      if (counter?.endsAt === endsAt && counter.count > 0) counter.count -= 1;
    },
  };
}

/**
 * Limits requests by the client's networks. Only the widest network is counted in the store, so that many
 * addresses write few rows. The narrower networks are counted in memory and first: a request that they refuse
 * does not use the limit of its neighbours.
 */
export function createClientRates(parts: {
  readonly rateCounters: Pick<RateCounters, 'count' | 'giveBack'>;
  readonly clock: { now(): number };
}) {
  const memory = createMemoryCounters(parts.clock);
  return {
    /**
     * Counts a request. `most` is the limit of the smallest network. Throws too-many-requests. Returns a
     * function that undoes the count.
     */
    async take(use: string, ip: string, { most, withinMs }: Allowed): Promise<() => Promise<void>> {
      const networks = networksOf(ip);
      const widest = networks.at(-1);
      const taken: (() => Promise<void> | void)[] = [];
      for (const network of networks) {
        const counters = network === widest ? parts.rateCounters : memory;
        const allowed = { most: most * network.times, withinMs };
        const counted = orRefuse(await counters.count(use, network.key, allowed));
        taken.push(() => counters.giveBack(use, network.key, counted));
      }
      return async () => {
        await Promise.all(taken.map((giveBack) => giveBack()));
      };
    },
  };
}

/** Returns the count; throws too-many-requests if the counter is full. */
export function orRefuse(counted: Counted): Extract<Counted, { kind: 'counted' }> {
  if (counted.kind === 'full') throw tooMany(counted.waitMs);
  return counted;
}

export function tooMany(waitMs: number): Problem {
  return new Problem('too-many-requests', { retryAfter: Math.ceil(waitMs / 1_000) });
}
