import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import type { SubmissionRequest } from '../../../src/core/model/submission-request.ts';
import { tellAccepted } from '../../../src/delivery/telling.ts';
import { newWork } from '../../../src/delivery/work.ts';
import { anna, aRequest, intentOf, leaveAll, off, on } from '../../delivery/fixture.ts';
import type { OpenEventStore } from './events.ts';
import { done, everyReason, newReference, submissionMade } from './journal-fixture.ts';
import { aClock } from './test-store.ts';

/** A link that can only withdraw lies in mails and archives: what it can write is bounded, what it changes is not. */
export function withdrawOnlyContract(openStore: OpenEventStore): void {
  async function openLink(t: TestContext) {
    const store = await openStore(t, { routes: () => ({ receivers: [] }), clock: aClock() });
    const { journal, events } = await store.open();
    return {
      journal,
      async post(now: number, change: Partial<SubmissionRequest> = {}) {
        const request = aRequest({ intent: leaveAll, scope: 'withdraw', ...change });
        const reference = newReference();
        const told = tellAccepted(newWork(request), reference, now);
        return await journal.record(request, { ...told, reference, now, expiresAt: undefined });
      },
      async carryOut(now: number) {
        for (;;) {
          const claimed = await journal.claim({ owner: 'me', now, until: now + 60_000 });
          if (claimed === undefined) return;
          await done(journal, claimed.entry.reference, now);
        }
      },
      async written() {
        const rows = await journal.list({ limit: 1_000 });
        const page = await events.page('center', { after: 0, limit: 1_000 });
        const reasons = await everyReason(journal);
        return { rows, events: page.events.length, reasons: reasons.length };
      },
    };
  }
  const reasons = () => [{ id: undefined, text: 'x'.repeat(4_000) }];

  suite('a link that can only withdraw', () => {
    test('and posts "everything" 400 times in 20 seconds writes some rows, some events and one reason', async (t) => {
      const link = await openLink(t);
      for (let times = 0; times < 400; times += 1) {
        const now = 1_000 + times * 50;
        await link.post(now, { reasons: reasons() });
        if (times % 3 === 0) await link.carryOut(now + 1);
      }
      const written = await link.written();
      const bytes = JSON.stringify(written.rows.map(({ work }) => work)).length;
      assert.ok(written.rows.length <= 2, `${written.rows.length} rows`);
      assert.ok(bytes < 20_000, `${bytes} bytes`);
      assert.ok(written.events <= 12, `${written.events} events`);
      assert.equal(written.reasons, 1);
    });

    test('writes nothing while the same waits, whatever its channel', async (t) => {
      const link = await openLink(t);
      const first = await link.post(1_000, { intent: intentOf(off('a')), channel: 'mail' });
      for (const channel of ['link', 'embed', 'one-click'] as const) {
        const { kind, entry } = await link.post(90_000, { intent: intentOf(off('a')), channel });
        assert.deepEqual([kind, entry.reference], ['open', first.entry.reference]);
      }
      assert.equal((await link.journal.recentOf(anna, 0))[0]?.saidAgainAt, 90_000);
    });

    test('is not covered by what may have looked at the record before', async (t) => {
      const link = await openLink(t);
      await link.post(1_000);
      await link.journal.claim({ owner: 'me', now: 1_001, until: 60_000 });
      assert.equal((await link.post(1_002)).kind, 'new');
      assert.equal((await link.post(1_003)).kind, 'open');
    });

    test('is taken whenever it asks for something else, or after a grant', async (t) => {
      const link = await openLink(t);
      const kinds: string[] = [];
      for (const intent of [intentOf(off('a')), intentOf(off('b')), intentOf(off('a'), off('b')), leaveAll])
        kinds.push((await link.post(1_000, { intent })).kind);
      for (let now = 100_000; now < 2_000_000; now += 100_000) {
        const grant = aRequest({ intent: intentOf(on('a')) });
        await link.journal.record(grant, submissionMade(grant, now));
        const { kind, entry } = await link.post(now + 1, { intent: intentOf(off('a')) });
        kinds.push(kind);
        assert.ok(entry.dueAt <= now + 1, 'at once');
        await link.carryOut(now + 2);
      }
      assert.deepEqual(new Set(kinds), new Set(['new']));
    });

    test('keeps an objection apart from a withdrawal of the same purposes', async (t) => {
      const link = await openLink(t);
      await link.post(1_000, { intent: intentOf(off('a')), isObjection: true });
      assert.equal((await link.post(2_000, { intent: intentOf(off('a')) })).kind, 'new');
      assert.equal((await link.post(3_000, { intent: intentOf(off('a')), isObjection: true })).kind, 'open');
    });

    test('is bounded, too, where the platform refuses it each time', async (t) => {
      const link = await openLink(t);
      for (let times = 0; times < 60; times += 1) {
        const now = 1_000 + times * 10_000;
        const { kind, entry } = await link.post(now);
        if (kind === 'open' || entry.dueAt > now) continue;
        await link.journal.claim({ owner: 'me', now, until: now + 60_000 });
        await done(link.journal, entry.reference, now + 1, 'failed');
      }
      const { rows } = await link.written();
      assert.ok(rows.length <= 12, `${rows.length} rows`);
    });
  });
}
