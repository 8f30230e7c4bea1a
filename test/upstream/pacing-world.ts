import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createForwardClock } from '../../src/clock.ts';
import { Problem } from '../../src/core/model/problem.ts';
import type { CallPriority } from '../../src/ports/platform.ts';
import type { KeptQuota, QuotaStore } from '../../src/ports/quota-store.ts';
import type { OperationName } from '../../src/upstream/operations.ts';
import { createPacer, type Pacer } from '../../src/upstream/pacer.ts';
import type { Quota } from '../../src/upstream/quota.ts';

export interface Call {
  readonly at: number;
  readonly endpoint: OperationName;
  readonly priority: CallPriority;
  readonly node: number;
}

interface Asked {
  readonly together?: 1 | 2;
  readonly turnOf?: string | undefined;
}

interface Coming {
  readonly everyMs?: number;
  readonly endpoint?: OperationName;
  /** Gets the time at which a call came, when it goes. */
  readonly went?: (came: number) => void;
}

/**
 * A store in memory; each statement takes a turn, as on a network. The store may refuse a statement, or carry
 * it out and lose the answer.
 */
export function memoryStore(elapsed: () => number) {
  let kept: KeptQuota | undefined;
  const turns = new Map<string, { number: number; endsAt: number }>();
  const store = {
    statements: 0,
    /** The fault of the store, if any. */
    fault: undefined as 'refused' | 'answer-lost' | undefined,
    async asked() {
      store.statements += 1;
      await turn();
      if (store.fault === 'refused') throw new Problem('store-unavailable');
    },
    async read() {
      await store.asked();
      return kept;
    },
    async keep(text: string, after: number) {
      await store.asked();
      if (after === (kept?.version ?? 0)) kept = { text, version: after + 1 };
      if (store.fault === 'answer-lost') throw new Problem('store-unavailable');
      return kept ?? assert.fail('nothing is kept');
    },
    async findTurn(key: string) {
      await store.asked();
      const found = turns.get(key);
      return found !== undefined && found.endsAt > elapsed() ? found.number : undefined;
    },
    async keepTurn(key: string, { number, lifeMs }: Parameters<QuotaStore['keepTurn']>[1]) {
      await store.asked();
      turns.set(key, { number, endsAt: elapsed() + lifeMs });
    },
    async dropTurn(key: string) {
      await store.asked();
      turns.delete(key);
    },
    sweep: async () => 0,
  };
  return store satisfies QuotaStore;
}

/** Nodes that share a quota, in scripted time: minutes pass in a moment. Every admitted call is noted. */
export function pacingWorld(t: TestContext, quota: Quota, { nodes = 1 } = {}) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let now = 0;
  const store = memoryStore(() => now);
  const clock = { setBackMs: 0, now: () => 1e12 + now - clock.setBackMs };
  const calls: Call[] = [];
  let comers = 0;
  let started = 0;
  const refused: (Call & { readonly retryAfter: number })[] = [];
  // A process counts its own time since its start.
  const start = (): Pacer => {
    started += 1;
    const begun = now - ((started * 314_159) % 1_000_000);
    return createPacer({ quota, store, clock: createForwardClock(clock, () => now - begun) });
  };
  const pacers = Array.from({ length: nodes }, start);
  t.after(() => {
    for (const pacer of pacers) pacer.close();
  });

  /**
   * Resolves with the milliseconds after which the caller may come back, or with undefined once the call is
   * admitted.
   */
  async function ask(node: number, endpoint: OperationName, priority: CallPriority, options: Asked = {}) {
    const { together = 1, turnOf } = options;
    try {
      const signal = new AbortController().signal;
      await pacers[node]?.admit(endpoint, { priority, calls: together, turnOf, signal });
      for (let call = 0; call < together; call += 1) calls.push({ at: now, endpoint, priority, node });
      return undefined;
    } catch (fault) {
      if (!(fault instanceof Problem)) throw fault;
      if (fault.code === 'draining') return new Promise<undefined>(() => undefined);
      assert.equal(fault.code, 'quota-used-up');
      const retryAfter = fault.retryAfter ?? assert.fail('no time is named');
      refused.push({ at: now, endpoint, priority, node, retryAfter });
      return retryAfter * 1_000;
    }
  }

  /** Asks until the call is admitted, and comes back each time as told. */
  async function insist(node: number, endpoint: OperationName, priority: CallPriority, together: 1 | 2 = 1) {
    comers += 1;
    const turnOf = `person ${comers}`;
    for (;;) {
      const wait = await ask(node, endpoint, priority, { together, turnOf });
      if (wait === undefined) return;
      // A page comes back at least each minute.
      const rest = priority === 'person' ? Math.min(wait, 60_000) : wait;
      await new Promise((resolve) => setTimeout(resolve, rest));
    }
  }

  async function pass(milliseconds: number, step = 20): Promise<void> {
    for (const end = now + milliseconds; now < end; ) {
      now += step;
      t.mock.timers.tick(step);
      for (let turns = 0; turns < 4; turns += 1) await turn();
    }
  }

  return {
    store,
    clock,
    pacers,
    calls,
    refused,
    ask,
    insist,
    pass,
    now: () => now,
    /** Replaces a node by another process; the calls that waited there are lost. */
    replace(node: number): void {
      pacers[node]?.close();
      pacers[node] = start();
    },
    /** Makes a number of calls at once, one node after the other. */
    crowd(count: number, priority: CallPriority, endpoint: OperationName = 'read-subject') {
      return Array.from({ length: count }, (_, index) => insist(index % pacers.length, endpoint, priority));
    },
    /** Makes a number of calls of each priority a second, one node after the other. */
    async come(seconds: number, rates: Partial<Record<CallPriority, number>>, options: Coming = {}) {
      const { everyMs = 1_000, endpoint = 'read-subject', went } = options;
      const due = { withdrawal: 0, person: 0, background: 0 };
      for (const end = now + seconds * 1_000; now < end; ) {
        for (const priority of ['withdrawal', 'person', 'background'] as const) {
          due[priority] += ((rates[priority] ?? 0) * everyMs) / 1_000;
          for (; due[priority] >= 1; due[priority] -= 1) {
            const came = now;
            void insist(comers % pacers.length, endpoint, priority).then(() => went?.(came));
          }
        }
        await pass(everyMs, 100);
      }
    },
    /** The most calls within a number of milliseconds, of one endpoint or of all. */
    most(lengthMs: number, endpoint?: OperationName): number {
      const counted = calls.filter((call) => endpoint === undefined || call.endpoint === endpoint);
      let first = 0;
      let most = 0;
      for (const [index, call] of counted.entries()) {
        while ((counted[first]?.at ?? 0) <= call.at - lengthMs) first += 1;
        most = Math.max(most, index - first + 1);
      }
      return most;
    },
  };
}
