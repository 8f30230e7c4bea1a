import assert from 'node:assert/strict';
import { suite } from 'node:test';
import type { SubjectId } from '../../../src/core/model/person/subject.ts';
import type { Visit } from '../../../src/core/model/person/visit.ts';
import type { SessionStore, StoredSession } from '../../../src/ports/session-store.ts';
import type { StoreParts } from '../../../src/store/sql.ts';
import { exchanged } from './exchanged.ts';
import {
  anna,
  atOnce,
  laterSecret,
  type MakeTestStore,
  minute,
  omar,
  secret,
  testsOf,
} from './test-store.ts';

/** The times with which the handles of this suite are opened. */
export const sessionTimes = {
  idleMs: 15 * minute,
  absoluteMs: 8 * 60 * minute,
  longestIssuedMs: 3_651 * 24 * 60 * minute,
} as const;
const { idleMs, absoluteMs, longestIssuedMs } = sessionTimes;

const cookie = { originalMaxAge: idleMs, path: '/' };

export function sessionsContract(make: MakeTestStore<SessionStore & Pick<StoreParts, 'sql'>>): void {
  const test = testsOf(make, ({ store: sessions, clock }) => {
    const visitOf = (subject: SubjectId, since = clock.now()): Visit => ({
      center: 'shop',
      subject,
      scope: 'manage',
      channel: 'link',
      since,
    });
    const withVisits = (...visits: Visit[]): StoredSession => ({ cookie, visits });
    return {
      sessions,
      visitOf,
      withVisits,
      save: (id: string, subject: SubjectId, since?: number) =>
        sessions.save(id, withVisits(visitOf(subject, since))),
      isThere: async (id: string) => (await sessions.find(id)) !== undefined,
    };
  });

  suite('The session store', () => {
    test('The store keeps a session as it was, and only under its id', async (used) => {
      const { sessions, beside, withVisits, visitOf } = used;
      const kept = { ...withVisits(visitOf(anna)), member: { id: 'kim', roles: ['viewer'] } };
      await sessions.save('one', kept);
      assert.deepEqual(await beside.find('one'), kept);
      assert.equal(await sessions.find('two'), undefined);
    });

    test('The store opens no session in the row of another', async ({ sql, save, isThere }) => {
      await save('one', anna);
      await save('two', omar);
      await exchanged(sql, 'session', 'id', 'payload');
      assert.deepEqual(await Promise.all(['one', 'two'].map(isThere)), [false, false]);
    });

    test('A session ends beside saves and touches, also before it was ever kept, and stays ended', async (used) => {
      const { sessions, beside, isThere } = used;
      for (const id of ['a', 'b', 'c', 'd']) {
        await Promise.all([sessions.save(id, { cookie }), beside.end(id), sessions.save(id, { cookie })]);
        assert.equal(await isThere(id), false);
        await atOnce([sessions, beside], 6, (one, index) =>
          index % 3 === 0 ? one.touch(id) : one.save(id, { cookie }),
        );
        assert.equal(await isThere(id), false);
      }
      await sessions.end('never');
      await sessions.save('never', { cookie });
      assert.equal(await isThere('never'), false);
    });

    test('An ended session stays ended after a sweep, a restart and a rotation', async (used) => {
      const { sessions, beside, clock, another, end } = used;
      await sessions.save('one', { cookie });
      await sessions.end('one');
      clock.at += absoluteMs;
      await sessions.sweep();
      await end(sessions, beside);
      const rotated = await another([laterSecret, secret]);
      await rotated.save('one', { cookie });
      assert.equal(await rotated.find('one'), undefined);
    });

    test('A session lives on over a rotation', async ({ sessions, clock, another }) => {
      await sessions.save('one', { cookie, of: 'old' });
      const rotated = await another([laterSecret, secret]);
      assert.equal((await rotated.find('one'))?.['of'], 'old');
      clock.at += 1;
      await rotated.save('one', { cookie, of: 'new' });
      assert.equal((await rotated.find('one'))?.['of'], 'new');
      await rotated.end('one');
      assert.equal(await rotated.find('one'), undefined);
    });

    test('A session ends after its idle time, and a write does not bring it back', async (used) => {
      const { sessions, clock, isThere } = used;
      await sessions.save('one', { cookie });
      clock.at += idleMs - 1;
      assert.ok(await isThere('one'));
      await sessions.touch('one');
      clock.at += idleMs - 1;
      assert.ok(await isThere('one'));
      clock.at += 1;
      assert.equal(await isThere('one'), false);
      await sessions.touch('one');
      await sessions.save('one', { cookie });
      assert.equal(await isThere('one'), false);
    });

    test('A session ends after its absolute time, even if used', async ({ sessions, clock, isThere }) => {
      await sessions.save('one', { cookie });
      for (let passed = 0; passed < absoluteMs - 600_000; passed += 600_000) {
        clock.at += 600_000;
        await sessions.save('one', { cookie });
      }
      assert.ok(await isThere('one'));
      clock.at += 600_000;
      assert.equal(await isThere('one'), false);
      await sessions.save('one', { cookie });
      assert.equal(await isThere('one'), false);
    });

    test('A touch writes only if fifteen seconds have passed since the last write', async (used) => {
      const { sessions, clock, isThere } = used;
      for (const id of ['soon', 'later']) await sessions.save(id, { cookie });
      clock.at += 14_999;
      await sessions.touch('soon');
      clock.at += 1;
      await sessions.touch('later');
      clock.at += idleMs - 15_000;
      assert.deepEqual(await Promise.all(['soon', 'later'].map(isThere)), [false, true]);
    });
  });

  suite('Sessions of one person', () => {
    test('Sessions of one person end together, and a save that was under way does not bring them back', async (used) => {
      const { sessions, beside, clock, save, isThere, withVisits, visitOf } = used;
      await save('phone', anna);
      await sessions.save('desk', withVisits(visitOf(omar), { ...visitOf(anna), center: 'bank' }));
      await save('other', omar);
      await beside.endAllOf(anna);
      assert.deepEqual(await Promise.all(['phone', 'desk', 'other'].map(isThere)), [false, false, true]);
      assert.equal(await sessions.signedOutAt(anna), clock.at);
      assert.equal(await sessions.signedOutAt(omar), undefined);
      await save('phone', anna);
      assert.equal(await isThere('phone'), false);
      clock.at += 1;
      await save('new', anna);
      assert.equal(await isThere('new'), true, 'signing in again is possible');
    });

    test('No session of a person stays who signs in and out everywhere at once, on two processes', async (used) => {
      const { sessions, beside, withVisits, visitOf } = used;
      await atOnce([sessions, beside], 12, (one, index) =>
        index === 5 ? one.endAllOf(anna) : one.save(`s${index}`, withVisits(visitOf(anna))),
      );
      for (let index = 0; index < 12; index += 1) {
        assert.deepEqual((await sessions.find(`s${index}`))?.visits ?? [], []);
      }
    });

    test('No session stays either if the first secrets of two processes differ, while these are rotated', async (used) => {
      const { clock, another, withVisits, visitOf } = used;
      const [sessions, beside] = [await another([secret, laterSecret]), await another([laterSecret, secret])];
      for (let round = 0; round < 20; round += 1) {
        clock.at += minute;
        const id = `s${round}`;
        await Promise.all([sessions.save(id, withVisits(visitOf(anna))), beside.endAllOf(anna)]);
        assert.deepEqual((await beside.find(id))?.visits ?? [], [], `round ${round}`);
      }
    });

    test('No session begins by a sign-in that was read before they ended, and other people in a session stay', async (used) => {
      const { sessions, clock, save, isThere } = used;
      const since = clock.at;
      clock.at += 5;
      await sessions.endAllOf(anna);
      clock.at += 5;
      await save('late', anna, since);
      assert.deepEqual((await sessions.find('late'))?.visits, []);
      await save('omar', omar, since);
      assert.equal(await isThere('omar'), true);
      clock.at -= 3_600_000;
      await save('set back', anna);
      const visits = (await sessions.find('set back'))?.visits;
      assert.equal(visits?.length, 1, 'a clock that was set back ends no visit');
    });

    test('Sessions stay ended after a restart, in another process, after a rotation, and after a clock was set back', async (used) => {
      const { sessions, beside, clock, another, end, save, isThere } = used;
      await save('phone', anna);
      await beside.endAllOf(anna);
      const at = clock.at;
      assert.equal(await isThere('phone'), false);
      assert.equal(await sessions.signedOutAt(anna), at);
      clock.at -= 60_000;
      await sessions.endAllOf(anna);
      assert.equal(await sessions.signedOutAt(anna), at, 'an earlier sign-out does not replace a later one');
      await end(sessions, beside);
      const rotated = await another([laterSecret, secret]);
      assert.equal(await rotated.signedOutAt(anna), at);
    });

    test('Sessions end if another one came after, or if one was swept and saved by a request that had read it', async (used) => {
      const { sessions, clock, save, isThere } = used;
      await save('a', anna);
      assert.ok(await isThere('a'));
      clock.at += idleMs;
      assert.equal(await sessions.sweep(), 1);
      for (const subject of [anna, omar]) await save('shared', subject);
      await save('a', anna);
      assert.ok(await isThere('a'));
      await sessions.endAllOf(anna);
      assert.equal(await isThere('a'), false);
      assert.equal(await isThere('shared'), false, 'one session too many ends rather than one too few');
    });

    test('Sessions are swept with all that was kept about them', async ({ sessions, clock, save }) => {
      await save('a', anna);
      assert.equal(await sessions.sweep(), 0);
      clock.at += idleMs;
      assert.equal(await sessions.sweep(), 1);
      await sessions.endAllOf(anna);
      assert.equal(await sessions.sweep(), 0);
      assert.equal(await sessions.signedOutAt(anna), clock.at);
      clock.at += longestIssuedMs - 1;
      await sessions.sweep();
      const at = clock.at - longestIssuedMs + 1;
      assert.equal(await sessions.signedOutAt(anna), at, 'an earlier link may still be valid');
      clock.at += 1;
      await sessions.sweep();
      assert.equal(await sessions.signedOutAt(anna), undefined);
    });
  });
}
