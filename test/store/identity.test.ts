import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, suite, test } from 'node:test';
import type { SessionData } from 'express-session';
import { readSubjectId, type SubjectId } from '../../src/core/model/subject.ts';
import { createSeal } from '../../src/store/seal.ts';
import { openPasscodes } from '../../src/store/sqlite/passcodes.ts';
import { openRateCounters } from '../../src/store/sqlite/rate-counters.ts';
import { openReplayGuard } from '../../src/store/sqlite/replay-guard.ts';
import { SessionStore } from '../../src/store/sqlite/sessions.ts';

const minute = 60_000;
const center = 'b00c5000-0000-4000-8000-000000000001';
const secrets = ['a secret of at least thirty-two bytes', 'another secret of at least thirty-two'];

let home: string;
before(() => {
  home = mkdtempSync(join(tmpdir(), 'sayso-identity-'));
});
after(() => {
  rmSync(home, { recursive: true, force: true });
});

function subject(text: string): SubjectId {
  const id = readSubjectId(text);
  assert.ok(id);
  return id;
}

const anna = subject('anna@example.org');

function aClock() {
  const clock = { at: 1_700_000_000_000, now: () => clock.at };
  return clock;
}

suite('Passcodes', () => {
  function openFixture(file = ':memory:', keys = secrets.slice(0, 1)) {
    const clock = aClock();
    const passcodes = openPasscodes({ file, seal: createSeal(keys), clock });
    const open = (id: string, code = '123456') =>
      passcodes.open({
        id,
        center,
        subject: anna,
        link: `link-${id}`,
        code,
        endsAt: clock.now() + 10 * minute,
        isShared: false,
      });
    return { passcodes, clock, open };
  }

  test('let in the person they were sent to, once.', () => {
    const { passcodes, open } = openFixture();
    open('a');
    assert.deepEqual(passcodes.tryCode('a', center, '123456'), { kind: 'right', subject: anna });
    assert.deepEqual(passcodes.tryCode('a', center, '123456'), { kind: 'over' });
    assert.deepEqual(passcodes.takeLink('link-a', center), { kind: 'over', subject: anna });
  });

  test('count five tries, and refuse the sixth whatever it is.', () => {
    const { passcodes, open } = openFixture();
    open('a');
    const tries = ['000000', '000001', '000002', '000003', '000004', '123456'].map((code) =>
      passcodes.tryCode('a', center, code),
    );
    assert.deepEqual(
      tries.map((answer) => (answer.kind === 'wrong' ? answer.left : answer.kind)),
      [4, 3, 2, 1, 'over', 'over'],
    );
    assert.equal(passcodes.findLink('link-a', center).kind, 'right', 'guessing takes nobody’s link away');
  });

  test('may be right at the fifth try.', () => {
    const { passcodes, open } = openFixture();
    open('a');
    for (const code of ['1', '2', '3', '4']) passcodes.tryCode('a', center, code);
    assert.equal(passcodes.tryCode('a', center, '123456').kind, 'right');
  });

  test('are over after ten minutes to the millisecond, links too.', () => {
    const { passcodes, clock, open } = openFixture();
    open('a');
    open('b');
    clock.at += 10 * minute - 1;
    assert.equal(passcodes.tryCode('a', center, '123456').kind, 'right');
    clock.at += 1;
    assert.equal(passcodes.tryCode('b', center, '123456').kind, 'over');
    assert.deepEqual(passcodes.takeLink('link-b', center), { kind: 'over', subject: anna });
  });

  test('are of one center, and of one message.', () => {
    const { passcodes, open } = openFixture();
    open('a', '111111');
    open('b', '222222');
    assert.equal(passcodes.tryCode('a', center, '222222').kind, 'wrong');
    assert.equal(passcodes.tryCode('a', 'another', '111111').kind, 'over');
    assert.equal(passcodes.tryCode('never', center, '111111').kind, 'over');
    assert.equal(passcodes.takeLink('link-a', 'another').kind, 'unknown');
    assert.equal(passcodes.takeLink('link-never', center).kind, 'unknown');
  });

  test('are looked at without being used up.', () => {
    const { passcodes, open } = openFixture();
    open('a');
    for (let look = 0; look < 3; look += 1) {
      assert.deepEqual(passcodes.findLink('link-a', center), { kind: 'right', subject: anna });
    }
    assert.equal(passcodes.takeLink('link-a', center).kind, 'right');
    assert.equal(passcodes.takeLink('link-a', center).kind, 'over');
  });

  test('lie on the disk without code, link or person, and are good across a rotation of keys.', () => {
    const file = join(home, 'passcodes.sqlite');
    const old = openFixture(file, [secrets[1] ?? '']);
    old.open('id-on-disk', '987654');
    old.passcodes.close();
    const disk = ['', '-wal']
      .map((end) => {
        try {
          return readFileSync(`${file}${end}`, 'latin1');
        } catch {
          return '';
        }
      })
      .join('');
    assert.ok(disk.includes('id-on-disk'), 'the file was read');
    for (const secret of ['987654', 'link-id-on-disk', anna]) assert.ok(!disk.includes(secret));
    const rotated = openFixture(file, secrets);
    assert.equal(rotated.passcodes.findLink('link-id-on-disk', center).kind, 'right');
    assert.deepEqual(rotated.passcodes.tryCode('id-on-disk', center, '987654'), {
      kind: 'right',
      subject: anna,
    });
    rotated.passcodes.close();
  });

  test('end with all that were sent to the person; a link says so, a passcode is only wrong.', () => {
    const { passcodes, open } = openFixture();
    open('a');
    open('b');
    passcodes.open({
      id: 'other',
      center,
      subject: subject('omar@example.org'),
      link: 'link-other',
      code: '123456',
      endsAt: 1_700_000_600_000,
      isShared: false,
    });
    passcodes.endOf(anna);
    assert.deepEqual(passcodes.findLink('link-a', center), { kind: 'over', subject: anna });
    assert.deepEqual(passcodes.takeLink('link-a', center), { kind: 'over', subject: anna });
    assert.deepEqual(passcodes.tryCode('b', center, '000000'), { kind: 'wrong', left: 4 });
    assert.deepEqual(passcodes.tryCode('b', center, '123456'), { kind: 'wrong', left: 3 });
    assert.equal(passcodes.tryCode('other', center, '123456').kind, 'right');
    open('c');
    assert.equal(passcodes.tryCode('c', center, '123456').kind, 'right', 'one that was sent later is good');
  });

  test('end with those that an earlier version sent, which do not say to whom.', () => {
    const file = join(home, 'earlier-passcodes.sqlite');
    const { passcodes, open } = openFixture(file);
    open('early');
    const database = new DatabaseSync(file);
    database.exec('UPDATE passcode SET person = NULL');
    database.close();
    passcodes.endOf(anna);
    assert.equal(passcodes.findLink('link-early', center).kind, 'over');
    passcodes.close();
  });

  test('are forgotten a week after their end.', () => {
    const { passcodes, clock, open } = openFixture();
    open('a');
    clock.at += 7 * 24 * 60 * minute;
    assert.equal(passcodes.sweep(), 0);
    clock.at += 11 * minute;
    assert.equal(passcodes.sweep(), 1);
    assert.equal(passcodes.findLink('link-a', center).kind, 'unknown');
  });
});

suite('What may be used once', () => {
  test('is used once, for each use by itself, also after keys were rotated.', () => {
    const file = join(home, 'spent.sqlite');
    const clock = aClock();
    const first = openReplayGuard({ file, hash: createSeal([secrets[1] ?? '']), clock });
    assert.equal(first.isUsed('ticket', 'one'), false);
    assert.equal(first.spend('ticket', 'one', clock.now() + minute), true);
    assert.equal(first.spend('ticket', 'one', clock.now() + minute), false);
    assert.equal(first.isUsed('ticket', 'one'), true);
    assert.equal(first.isUsed('state', 'one'), false);
    assert.equal(first.spend('state', 'one', clock.now() + minute), true);
    first.close();
    const rotated = openReplayGuard({ file, hash: createSeal(secrets), clock });
    assert.equal(rotated.spend('ticket', 'one', clock.now() + minute), false);
    assert.equal(rotated.isUsed('ticket', 'one'), true);
    assert.equal(rotated.spend('ticket', 'two', clock.now() + minute), true);
    assert.equal(rotated.sweep(), 0);
    clock.at += minute + 1;
    assert.equal(rotated.sweep(), 3);
    rotated.close();
  });
});

suite('What may be done so many times', () => {
  const three = { most: 3, within: 10 * minute };

  test('is done so often in its while and then not, for each use and key by itself.', () => {
    const clock = aClock();
    const rateCounters = openRateCounters({ file: ':memory:', hash: createSeal(secrets), clock });
    const took = () => rateCounters.count('tries', 'one', three);
    assert.deepEqual([took(), took(), took()], [0, 0, 0]);
    clock.at += 4 * minute;
    assert.equal(took(), 6 * minute);
    assert.equal(rateCounters.count('tries', 'other', three), 0);
    assert.equal(rateCounters.count('messages', 'one', three), 0);
    clock.at += 6 * minute - 1;
    assert.equal(took(), 1);
    clock.at += 1;
    assert.deepEqual([took(), took(), took(), took()], [0, 0, 0, 10 * minute]);
    clock.at += 10 * minute;
    assert.equal(rateCounters.sweep(), 3);
    rateCounters.close();
  });

  test('goes on after a restart and on another process, and names nobody on the disk.', () => {
    const file = join(home, 'tallies.sqlite');
    const clock = aClock();
    const open = () => openRateCounters({ file, hash: createSeal(secrets), clock });
    const [first, beside] = [open(), open()];
    first.count('tries', anna, three);
    beside.count('tries', anna, three);
    first.close();
    beside.close();
    const again = open();
    assert.equal(again.count('tries', anna, three), 0);
    assert.ok(again.count('tries', anna, three) > 0);
    again.close();
    assert.ok(!readFileSync(file, 'latin1').includes(anna));
  });

  test('does not last longer because a clock was set back.', () => {
    const clock = aClock();
    const rateCounters = openRateCounters({ file: ':memory:', hash: createSeal(secrets), clock });
    for (let count = 0; count < 4; count += 1) rateCounters.count('tries', 'one', three);
    clock.at -= 24 * 60 * minute;
    assert.equal(rateCounters.count('tries', 'one', three), 0);
    rateCounters.close();
  });
});

suite('Sessions of one person', () => {
  const day = 24 * 60 * minute;

  function store({ file = ':memory:', keys = secrets.slice(0, 1), clock = aClock() } = {}) {
    const sessions = new SessionStore({
      file,
      seal: createSeal(keys),
      clock,
      idle: 30 * minute,
      absolute: 720 * minute,
      longestIssued: 3_651 * day,
    });
    const save = (id: string, who: SubjectId, since = clock.now()) => {
      const visit = {
        center: 'shop',
        subject: who,
        scope: 'manage',
        channel: 'link',
        since,
      } as const;
      const data: Pick<SessionData, 'visits' | 'cookie'> = {
        cookie: { originalMaxAge: 30 * minute },
        visits: [visit],
      };
      sessions.set(id, data as SessionData);
    };
    const isThere = (id: string): boolean => {
      let found: unknown;
      sessions.get(id, (_fault, session) => {
        found = session;
      });
      return found !== null && found !== undefined;
    };
    return { sessions, clock, save, isThere };
  }

  test('end together, and do not come back by a save that was under way.', () => {
    const { sessions, clock, save, isThere } = store();
    save('phone', anna);
    save('desk', anna);
    save('other', subject('omar@example.org'));
    sessions.destroyOf(anna);
    assert.deepEqual(['phone', 'desk', 'other'].map(isThere), [false, false, true]);
    assert.equal(sessions.leftAt(anna), clock.at);
    assert.equal(sessions.leftAt(subject('omar@example.org')), undefined);
    save('phone', anna);
    assert.equal(isThere('phone'), false);
    clock.at += 1;
    save('new', anna);
    assert.equal(isThere('new'), true, 'signing in again is possible');
  });

  test('do not begin by a way in that was looked at before they ended, and leave others in the session alone.', () => {
    const { sessions, clock, save, isThere } = store();
    const since = clock.at;
    clock.at += 5;
    sessions.destroyOf(anna);
    clock.at += 5;
    save('late', anna, since);
    sessions.get('late', (_fault, session) => assert.deepEqual(session?.visits, []));
    save('omar', subject('omar@example.org'), since);
    assert.equal(isThere('omar'), true);
    clock.at -= 3_600_000;
    save('set back', anna);
    sessions.get('set back', (_fault, session) => {
      assert.equal(session?.visits.length, 1, 'a clock that was set back shuts nobody out');
    });
  });

  test('stay ended after a restart, in another process, after a rotation of keys, and for whoever set a clock back.', () => {
    const file = join(home, 'everywhere.sqlite');
    const clock = aClock();
    const [here, beside] = [store({ file, clock }), store({ file, clock })];
    here.save('phone', anna);
    beside.sessions.destroyOf(anna);
    const at = clock.at;
    assert.equal(here.isThere('phone'), false);
    assert.equal(here.sessions.leftAt(anna), at);
    clock.at -= 60_000;
    here.sessions.destroyOf(anna);
    assert.equal(here.sessions.leftAt(anna), at, 'an earlier end takes nothing back');
    here.sessions.close();
    beside.sessions.close();
    const rotated = store({ file, clock, keys: [secrets[1] ?? '', secrets[0] ?? ''] });
    assert.equal(rotated.sessions.leftAt(anna), at);
    rotated.sessions.close();
    assert.ok(!readFileSync(file, 'latin1').includes(anna));
  });

  test('end for a person who was there before somebody else in the same session.', () => {
    const { sessions, save, isThere } = store();
    save('shared', anna);
    save('shared', subject('omar@example.org'));
    sessions.destroyOf(anna);
    assert.equal(isThere('shared'), false, 'rather one too many than one too few');
  });

  test('live on by a sign of life, written every 15 seconds at most.', () => {
    const { sessions, clock, save, isThere } = store();
    save('a', anna);
    const empty = {} as SessionData;
    clock.at += 29 * minute;
    sessions.touch('a', empty);
    clock.at += 29 * minute;
    assert.equal(isThere('a'), true);
    clock.at += 2 * minute;
    assert.equal(isThere('a'), false);
  });

  test('are swept with what was kept about them.', () => {
    const { sessions, clock, save } = store();
    save('a', anna);
    clock.at += 31 * minute;
    assert.equal(sessions.sweep(), 1);
    sessions.destroyOf(anna);
    assert.equal(sessions.sweep(), 0);
    assert.equal(sessions.leftAt(anna), clock.at);
    clock.at += 3_651 * day - 1;
    sessions.sweep();
    assert.equal(sessions.leftAt(anna), clock.at - 3_651 * day + 1, 'a link of before may still live');
    clock.at += 1;
    sessions.sweep();
    assert.equal(sessions.leftAt(anna), undefined);
  });
});
