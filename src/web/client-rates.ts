import { Problem } from '../core/model/problem.ts';
import type { Counted, RateCounters } from '../ports/rate-counters.ts';
import { networksOf } from './client-network.ts';

interface Allowed {
  readonly most: number;
  readonly withinMs: number;
}

/** Above so many, the oldest is forgotten. */
const mostKeys = 20_000;

/** Counts that cost no store anything, for what strangers may repeat as often as they like. */
export function createMemoryCounters(clock: { now(): number }) {
  const counters = new Map<string, { readonly endsAt: number; count: number }>();
  return {
    /** As `RateCounters.count`, at this node and until it restarts. */
    count(key: string, { most, withinMs }: Allowed): Counted {
      const now = clock.now();
      const known = counters.get(key);
      const isOn = known !== undefined && known.endsAt > now && known.endsAt <= now + withinMs;
      const counter = isOn ? known : { endsAt: now + withinMs, count: 0 };
      if (counter.count >= most) return { kind: 'full', waitMs: counter.endsAt - now };
      counter.count += 1;
      if (!isOn) {
        counters.delete(key);
        counters.set(key, counter);
        const [oldest] = counters.keys();
        if (counters.size > mostKeys && oldest !== undefined) counters.delete(oldest);
      }
      return { kind: 'counted', count: counter.count, endsAt: counter.endsAt };
    },
    giveBack(key: string, { endsAt }: { readonly endsAt: number }): void {
      const counter = counters.get(key);
      if (counter?.endsAt === endsAt && counter.count > 0) counter.count -= 1;
    },
  };
}

/**
 * What clients may do, by their networks. Only the widest network of a client is counted in the store, so that many addresses write few rows. The narrower ones
 * are counted by each node, and first: what they refuse does not use up what is allowed to their neighbours.
 */
export function createClientRates({
  rateCounters,
  clock,
}: {
  readonly rateCounters: Pick<RateCounters, 'count' | 'giveBack'>;
  readonly clock: { now(): number };
}) {
  const memory = createMemoryCounters(clock);
  return {
    /** `most` is of the smallest network. Throws too-many-requests. Gives what uncounts it. */
    async take(use: string, ip: string, { most, withinMs }: Allowed): Promise<() => Promise<void>> {
      const networks = networksOf(ip);
      const widest = networks.at(-1);
      const taken: (() => Promise<void> | void)[] = [];
      for (const network of networks) {
        const allowed = { most: most * network.times, withinMs };
        const key = `${use} ${network.key}`;
        const counted =
          network === widest
            ? await rateCounters.count(use, network.key, allowed)
            : memory.count(key, allowed);
        if (counted.kind === 'full') throw tooMany(counted.waitMs);
        taken.push(() =>
          network === widest
            ? rateCounters.giveBack(use, network.key, counted)
            : memory.giveBack(key, counted),
        );
      }
      return async () => {
        await Promise.all(taken.map((giveBack) => giveBack()));
      };
    },
  };
}

export function tooMany(waitMs: number): Problem {
  return new Problem('too-many-requests', { retryAfter: Math.ceil(waitMs / 1_000) });
}
