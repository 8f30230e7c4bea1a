import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Problem } from '../../src/core/model/problem.ts';
import type { CallPriority } from '../../src/ports/platform.ts';
import type { KeptQuota, QuotaLedger } from '../../src/ports/quota-ledger.ts';
import type { OperationName, Pacer } from '../../src/upstream/options.ts';
import { createPacer } from '../../src/upstream/pacer.ts';
import type { Quota } from '../../src/upstream/quota.ts';

export interface Call {
  readonly at: number;
  readonly endpoint: OperationName;
  readonly priority: CallPriority;
  readonly node: number;
}

/** A ledger in memory; each word to it takes a turn, as on a network. */
export function memoryLedger(): QuotaLedger & { words: number } {
  let kept: KeptQuota | undefined;
  return {
    words: 0,
    async read() {
      this.words += 1;
      await turn();
      return kept;
    },
    async keep(text, after) {
      this.words += 1;
      await turn();
      if (after !== kept?.version) return undefined;
      kept = { text, version: (after ?? 0) + 1 };
      return kept.version;
    },
    async close() {},
  };
}

/** Nodes that share a quota, in scripted time: minutes pass in a moment. Every call that is let go is noted. */
export function pacingWorld(t: TestContext, quota: Quota, { nodes = 1 } = {}) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let now = 0;
  const ledger = memoryLedger();
  const clock = { setBackMs: 0, now: () => 1e12 + now - clock.setBackMs };
  const calls: Call[] = [];
  const sentAway: (Call & { readonly retryAfter: number })[] = [];
  // What a process takes for the time since it began is nobody else's.
  const start = (): Pacer => {
    const begun = now - Math.round(Math.random() * 1e6);
    return createPacer({ quota, ledger, clock, elapsed: () => now - begun });
  };
  const pacers = Array.from({ length: nodes }, start);
  t.after(() => {
    for (const pacer of pacers) pacer.close();
  });

  /** Resolves with the milliseconds after which it may come back, or nothing once it was let go. */
  async function ask(node: number, endpoint: OperationName, priority: CallPriority, together: 1 | 2 = 1) {
    const pacer = pacers[node];
    assert.ok(pacer !== undefined);
    try {
      const signal = new AbortController().signal;
      await pacer.admit(endpoint, { priority, calls: together, signal });
      for (let call = 0; call < together; call += 1) calls.push({ at: now, endpoint, priority, node });
      return undefined;
    } catch (fault) {
      if (!(fault instanceof Problem)) throw fault;
      if (fault.code === 'draining') return new Promise<undefined>(() => undefined);
      assert.equal(fault.code, 'quota-used-up');
      const retryAfter = fault.retryAfter ?? assert.fail('nobody said when');
      sentAway.push({ at: now, endpoint, priority, node, retryAfter });
      return retryAfter * 1_000;
    }
  }

  return {
    ledger,
    clock,
    pacers,
    calls,
    sentAway,
    now: () => now,
    ask,
    /** Another process takes its place; whoever waited there is gone. */
    replace(node: number): void {
      pacers[node]?.close();
      pacers[node] = start();
    },
    /** Until it was let go, coming back each time when it was told to. */
    async insist(
      node: number,
      endpoint: OperationName,
      priority: CallPriority,
      together: 1 | 2 = 1,
    ): Promise<void> {
      for (;;) {
        const wait = await ask(node, endpoint, priority, together);
        if (wait === undefined) return;
        const back = Promise.withResolvers<void>();
        setTimeout(back.resolve, wait);
        await back.promise;
      }
    },
    async pass(milliseconds: number, step = 20): Promise<void> {
      for (const end = now + milliseconds; now < end; ) {
        now += step;
        t.mock.timers.tick(step);
        for (let turns = 0; turns < 4; turns += 1) await turn();
      }
    },
    /** The most calls within so many milliseconds, of one endpoint or of all. */
    most(lengthMs: number, endpoint?: OperationName, priority?: CallPriority): number {
      const of = calls.filter(
        (call) =>
          (endpoint === undefined || call.endpoint === endpoint) &&
          (priority === undefined || call.priority === priority),
      );
      let first = 0;
      let most = 0;
      for (const [index, call] of of.entries()) {
        while ((of[first]?.at ?? 0) <= call.at - lengthMs) first += 1;
        most = Math.max(most, index - first + 1);
      }
      return most;
    },
  };
}
