import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { everyEventType, type NewEvent } from '../../../src/core/model/center-event.ts';
import type { SubjectId } from '../../../src/core/model/subject.ts';
import { tellAccepted } from '../../../src/delivery/telling.ts';
import { newWork } from '../../../src/delivery/work.ts';
import type { EventRoutes } from '../../../src/ports/event-routes.ts';
import type { Events, QueuedEvent } from '../../../src/ports/events.ts';
import type { Journal } from '../../../src/ports/journal.ts';
import { anna, aRequest, ben, intentOf, leaveAll, off, on } from '../../delivery/fixture.ts';
import { done, newReference, otherSecret, secret, unchanged } from './journal-fixture.ts';
import { aClock, day } from './test-store.ts';

interface Node {
  readonly journal: Journal;
  readonly events: Events;
}

export interface EventStore {
  open(secrets?: readonly string[]): Promise<Node>;
}

export interface OpenedWith {
  readonly routes: EventRoutes;
  readonly clock: { now(): number };
}

export type OpenEventStore = (t: TestContext, given: OpenedWith) => Promise<EventStore>;

const to = (...ids: readonly string[]) => ids.map((id) => ({ id, types: everyEventType }));
const routes: EventRoutes = (center) => {
  if (center === 'center') return { receivers: to('crm') };
  return center === 'pulled' ? { receivers: [] } : undefined;
};

type Submitted = Parameters<typeof aRequest>[0];

async function submit({ journal }: Node, change: Submitted, now = 1_000) {
  const request = aRequest(change);
  const reference = newReference();
  const told = tellAccepted(newWork(request), reference, now);
  const { entry } = await journal.record(request, { ...told, reference, now, expiresAt: undefined });
  return entry;
}

const verified = (reference: string, purpose: string, change: 'on' | 'off'): NewEvent => ({
  id: `${reference}-verified`,
  type: 'consent.verified',
  at: 2_000,
  purpose,
  change,
  outcome: 'saved',
});

/** As the delivery does. */
async function settle({ journal }: Node, reference: string, purpose: string, change: 'on' | 'off') {
  for (;;) {
    const claimed = await journal.claim({ owner: 'me', now: 1_500, until: 1_600 });
    assert.ok(claimed?.entry.work);
    const isIt = claimed.entry.reference === reference;
    const isGrant = isIt && change === 'on';
    const saved = await journal.save(claimed.entry.reference, 'me', {
      ...unchanged,
      work: claimed.entry.work,
      state: 'done',
      dueAt: 1_500,
      doneAt: 1_500,
      events: isIt ? [verified(reference, purpose, change)] : [],
      words: isGrant ? [{ purpose, isOff: false }] : [],
    });
    assert.equal(saved, 'saved');
    if (isIt) return;
  }
}

async function positions({ events }: Node, center: string, after = 0, limit = 100) {
  return (await events.page(center, { after, limit })).events.map(({ position }) => position);
}

const lease = (now: number) => ({ owner: `owner-${now}`, now, until: now + 60_000 });

async function claim({ events }: Node, now = 10_000): Promise<QueuedEvent> {
  const queued = await events.claim('crm', lease(now));
  assert.ok(queued !== undefined);
  return queued;
}

/** Events are kept with what they tell of, given to those who ask in one order, and to those who are called once. */
export function eventsContract(openStore: OpenEventStore): void {
  async function openNode(t: TestContext) {
    const clock = aClock();
    const store = await openStore(t, { routes, clock });
    return { ...(await store.open()), store, clock };
  }

  suite('events for those who ask', () => {
    test('count from 1 in their center, and no center’s events are another one’s', async (t) => {
      const node = await openNode(t);
      await submit(node, { intent: intentOf(off('a'), off('b')) });
      await submit(node, { center: 'pulled', intent: leaveAll });
      await submit(node, { center: 'silent', intent: leaveAll });
      const { events, goneUpTo } = await node.events.page('center', { after: 0, limit: 10 });
      assert.equal(goneUpTo, 0);
      assert.deepEqual(
        events.map(({ position, event }) => [position, event?.type, event?.purpose, event?.subject]),
        [
          [1, 'withdrawal.accepted', 'a', anna],
          [2, 'withdrawal.accepted', 'b', anna],
        ],
      );
      assert.deepEqual(await positions(node, 'center', 1), [2]);
      assert.deepEqual(await positions(node, 'center', 0, 1), [1]);
      assert.deepEqual(await positions(node, 'pulled'), [1]);
      assert.deepEqual(await positions(node, 'silent'), []);
    });

    test('are written once with what they tell of, also when the same is submitted again', async (t) => {
      const node = await openNode(t);
      const request = aRequest({ intent: intentOf(off('a')) });
      for (let times = 0; times < 2; times += 1) {
        const reference = newReference();
        const told = tellAccepted(newWork(request), reference, 1_000);
        await node.journal.record(request, { ...told, reference, now: 1_000, expiresAt: undefined });
      }
      assert.deepEqual(await positions(node, 'center'), [1]);
    });

    test('tell what became of it once a change is saved, and nothing where the lease was lost', async (t) => {
      const node = await openNode(t);
      const { reference, work } = await submit(node, { intent: intentOf(off('a')) });
      assert.ok(work);
      const change = { ...unchanged, work, state: 'done' as const, dueAt: 1, doneAt: 1 };
      const events = [verified(reference, 'a', 'off')];
      assert.equal(await node.journal.save(reference, 'nobody', { ...change, events }), 'lost');
      assert.deepEqual(await positions(node, 'center'), [1]);
      await settle(node, reference, 'a', 'off');
      const told = await node.events.page('center', { after: 1, limit: 9 });
      assert.deepEqual(
        told.events.map(({ event }) => event?.type),
        ['consent.verified'],
      );
    });

    test('open under a later secret, and hold nobody’s identifier in the clear', async (t) => {
      const node = await openNode(t);
      await submit(node, { intent: intentOf(off('a')) });
      const later = await node.store.open([otherSecret, secret]);
      const { events } = await later.events.page('center', { after: 0, limit: 9 });
      assert.equal(events[0]?.event?.subject, anna);
      const foreign = await node.store.open([`${otherSecret} yet`]);
      const unread = await foreign.events.page('center', { after: 0, limit: 9 });
      assert.deepEqual(
        unread.events.map(({ position, event }) => [position, event]),
        [[1, undefined]],
      );
    });

    test('are acknowledged once for each name, and by nobody who has no such event', async (t) => {
      const node = await openNode(t);
      const { reference } = await submit(node, { intent: leaveAll });
      const id = `${reference}-0`;
      assert.equal(await node.events.stopped('pulled', id, { name: 'Other', at: 5 }), false);
      assert.equal(await node.events.stopped('center', 'made-up', { name: 'CRM', at: 5 }), false);
      assert.equal(await node.events.stopped('center', id, { name: 'CRM', at: 5 }), true);
      assert.equal(await node.events.stopped('center', id, { name: 'CRM', at: 9 }), true);
      assert.deepEqual(await node.events.stopsOf(reference), [{ name: 'CRM', at: 5 }]);
    });

    test('are swept after 30 days, and whoever comes later is told up to where', async (t) => {
      const node = await openNode(t);
      const { clock } = node;
      const { reference } = await submit(node, { intent: intentOf(off('a'), off('b')) }, clock.now());
      await node.events.stopped('center', `${reference}-0`, { name: 'CRM', at: clock.now() });
      clock.at += 20 * day;
      await submit(node, { subject: ben, intent: intentOf(off('a')) }, clock.now());
      assert.equal(await node.events.sweep(), 0);
      clock.at += 11 * day;
      while ((await node.events.sweep()) > 0);
      const { events, goneUpTo } = await node.events.page('center', { after: 0, limit: 9 });
      assert.deepEqual([goneUpTo, events.map(({ position }) => position)], [2, [3]]);
      assert.deepEqual(await node.events.stopsOf(reference), []);
      const [counts] = await node.events.queuesOf(['crm'], 100);
      assert.equal(counts?.waiting, 1);
    });
  });

  suite('events in great number', () => {
    test('are answered, sent again and swept however many there are, with the queues that they empty', async (t) => {
      const node = await openNode(t);
      const { clock } = node;
      const people = 450;
      for (let person = 0; person < people; person += 1)
        await submit(node, { subject: `p${person}@example.org` as SubjectId, intent: leaveAll }, clock.now());
      const held = await claim(node, clock.now() + 1);
      await node.events.postpone(held, { dueAt: 9e15, problem: 'status-500', isHeld: true });
      await node.events.sendAgain('crm', clock.now() + 2);
      assert.equal((await node.events.queuesOf(['crm'], 9_999))[0]?.held, 0);
      await node.events.hold('crm', 9e15);
      assert.equal((await node.events.queuesOf(['crm'], 9_999))[0]?.held, people);
      await node.events.sendAgain('crm', clock.now() + 3);
      const due = new Set<string>();
      for (let times = 0; times < 20; times += 1) due.add((await claim(node, clock.now() + 4)).person);
      assert.equal(due.size, 20);
      const seen: number[] = [];
      for (;;) {
        const { events } = await node.events.page('center', { after: seen.length, limit: 100 });
        if (events.length === 0 && seen.length >= people) break;
        seen.push(...events.map(({ position }) => position));
      }
      assert.deepEqual(
        seen,
        Array.from({ length: people }, (_, index) => index + 1),
      );
      clock.at += 31 * day;
      while ((await node.events.sweep()) > 0);
      assert.deepEqual(await node.events.page('center', { after: 0, limit: 9 }), {
        events: [],
        goneUpTo: people,
        last: people,
      });
      const [counts] = await node.events.queuesOf(['crm'], 9_999);
      assert.deepEqual([counts?.waiting, counts?.held, counts?.oldestAt], [0, 0, undefined]);
    });
  });

  suite('whether a purpose may be used', () => {
    async function mayUse({ events }: Node, purpose: string, subject: SubjectId = anna, center = 'center') {
      const { answers } = await events.mayUse(center, purpose, [ben, subject]);
      return answers[1];
    }

    test('is known from the moment on in which a withdrawal is accepted, in its center, of its person', async (t) => {
      const node = await openNode(t);
      assert.equal(await mayUse(node, 'a'), true);
      await submit(node, { intent: intentOf(off('a')) });
      assert.deepEqual(
        [await mayUse(node, 'a'), await mayUse(node, 'b'), await mayUse(node, 'a', ben)],
        [false, true, true],
      );
      assert.equal(await mayUse(node, 'a', anna, 'pulled'), true);
    });

    test('everything is every purpose, until a later grant of one was seen on record', async (t) => {
      const node = await openNode(t);
      await submit(node, { intent: leaveAll });
      const { reference } = await submit(node, { intent: intentOf(on('a')) });
      assert.deepEqual([await mayUse(node, 'a'), await mayUse(node, 'b')], [false, false]);
      await settle(node, reference, 'a', 'on');
      assert.deepEqual([await mayUse(node, 'a'), await mayUse(node, 'b')], [true, false]);
      await submit(node, { intent: leaveAll });
      assert.equal(await mayUse(node, 'a'), false);
    });

    test('an earlier grant that is seen late takes no later withdrawal back', async (t) => {
      const node = await openNode(t);
      const { reference } = await submit(node, { intent: intentOf(on('a')) });
      await submit(node, { center: 'other', intent: intentOf(on('x')) });
      await submit(node, { intent: intentOf(off('a')) });
      const claimed = await claimOnly(node, reference);
      await node.journal.save(reference, 'me', {
        ...unchanged,
        work: claimed,
        state: 'done',
        dueAt: 1,
        doneAt: 1,
        words: [{ purpose: 'a', isOff: false }],
      });
      assert.equal(await mayUse(node, 'a'), false);
    });

    test('is not forgotten with what the journal forgets, nor with a secret that is replaced', async (t) => {
      const node = await openNode(t);
      const { reference } = await submit(node, { intent: intentOf(off('a')) });
      await settle(node, reference, 'a', 'off');
      const over = 2_000;
      const all = { now: over, workBefore: over, evidenceBefore: over, reasonsBefore: over };
      while ((await node.journal.sweep(all)) > 0);
      assert.equal(await node.journal.find(reference), undefined);
      assert.equal(await mayUse(node, 'a'), false);
      await node.store.open([otherSecret, secret]);
      assert.equal(await mayUse(await node.store.open([otherSecret]), 'a'), false);
    });

    test('where no secret opens what was said, it is known since when it is', async (t) => {
      const node = await openNode(t);
      await submit(node, { intent: intentOf(off('a')) });
      const { since } = await node.events.mayUse('center', 'a', [anna]);
      assert.ok(since <= Date.now());
      const foreign = await node.store.open([otherSecret]);
      const later = await foreign.events.mayUse('center', 'a', [anna]);
      assert.deepEqual(later.answers, [true]);
      assert.ok(later.since >= since);
    });

    test('what was said under a secret that is gone again is not said to be known', async (t) => {
      const node = await openNode(t);
      const ask = ({ events }: Node, who: SubjectId) => events.mayUse('center', 'a', [who]);
      await submit(node, { subject: anna, intent: intentOf(off('a')) });
      const { since } = await ask(node, anna);
      node.clock.at += day;
      await submit(await node.store.open([otherSecret]), { subject: ben, intent: intentOf(off('a')) });
      node.clock.at += day;
      const back = await node.store.open([secret]);
      const known = await ask(back, ben);
      assert.deepEqual(known.answers, [true]);
      assert.ok(known.since > since);
      assert.deepEqual((await ask(back, anna)).answers, [false]);
      node.clock.at += day;
      assert.deepEqual(await ask(await node.store.open([secret]), ben), known);
      const both = await node.store.open([otherSecret, secret]);
      assert.deepEqual(await ask(both, ben), { since, answers: [false] });
      const { reference } = await submit(both, { subject: ben, intent: intentOf(on('a')) });
      await settle(both, reference, 'a', 'on');
      assert.deepEqual((await ask(both, ben)).answers, [true]);
      assert.deepEqual((await ask(both, anna)).answers, [false]);
    });

    test('a process knows what another one has said under a key that came later', async (t) => {
      const node = await openNode(t);
      const turned = await node.store.open([otherSecret, secret]);
      await submit(await node.store.open([secret]), { intent: intentOf(off('a')) });
      assert.equal(await mayUse(turned, 'a'), false);
    });
  });

  suite('events for those who are called', () => {
    test('are claimed one at a time for each person, in their order', async (t) => {
      const node = await openNode(t);
      const first = await submit(node, { intent: intentOf(off('a')) });
      const second = await submit(node, { intent: intentOf(off('b')) });
      const other = await submit(node, { subject: ben, intent: leaveAll });
      const one = await claim(node);
      const two = await claim(node);
      assert.deepEqual(
        [one.event?.id, two.event?.id].toSorted(),
        [`${first.reference}-0`, `${other.reference}-0`].toSorted(),
      );
      assert.equal(await node.events.claim('crm', lease(10_001)), undefined);
      const ofAnna = one.event?.subject === anna ? one : two;
      await node.events.sent(ofAnna, 10_002);
      const next = await claim(node, 10_003);
      assert.equal(next.event?.id, `${second.reference}-0`);
      await node.events.sent(next, 10_004);
      await node.events.sent(ofAnna === one ? two : one, 10_004);
      assert.equal(await node.events.claim('crm', lease(20_000)), undefined);
      assert.deepEqual(await node.events.queuesOf(['crm'], 9), [
        {
          receiver: 'crm',
          waiting: 0,
          held: 0,
          oldestAt: undefined,
          stoppedAt: undefined,
          problem: undefined,
        },
      ]);
    });

    test('go to another one when a lease runs out, and whoever had it changes nothing more', async (t) => {
      const node = await openNode(t);
      const other = await node.store.open();
      await submit(node, { intent: intentOf(off('a')) });
      const late = await claim(node, 10_000);
      assert.equal(await other.events.claim('crm', lease(69_999)), undefined);
      const again = await claim(other, 70_001);
      assert.equal(again.event?.id, late.event?.id);
      await node.events.sent(late, 70_002);
      await node.events.postpone(late, { dueAt: 1, problem: 'late', isHeld: true });
      assert.equal((await node.events.queuesOf(['crm'], 9))[0]?.waiting, 1);
      await other.events.sent(again, 70_003);
      assert.equal((await node.events.queuesOf(['crm'], 9))[0]?.waiting, 0);
    });

    test('what is held waits for staff, or for what comes after it, which waits behind it', async (t) => {
      const node = await openNode(t);
      const { reference } = await submit(node, { intent: intentOf(off('a')) });
      await node.events.postpone(await claim(node), { dueAt: 20_000, problem: 'status-500', isHeld: true });
      assert.equal(await node.events.claim('crm', lease(99_999)), undefined);
      const [held] = await node.events.queuesOf(['crm'], 9);
      assert.deepEqual([held?.waiting, held?.held, held?.problem], [1, 1, 'status-500']);
      await submit(node, { intent: intentOf(off('b')) }, 100_000);
      const again = await claim(node, 100_000);
      assert.deepEqual([again.event?.id, again.attempts], [`${reference}-0`, 0]);
      await node.events.postpone(again, { dueAt: 1, problem: 'timeout', isHeld: true });
      await node.events.sendAgain('crm', 200_000);
      assert.equal((await claim(node, 200_000)).event?.id, `${reference}-0`);
    });

    test('what was tried in vain for too long is held; who answers again gets all the rest at once', async (t) => {
      const node = await openNode(t);
      await submit(node, { intent: intentOf(off('a')) }, 1_000);
      await submit(node, { subject: ben, intent: intentOf(off('a')) }, 5_000);
      for (let times = 0; times < 2; times += 1)
        await node.events.postpone(await claim(node), { dueAt: 9e9, problem: 'timeout', isHeld: false });
      await node.events.hold('crm', 3_000);
      assert.equal((await node.events.queuesOf(['crm'], 9))[0]?.held, 1);
      await node.events.makeDue('crm', { now: 20_000, spread: 1 });
      assert.equal((await claim(node, 20_000)).event?.subject, ben);
      assert.equal(await node.events.claim('crm', lease(20_001)), undefined);
    });

    test('nothing is claimed for a receiver that was stopped, until it is to be sent again', async (t) => {
      const node = await openNode(t);
      await submit(node, { intent: intentOf(off('a')) });
      await node.events.stop('crm', 9_000);
      assert.equal(await node.events.claim('crm', lease(10_000)), undefined);
      assert.equal((await node.events.queuesOf(['crm'], 9))[0]?.stoppedAt, 9_000);
      await node.events.sendAgain('crm', 20_000);
      await claim(node, 20_000);
    });

    test('are looked for by one question for all receivers: whoever has none, was stopped, or waits, is left out', async (t) => {
      const node = await openNode(t);
      const all = ['nobody', 'crm', 'other'];
      assert.deepEqual(await node.events.dueOf(all, 10_000), []);
      assert.deepEqual(await node.events.dueOf([], 10_000), []);
      await submit(node, { intent: intentOf(off('a')) });
      const due = await node.events.dueOf(all, 10_000);
      assert.ok(due.includes('crm') && !due.includes('nobody'), String(due));
      assert.deepEqual(await node.events.dueOf(['nobody'], 10_000), []);
      const isDue = async (now: number) => (await node.events.dueOf(['crm'], now)).length === 1;
      assert.equal(await isDue(0), false, 'not before its time');
      const claimed = await claim(node, 10_000);
      assert.deepEqual([await isDue(69_999), await isDue(70_001)], [false, true], 'as long as it is leased');
      await node.events.postpone(claimed, { dueAt: 80_000, problem: 'timeout', isHeld: false });
      assert.deepEqual([await isDue(79_999), await isDue(80_000)], [false, true]);
      await node.events.stop('crm', 81_000);
      assert.equal(await isDue(90_000), false);
      await node.events.sendAgain('crm', 90_000);
      assert.equal(await isDue(90_000), true);
      await node.events.postpone(await claim(node, 90_000), { dueAt: 1, problem: 'x', isHeld: true });
      assert.equal(await isDue(9e9), false, 'held');
    });

    test('one that no key opens is claimed without what it tells', async (t) => {
      const node = await openNode(t);
      await submit(node, { intent: intentOf(off('a')) });
      const foreign = await node.store.open([otherSecret]);
      assert.equal((await claim(foreign)).event, undefined);
    });

    test('many are sent once each, in the order of their person, by two at the same time', async (t) => {
      const node = await openNode(t);
      const nodes = [node, await node.store.open()];
      const people = Array.from({ length: 5 }, (_, index) => `p${index}@example.org` as SubjectId);
      const seen = new Map<string, string[]>();
      const expected = new Map<string, string[]>();
      let isWritten = false;
      async function write() {
        for (let round = 0; round < 6; round += 1)
          for (const [index, subject] of people.entries()) {
            const at = nodes[index % 2] ?? node;
            const { reference } = await submit(at, { subject, intent: intentOf(off(`p${round}`)) });
            expected.set(subject, [...(expected.get(subject) ?? []), `${reference}-0`]);
          }
        isWritten = true;
      }
      async function send(which: Node, name: string) {
        for (let now = 10_000; ; now += 1) {
          const last = isWritten;
          const queued = await which.events.claim('crm', { owner: `${name}${now}`, now, until: now + 1e9 });
          if (queued === undefined && last) return;
          if (queued?.event === undefined) {
            await new Promise((resolve) => setImmediate(resolve));
            continue;
          }
          const { subject, id } = queued.event;
          seen.set(subject, [...(seen.get(subject) ?? []), id]);
          await which.events.sent(queued, now);
        }
      }
      await Promise.all([write(), ...nodes.map((which, index) => send(which, `n${index}-`))]);
      await send(node, 'last-');
      assert.deepEqual(seen, expected);
    });
  });
}

async function claimOnly({ journal }: Node, reference: string) {
  for (;;) {
    const claimed = await journal.claim({ owner: 'me', now: 1_001, until: 1_100 });
    assert.ok(claimed?.entry.work);
    if (claimed.entry.reference === reference) return claimed.entry.work;
    await done(journal, claimed.entry.reference, 1_001);
  }
}
