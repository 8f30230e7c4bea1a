import assert from 'node:assert/strict';
import type { SubjectId } from '../../../src/core/model/person/subject.ts';
import type { Channel } from '../../../src/core/model/submission/submission.ts';
import type { Messages, QueuedMessage } from '../../../src/ports/messages.ts';
import type { People } from '../../../src/ports/people.ts';
import { openMessages } from '../../../src/store/messages.ts';
import { openPeople } from '../../../src/store/people.ts';
import type { StoreParts } from '../../../src/store/sql.ts';
import { aRequest, ben, intentOf, off, on } from '../../delivery/fixture.ts';
import { finish, newReference, put } from './people-fixture.ts';
import { atOnce, day, type MakeTestStore, minute, subject, testsOf } from './test-store.ts';

/** In this center all changes are reported; in others only those by staff. */
export const telling = aRequest({}).center;

export function aMessageStore({ sql, seal }: StoreParts) {
  const isTold = (center: string, channel: Channel) => center === telling || channel === 'staff';
  const { messages, messageWrites } = openMessages({ sql, seal, isTold });
  const newsWrites = () => [];
  const people = openPeople({ sql, seal, random: { id: newReference }, newsWrites, messageWrites });
  return { people, messages };
}

let owners = 0;
const claim = (messages: Messages, now: number, lasts = 5 * minute) =>
  messages.claim('mail', { owner: `owner-${++owners}`, now, until: now + lasts });

async function claimed(messages: Messages, now: number): Promise<QueuedMessage> {
  return (await claim(messages, now)) ?? assert.fail('nothing is due');
}

const references = (queued: QueuedMessage | undefined) => queued?.entries?.map(({ reference }) => reference);

export function messagesContract(make: MakeTestStore<ReturnType<typeof aMessageStore>>): void {
  const test = testsOf(make);
  const change = (people: People, purpose: string, now: number, more: Parameters<typeof aRequest>[0] = {}) =>
    put(people, aRequest({ intent: intentOf(off(purpose)), nonce: newReference(), ...more }), { now });

  test('Changes within two minutes are one message; changes while it is sent are the next one, after a pause', async (used) => {
    const { people, messages } = used;
    const first = await change(people, 'a', 0);
    const second = await change(people, 'b', minute);
    assert.deepEqual(await messages.dueOf(['mail'], 2 * minute - 1), []);
    assert.equal(await claim(messages, 2 * minute - 1), undefined);
    assert.deepEqual(await messages.dueOf(['mail'], 2 * minute), ['mail']);
    const sent = await claimed(messages, 2 * minute);
    assert.deepEqual(references(sent), [second.entry.reference, first.entry.reference]);
    const third = await change(people, 'c', 2 * minute);
    await messages.sent(sent, 2 * minute);
    assert.equal(await claim(messages, 17 * minute - 1), undefined);
    const next = await claimed(messages, 17 * minute);
    assert.deepEqual(references(next), [third.entry.reference]);
    assert.notEqual(next.id, sent.id);
    await messages.sent(next, 17 * minute);
    assert.equal(await claim(messages, day), undefined);
    // Long after a message there is no pause.
    await change(people, 'd', day);
    assert.equal(await claim(messages, day + minute), undefined);
    await claimed(messages, day + 2 * minute);
  });

  test('A message that is tried again is the same, about the same submissions, whatever was recorded since', async (used) => {
    const { store: one, beside: other } = used;
    const first = await change(one.people, 'a', 0);
    const begun = await claimed(one.messages, 2 * minute);
    await change(one.people, 'b', 3 * minute);
    // The first process ends here: no other one gets the message before the lease is over.
    assert.equal(await claim(other.messages, 7 * minute - 1), undefined);
    const again = await claimed(other.messages, 7 * minute);
    assert.equal(again.id, begun.id);
    assert.deepEqual(references(again), [first.entry.reference]);
    // The first process hung, and goes on: its lease is over, so it changes nothing.
    await one.messages.sent(begun, 7 * minute);
    await one.messages.postpone(begun, { dueAt: 0, problem: 'x', isHeld: true });
    await other.messages.postpone(again, { dueAt: 8 * minute, problem: 'smtp-451', isHeld: false });
    const last = await claimed(one.messages, 8 * minute);
    assert.deepEqual([last.id, last.attempts, last.since], [begun.id, 1, 0]);
    await one.messages.sent(last, 8 * minute);
    assert.equal((await claimed(one.messages, 23 * minute)).entries?.length, 1);
  });

  test('One of many processes gets each message, and each change is in one message', async ({ handles }) => {
    const people = 12;
    await atOnce(handles, 3 * people, ({ people: store }, index) => {
      const person = subject(`person-${index % people}@example.org`);
      return change(store, `p${index}`, index, { subject: person });
    });
    const taken = await atOnce(handles, 3 * people, ({ messages }) => claim(messages, 3 * minute));
    const all = taken.flatMap((each) => each ?? []);
    assert.equal(all.length, people);
    const told = all.flatMap((each) => references(each) ?? []);
    assert.deepEqual([told.length, new Set(told).size], [3 * people, 3 * people]);
    for (const { entries = [] } of all)
      assert.equal(new Set(entries.map(({ evidence }) => evidence?.asked.subject)).size, 1);
  });

  test('60 changes in ten minutes are one message, and one more a quarter of an hour later', async (used) => {
    const { people, messages } = used;
    const mails: (readonly [at: number, submissions: number, hasMore: boolean])[] = [];
    for (let index = 0; index <= 60; index += 1) {
      const at = index * 10_000;
      if (index < 60)
        await change(people, 'a', at, { intent: intentOf(index % 2 === 0 ? on('a') : off('a')) });
      const queued = await claim(messages, at);
      if (queued === undefined) continue;
      mails.push([at, queued.entries?.length ?? 0, queued.hasMore]);
      await messages.sent(queued, at);
    }
    const last = await claimed(messages, 17 * minute);
    await messages.sent(last, 17 * minute);
    assert.deepEqual(mails, [[2 * minute, 13, false]]);
    assert.deepEqual([last.entries?.length, last.hasMore], [20, true]);
    assert.equal(await claim(messages, day), undefined);
  });

  test('Only changes that the rule names are reported, and only to people with a mail address', async (used) => {
    const { people, messages } = used;
    const elsewhere = { center: 'another' };
    await change(people, 'a', 0, { ...elsewhere, channel: 'link' });
    const byStaff = await change(people, 'b', 1, { ...elsewhere, channel: 'staff' });
    await change(people, 'c', 2, { ...elsewhere, channel: 'link' });
    for (const id of ['+49 170 1234567', 'customer-17', 'a@example.org,b@example.org'] as SubjectId[])
      await change(people, 'a', 0, { subject: id, channel: 'staff' });
    const queued = await claimed(messages, 3 * minute);
    assert.deepEqual(references(queued), [byStaff.entry.reference]);
    assert.equal(await claim(messages, 3 * minute), undefined);
  });

  test('A message is written with its change, or not at all; the same form again makes no message', async (used) => {
    const { people, messages } = used;
    const request = aRequest({ intent: intentOf(off('a')), nonce: 'once' });
    const refused = people.record({ request, reference: 'x', now: 0 }, () => {
      throw new Error('it is not recorded');
    });
    await assert.rejects(refused);
    assert.deepEqual(await messages.counts(), [
      { state: 'waiting', count: 0 },
      { state: 'held', count: 0 },
    ]);
    await put(people, request, { now: 0 });
    await put(people, request, { now: 1 });
    await finish(people, 1_000);
    const queued = await claimed(messages, 2 * minute);
    assert.equal(queued.entries?.length, 1);
    await messages.sent(queued, 2 * minute);
    assert.equal((await put(people, request, { now: 3 * minute })).kind, 'known');
    assert.equal(await claim(messages, day), undefined);
  });

  test('A held message waits for the next change of the person; it is deleted after a month, and a sent one after a pause', async (used) => {
    const { people, messages, clock } = used;
    const now = clock.now();
    await change(people, 'a', now);
    const first = await claimed(messages, now + 2 * minute);
    await messages.postpone(first, { dueAt: now, problem: 'timeout', isHeld: true });
    assert.equal(await claim(messages, now + day), undefined);
    assert.deepEqual((await messages.counts())[1], { state: 'held', count: 1 });
    await change(people, 'b', now + day);
    const again = await claimed(messages, now + day + 2 * minute);
    assert.deepEqual([again.id, again.attempts, again.entries?.length], [first.id, 0, 1]);
    await messages.sent(again, now + day + 2 * minute);
    const next = await claimed(messages, now + day + 17 * minute);
    await messages.sent(next, now + day + 17 * minute);
    await change(people, 'a', now, { subject: ben });
    const held = await claimed(messages, now + 2 * minute);
    await messages.postpone(held, { dueAt: now, problem: 'timeout', isHeld: true });
    clock.at = now + day + 33 * minute;
    assert.equal(await messages.sweep(), 1);
    assert.equal(await messages.sweep(), 0);
    assert.deepEqual((await messages.counts())[1], { state: 'held', count: 1 });
    clock.at = now + 31 * day;
    assert.equal(await messages.sweep(), 1);
  });

  test('A message that was tried is due at once when the mail server answers again, and others keep their time', async (used) => {
    const { people, messages } = used;
    await change(people, 'a', 0);
    const tried = await claimed(messages, 2 * minute);
    await messages.postpone(tried, { dueAt: day, problem: 'timeout', isHeld: false });
    await change(people, 'a', 2 * minute, { subject: ben });
    await messages.makeDue('mail', { now: 3 * minute, spread: 1 });
    assert.equal((await claimed(messages, 3 * minute)).id, tried.id);
    assert.equal(await claim(messages, 3 * minute), undefined);
  });

  test('A change that no key opens is not reported', async ({ store: one, another }) => {
    await change(one.people, 'a', 0);
    const other = await another(['quite another secret of many bytes']);
    assert.equal((await claimed(other.messages, 2 * minute)).entries, undefined);
  });
}
