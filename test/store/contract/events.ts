import assert from 'node:assert/strict';
import { suite } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { SubjectId } from '../../../src/core/model/person/subject.ts';
import {
  claimOne,
  countsOf,
  type EventNode,
  grant,
  lease,
  positionsOf,
  withdrawal,
} from './event-fixture.ts';
import { anna, day, laterSecret, type MakeTestStore, omar, peopleOf, secret, testsOf } from './test-store.ts';

const thirdSecret = `${laterSecret} yet`;

/** Events are written once, stand in one order for readers, and are sent once to receivers. */
export function eventsContract(make: MakeTestStore<EventNode>): void {
  const test = testsOf(make, ({ store: node }) => ({ node }));
  feed(test);
  greatNumber(test);
  usable(test);
  called(test);
}

type Test = ReturnType<typeof testsOf<EventNode, { readonly node: EventNode }>>;

function feed(test: Test): void {
  suite('Events in the feed', () => {
    test('Events count from 1 in their center, and no center has events of another one', async ({ node }) => {
      await node.write(withdrawal({ off: ['a', 'b'] }));
      await node.write(withdrawal({ center: 'pulled' }), withdrawal({ center: 'silent' }));
      const { events, goneUpTo } = await node.events.page('center', { after: 0, limit: 10 });
      assert.equal(goneUpTo, 0);
      assert.deepEqual(
        events.map(({ position, event }) => [position, event?.type, event?.purpose, event?.subject]),
        [
          [1, 'withdrawal.accepted', 'a', anna],
          [2, 'withdrawal.accepted', 'b', anna],
        ],
      );
      assert.deepEqual(await positionsOf(node, 'center', 1), [2]);
      assert.deepEqual(await positionsOf(node, 'center', 0, 1), [1]);
      assert.deepEqual(await positionsOf(node, 'pulled'), [1]);
      assert.deepEqual(await positionsOf(node, 'silent'), []);
    });

    test('An event that is written again, also in the same group, is kept once, and is sent once', async (used) => {
      const { node } = used;
      const item = withdrawal({ off: ['a'] });
      await node.write(item, item);
      await node.write(item);
      assert.deepEqual(await positionsOf(node, 'center'), [1]);
      assert.equal((await countsOf(node)).waiting, 1);
      await node.events.sent(await claimOne(node), 10_001);
      await node.write(item);
      assert.equal((await countsOf(node)).waiting, 0);
      assert.equal(await node.events.claim('crm', lease(20_000)), undefined);
    });

    test('Events open under a later secret, and tell nothing under a foreign one', async (used) => {
      const { node, another } = used;
      await node.write(withdrawal());
      const later = await another([laterSecret, secret]);
      assert.equal(
        (await later.events.page('center', { after: 0, limit: 9 })).events[0]?.event?.subject,
        anna,
      );
      const foreign = await another([thirdSecret]);
      assert.deepEqual((await foreign.events.page('center', { after: 0, limit: 9 })).events, [
        { position: 1, event: undefined },
      ]);
      assert.equal((await claimOne(foreign)).event, undefined);
    });

    test('A withdrawal is acknowledged once for each name, and not by a center that has no such event', async (used) => {
      const { node } = used;
      const { reference, ...item } = withdrawal();
      await node.write(item);
      const id = `${reference}-0`;
      assert.equal(await node.events.stopped('pulled', id, { name: 'Other', at: 5 }), false);
      assert.equal(await node.events.stopped('center', 'made-up', { name: 'CRM', at: 5 }), false);
      assert.equal(await node.events.stopped('center', id, { name: 'CRM', at: 5 }), true);
      assert.equal(await node.events.stopped('center', id, { name: 'CRM', at: 9 }), true);
      assert.deepEqual(await node.events.stopsOf(reference), [{ name: 'CRM', at: 5 }]);
    });

    test('Events are swept after 30 days, and a later reader is told up to where', async (used) => {
      const { node, clock } = used;
      const { reference, ...item } = withdrawal({ off: ['a', 'b'], at: clock.now() });
      await node.write(item);
      await node.events.stopped('center', `${reference}-0`, { name: 'CRM', at: clock.now() });
      clock.at += 20 * day;
      await node.write(withdrawal({ subject: omar, at: clock.now() }));
      assert.equal(await node.events.sweep(), 0);
      clock.at += 11 * day;
      while ((await node.events.sweep()) > 0);
      const { events, goneUpTo } = await node.events.page('center', { after: 0, limit: 9 });
      assert.deepEqual([goneUpTo, events.map(({ position }) => position)], [2, [3]]);
      assert.deepEqual(await node.events.stopsOf(reference), []);
      assert.equal((await countsOf(node)).waiting, 1);
    });

    test('An event that is swept while it is sent does not take a later event of the person with it', async (used) => {
      const { node, clock } = used;
      await node.write(withdrawal({ off: ['a'], at: clock.now() }));
      clock.at += 20 * day;
      const { reference, ...later } = withdrawal({ off: ['b'], at: clock.now() });
      await node.write(later);
      clock.at += 11 * day;
      const sending = await claimOne(node, clock.now());
      while ((await node.events.sweep()) > 0);
      await node.events.sent(sending, clock.now());
      assert.equal((await countsOf(node)).waiting, 1);
      const next = await claimOne(node, clock.now() + 60_000);
      assert.equal(next.event?.id, `${reference}-0`);
    });
  });
}

/** Tests with more events than two statements change (`mostRows`). */
function greatNumber(test: Test): void {
  suite('Events in great number', () => {
    test('Events are read, sent again and swept however many there are, with the queues that become empty', async (used) => {
      const { node, clock } = used;
      const people = 1_150;
      const all = peopleOf(people).map((subject) => withdrawal({ subject, at: clock.now() }));
      for (let at = 0; at < people; at += 50) await node.write(...all.slice(at, at + 50));
      const held = await claimOne(node, clock.now() + 1);
      await node.events.postpone(held, { dueAt: 9e15, problem: 'status-500', isHeld: true });
      await node.events.sendAgain('crm', clock.now() + 2);
      assert.equal((await countsOf(node)).held, 0);
      await node.events.hold('crm', 9e15);
      assert.equal((await countsOf(node)).held, people);
      assert.deepEqual([(await countsOf(node, 100)).held, (await countsOf(node, 100)).waiting], [100, 100]);
      await node.events.sendAgain('crm', clock.now() + 3);
      const due = new Set<string>();
      for (let times = 0; times < 20; times += 1) due.add((await claimOne(node, clock.now() + 4)).person);
      assert.equal(due.size, 20);
      const seen: number[] = [];
      for (;;) {
        const positions = await positionsOf(node, 'center', seen.length);
        if (positions.length === 0 && seen.length >= people) break;
        seen.push(...positions);
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
      const counts = await countsOf(node);
      assert.deepEqual([counts.waiting, counts.held, counts.oldestAt], [0, 0, undefined]);
    });

    test('The events and words of one submission of 600 purposes are all kept', async ({ node }) => {
      const off = Array.from({ length: 600 }, (_, index) => `p${index}`);
      await node.write(withdrawal({ off }));
      await positionsOf(node, 'center');
      while ((await node.events.page('center', { after: 0, limit: 1 })).last < off.length);
      assert.equal((await countsOf(node)).waiting, off.length);
      assert.deepEqual((await node.events.mayUse('center', 'p599', [anna])).answers, [false]);
    });
  });
}

function usable(test: Test): void {
  async function mayUse(
    { events }: EventNode,
    purpose: string,
    subject: SubjectId = anna,
    center = 'center',
  ) {
    const { answers } = await events.mayUse(center, purpose, [omar, subject]);
    return answers[1];
  }
  const both = async (node: EventNode) => [await mayUse(node, 'a'), await mayUse(node, 'b')];

  suite('Whether a purpose may be used', () => {
    test('A withdrawal is known as soon as it is accepted, in its center and for its person', async (used) => {
      const { node, beside } = used;
      assert.equal(await mayUse(node, 'a'), true);
      await node.write(withdrawal({ off: ['a'] }));
      assert.deepEqual([...(await both(node)), await mayUse(node, 'a', omar)], [false, true, true]);
      assert.equal(await mayUse(beside, 'a'), false, 'a process that started at once has the same key');
      assert.equal(await mayUse(node, 'a', anna, 'pulled'), true);
      // A center that keeps no events keeps last words, too.
      await node.write(withdrawal({ center: 'silent', off: ['a'] }));
      assert.equal(await mayUse(node, 'a', anna, 'silent'), false);
      assert.deepEqual((await node.events.mayUse('center', 'a', [])).answers, []);
    });

    /**
     * `-` withdraws, `+` grants, `*` is everything. Words in one text are written in one group. The flags
     * that follow: whether `a` and `b` may be used then.
     */
    const rules: Readonly<Record<string, readonly (readonly [string, boolean, boolean])[]>> = {
      'a word on everything covers every purpose, until a later grant': [
        ['-*', false, false],
        ['+a', true, false],
        ['-b', true, false],
        ['-*', false, false],
        ['+b', false, true],
        ['-b', false, false],
      ],
      'the words of one group count in their order': [
        ['-a +a', true, true],
        ['+a -a', false, true],
        ['-* +a', true, false],
        ['+b -* -a -*', false, false],
        ['+a +b', true, true],
      ],
      'a grant without a withdrawal does not undo a later withdrawal': [
        ['+a', true, true],
        ['-*', false, false],
      ],
    };
    for (const [rule, groups] of Object.entries(rules))
      test(`The newest word on each purpose wins: ${rule}`, async ({ node }) => {
        for (const [words, ...expected] of groups) {
          const items = words.split(' ').map((word) => {
            const purpose = word === '-*' ? '' : word.slice(1);
            return word.startsWith('+') ? grant({ on: purpose }) : withdrawal({ off: [purpose] });
          });
          await node.write(withdrawal({ subject: omar, off: ['b'] }), ...items);
          assert.deepEqual(await both(node), expected, words);
        }
        assert.equal(await mayUse(node, 'a', omar), true);
      });

    test('The word on a purpose wins over the word on everything within one submission', async ({ node }) => {
      const { subject, news } = withdrawal();
      const words = [
        { purpose: 'a', isOff: false },
        { purpose: '', isOff: true },
      ];
      await node.write({ subject, news: news.map((each) => ({ ...each, words })) });
      assert.deepEqual(await both(node), [true, false]);
    });

    test('A withdrawal is not forgotten with its event, nor with a secret that is replaced', async (used) => {
      const { node, another, clock } = used;
      await node.write(withdrawal({ off: ['a'], at: clock.now() }));
      clock.at += 31 * day;
      while ((await node.events.sweep()) > 0);
      assert.deepEqual(await positionsOf(node, 'center'), []);
      assert.equal(await mayUse(node, 'a'), false);
      await another([laterSecret, secret]);
      assert.equal(await mayUse(await another([laterSecret]), 'a'), false);
    });

    test('The answer says since when all words are known if no secret opens earlier words', async (used) => {
      const { node, another, clock } = used;
      await node.write(withdrawal({ off: ['a'] }));
      const { since } = await node.events.mayUse('center', 'a', [anna]);
      assert.equal(since, clock.now());
      clock.at += day;
      const foreign = await another([laterSecret]);
      const later = await foreign.events.mayUse('center', 'a', [anna]);
      assert.deepEqual(later, { since: clock.now(), answers: [true] });
    });

    test('Words under a secret that is gone again do not count as known', async (used) => {
      const { node, another, clock } = used;
      const ask = ({ events }: EventNode, subject: SubjectId) => events.mayUse('center', 'a', [subject]);
      await node.write(withdrawal({ off: ['a'] }));
      const { since } = await ask(node, anna);
      clock.at += day;
      await (await another([laterSecret])).write(withdrawal({ subject: omar, off: ['a'] }));
      clock.at += day;
      const back = await another([secret]);
      const known = await ask(back, omar);
      assert.deepEqual(known, { since: clock.now(), answers: [true] });
      assert.deepEqual((await ask(back, anna)).answers, [false]);
      clock.at += day;
      assert.deepEqual(await ask(await another([secret]), omar), known);
      const opening = await another([laterSecret, secret]);
      assert.deepEqual(await ask(opening, omar), { since, answers: [false] });
      await opening.write(grant({ subject: omar, on: 'a' }));
      assert.deepEqual((await ask(opening, omar)).answers, [true]);
      assert.deepEqual((await ask(opening, anna)).answers, [false]);
    });

    test('A process knows the words of another one under a key that came later', async ({ another }) => {
      const turned = await another([laterSecret, thirdSecret]);
      assert.equal(await mayUse(turned, 'a'), true);
      await (await another([thirdSecret])).write(withdrawal({ off: ['a'] }));
      assert.equal(await mayUse(turned, 'a'), false);
    });
  });
}

function called(test: Test): void {
  suite('Events for receivers', () => {
    test('Events are claimed one at a time for each person, in their order', async ({ node }) => {
      const [first, second] = [withdrawal({ off: ['a'] }), withdrawal({ off: ['b'] })];
      const other = withdrawal({ subject: omar });
      await node.write(first);
      await node.write(second, other);
      const [one, two] = [await claimOne(node), await claimOne(node)];
      assert.deepEqual(
        [one.event?.id, two.event?.id].toSorted(),
        [`${first.reference}-0`, `${other.reference}-0`].toSorted(),
      );
      assert.equal(await node.events.claim('crm', lease(10_001)), undefined);
      const ofAnna = one.event?.subject === anna ? one : two;
      await node.events.sent(ofAnna, 10_002);
      const next = await claimOne(node, 10_003);
      assert.equal(next.event?.id, `${second.reference}-0`);
      await node.events.sent(next, 10_004);
      await node.events.sent(ofAnna === one ? two : one, 10_004);
      assert.equal(await node.events.claim('crm', lease(20_000)), undefined);
      const nothing = { waiting: 0, held: 0, oldestAt: undefined, stoppedAt: undefined, problem: undefined };
      assert.deepEqual(await node.events.queuesOf(['crm'], 9), [{ receiver: 'crm', ...nothing }]);
    });

    test('An event goes to another process when a lease runs out, and the first one changes nothing more', async (used) => {
      const { node, another } = used;
      const other = await another();
      await node.write(withdrawal());
      const late = await claimOne(node, 10_000);
      assert.equal(await other.events.claim('crm', lease(69_999)), undefined);
      const again = await claimOne(other, 70_001);
      assert.equal(again.event?.id, late.event?.id);
      await node.events.sent(late, 70_002);
      await node.events.postpone(late, { dueAt: 1, problem: 'late', isHeld: true });
      assert.equal((await countsOf(node)).waiting, 1);
      await other.events.sent(again, 70_003);
      assert.equal((await countsOf(node)).waiting, 0);
    });

    test('A held event waits for staff, or for a later event of the person, which waits behind it', async (used) => {
      const { node } = used;
      const first = withdrawal({ off: ['a'] });
      await node.write(first);
      await node.events.postpone(await claimOne(node), {
        dueAt: 20_000,
        problem: 'status-500',
        isHeld: true,
      });
      assert.equal(await node.events.claim('crm', lease(99_999)), undefined);
      const held = await countsOf(node);
      assert.deepEqual([held.waiting, held.held, held.problem], [1, 1, 'status-500']);
      await node.write(withdrawal({ off: ['b'], at: 100_000 }));
      const again = await claimOne(node, 100_000);
      assert.deepEqual([again.event?.id, again.attempts], [`${first.reference}-0`, 0]);
      assert.equal((await countsOf(node)).waiting, 2);
      await node.events.postpone(again, { dueAt: 1, problem: 'timeout', isHeld: true });
      await node.events.sendAgain('crm', 200_000);
      assert.equal((await claimOne(node, 200_000)).event?.id, `${first.reference}-0`);
    });

    test('An event that failed for too long is held; a receiver that answers again gets the rest at once', async (used) => {
      const { node } = used;
      await node.write(withdrawal({ at: 1_000 }), withdrawal({ subject: omar, at: 5_000 }));
      for (let times = 0; times < 2; times += 1)
        await node.events.postpone(await claimOne(node), { dueAt: 9e9, problem: 'timeout', isHeld: false });
      await node.events.hold('crm', 3_000);
      assert.equal((await countsOf(node)).held, 1);
      await node.events.makeDue('crm', { now: 20_000, spread: 1 });
      assert.equal((await claimOne(node, 20_000)).event?.subject, omar);
      assert.equal(await node.events.claim('crm', lease(20_001)), undefined);
    });

    test('Waiting events become due within the spread, each person at another time', async ({ node }) => {
      await node.write(...peopleOf(60).map((subject) => withdrawal({ subject, at: 9e9 })));
      await node.events.makeDue('crm', { now: 20_000, spread: 1_000 });
      const dueBy = async (now: number) => {
        let count = 0;
        while (
          (await node.events.claim('crm', { owner: `o${now}-${count}`, now, until: 9e12 })) !== undefined
        )
          count += 1;
        return count;
      };
      assert.equal(await dueBy(19_999), 0);
      const half = await dueBy(20_500);
      assert.ok(half > 5 && half < 55, `${half} of 60 in the first half`);
      assert.equal(await dueBy(20_999), 60 - half);
    });

    test('A receiver is due only while it has something due, and was not stopped', async (used) => {
      const { node } = used;
      const all = ['idle', 'crm', 'other'];
      assert.deepEqual(await node.events.dueOf(all, 10_000), []);
      assert.deepEqual(await node.events.dueOf([], 10_000), []);
      await node.write(withdrawal());
      assert.deepEqual(await node.events.dueOf(all, 10_000), ['crm']);
      assert.deepEqual(await node.events.dueOf(['idle'], 10_000), []);
      const isDue = async (now: number) => (await node.events.dueOf(['crm'], now)).length === 1;
      assert.equal(await isDue(0), false, 'it is not due before its time');
      const claimed = await claimOne(node, 10_000);
      assert.deepEqual([await isDue(69_999), await isDue(70_001)], [false, true], 'not while it is leased');
      await node.events.postpone(claimed, { dueAt: 80_000, problem: 'timeout', isHeld: false });
      assert.deepEqual([await isDue(79_999), await isDue(80_000)], [false, true]);
      await node.events.stop('crm', 81_000);
      assert.equal(await isDue(90_000), false);
      assert.equal(await node.events.claim('crm', lease(90_000)), undefined);
      assert.equal((await countsOf(node)).stoppedAt, 81_000);
      await node.events.sendAgain('crm', 90_000);
      assert.equal(await isDue(90_000), true);
      await node.events.postpone(await claimOne(node, 90_000), { dueAt: 1, problem: 'x', isHeld: true });
      assert.equal(await isDue(9e9), false, 'a held event is not due');
    });

    test('Both processes read each other’s events without a gap, and send each once, in the order of its person', async (used) => {
      const { handles: nodes } = used;
      const written = new Map<string, string[]>();
      let isWritten = false;
      const add = (to: Map<string, string[]>, person: string, id: string) =>
        to.set(person, [...(to.get(person) ?? []), id]);
      async function write(node: EventNode, index: number) {
        for (let times = 0; times < 20; times += 1) {
          const people = [0, 1, 2].map((each) => `p${index}-${(times + each) % 7}@example.org`);
          const group = people.map((id) => withdrawal({ subject: id as SubjectId, off: [`p${times}`] }));
          await node.write(...group);
          for (const { subject, reference } of group) add(written, subject, `${reference}-0`);
        }
      }
      async function read({ events }: EventNode) {
        for (const seen: string[] = []; ; await turn()) {
          const isLast = isWritten;
          const page = await events.page('center', { after: seen.length, limit: 5 });
          for (const { position, event } of page.events) assert.equal(seen.push(event?.id ?? ''), position);
          if (isLast && page.events.length === 0) return seen;
        }
      }
      const sent = new Map<string, string[]>();
      async function send({ events }: EventNode, name: string) {
        for (let now = 10_000; ; now += 1) {
          const isLast = isWritten;
          const queued = await events.claim('crm', { owner: `${name}${now}`, now, until: now + 1e9 });
          if (queued === undefined && isLast) return;
          if (queued?.event === undefined) {
            await turn();
            continue;
          }
          add(sent, queued.event.subject ?? '', queued.event.id);
          await events.sent(queued, now);
        }
      }
      const others = [...nodes.map((node, index) => send(node, `n${index}-`)), ...nodes.map(read)];
      await Promise.all(nodes.map(write));
      isWritten = true;
      const [, , one, two] = await Promise.all(others);
      await send(nodes[0], 'last-');
      assert.deepEqual(sent, written);
      assert.deepEqual(one, two);
      assert.deepEqual(one?.toSorted(), [...written.values()].flat().toSorted());
    });
  });
}
