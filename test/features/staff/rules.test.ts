import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mayDo, readRoles } from '../../../src/core/model/staff/staff-member.ts';
import { readDeadline, typedDeadline } from '../../../src/core/model/staff/task-deadline.ts';
import { readPlatformMoment, writtenPlatform, writtenWait } from '../../../src/core/model/utc-time.ts';
import { pagerOf } from '../../../src/features/staff/list.ts';
import { readQuestion } from '../../../src/features/staff/notice-question.ts';
import { queries, spanOf } from '../../../src/features/staff/queries.ts';
import { longestReason, readWithdrawal } from '../../../src/features/staff/withdraw.ts';

describe('Which version was active', () => {
  const asked: readonly (readonly [date: string, time: string, count: string, ask: string])[] = [
    ['2026-03-31', '', 'before', '2026-03-31'],
    ['2026-03-31', '', 'through', '2026-04-01'],
    ['2026-12-31', '', 'through', '2027-01-01'],
    ['2028-02-28', '', 'through', '2028-02-29'],
    ['2026-03-31', '17:30', 'before', '2026-03-31T17:30:00'],
    ['2026-03-31', '17:30:15', 'through', '2026-03-31T17:30:16'],
    ['2026-03-31', '00:00', 'before', '2026-03-31T00:00:00'],
    ['2026-03-31', '23:59:59', 'through', '2026-04-01T00:00:00'],
  ];
  for (const [date, time, count, ask] of asked) {
    test(`${count} ${date} ${time || 'as a day'} asks for ${ask}`, () => {
      const read = readQuestion(queries.versions.parse({ date, time, count }));
      assert.equal(read.kind === 'question' && read.ask, ask);
    });
  }
  for (const [date, time, field] of [
    ['2026-02-29', '', 'date'],
    ['31.3.2026', '', 'date'],
    ['', '10:00', 'date'],
    ['2026-03-31', '24:00', 'time'],
  ] as const) {
    test(`finds the mistake in "${date} ${time}"`, () => {
      const read = readQuestion({ date, time, count: 'through' });
      assert.equal(read.kind === 'mistake' && read.field, field);
    });
  }
  test('is no question without a day', () => {
    assert.equal(readQuestion(queries.versions.parse({})).kind, 'none');
  });
});

describe('A deadline', () => {
  const sent: readonly (readonly [date: string, time: string, zone: string, text: string | undefined])[] = [
    ['2027-07-01', '12:00', 'UTC', '2027-07-01T12:00:00Z'],
    ['2027-07-01', '12:00', 'Europe/Berlin', '2027-07-01T10:00:00Z'],
    ['2027-01-01', '12:00', 'Europe/Berlin', '2027-01-01T11:00:00Z'],
    ['2027-01-01', '00:30', 'Asia/Tokyo', '2026-12-31T15:30:00Z'],
    ['2027-07-01', '12:00:05', 'none', '2027-07-01T12:00:05'],
    // The clocks go from 2 to 3 there, and show 2:30 twice here: the first time counts.
    ['2027-03-28', '02:30', 'Europe/Berlin', undefined],
    ['2027-10-31', '02:30', 'Europe/Berlin', '2027-10-31T00:30:00Z'],
    ['2027-07-01', '12:00', 'Mars/Olympus', undefined],
    ['2027-02-29', '12:00', 'UTC', undefined],
    ['2027-07-01', '', 'UTC', undefined],
  ];
  for (const [date, time, zone, text] of sent) {
    test(`${date} ${time} in ${zone} is ${text ?? 'a mistake'}`, () => {
      const read = readDeadline({ date, time, zone });
      assert.equal(read.kind === 'deadline' ? read.text : undefined, text);
      if (text === undefined) assert.equal(read.kind, 'mistake');
    });
  }
  test('without a zone stays without one', () => {
    assert.deepEqual(typedDeadline('2027-07-01T12:00:00.000'), {
      date: '2027-07-01',
      time: '12:00:00',
      zone: 'none',
    });
    assert.equal(writtenPlatform('2027-07-01T12:00:00.000'), '1 Jul 2027, 12:00:00 (no zone given)');
    assert.equal(readPlatformMoment('2027-02-30T12:00:00Z'), undefined);
  });
});

describe('Withdrawing on behalf of a person', () => {
  const allowed = ['a', 'b'];
  const reason = 'Asked by telephone';
  test('withdraws everything, or of what is chosen only what is on', () => {
    const all = readWithdrawal({ what: 'everything', purposes: [], reason }, allowed);
    assert.equal(all.kind === 'intent' && all.intent.everything, 'withdraw');
    const some = readWithdrawal({ what: 'chosen', purposes: ['b', 'x', 'b'], reason }, allowed);
    assert.deepEqual(some.kind === 'intent' && some.intent.purposes, [{ kind: 'off', purpose: 'b' }]);
  });
  const mistaken: readonly (readonly [string, readonly string[], string, readonly string[]])[] = [
    ['', [], reason, ['what']],
    ['chosen', ['x'], reason, ['what']],
    ['everything', [], '  ', ['reason']],
    ['everything', [], ' \u200b\u00ad\u2060 ', ['reason']],
    ['everything', [], 'x'.repeat(longestReason + 1), ['reason']],
    ['', [], '', ['what', 'reason']],
  ];
  for (const [what, purposes, given, fields] of mistaken) {
    test(`"${what}" for ${purposes.length} with ${given.length} characters is wrong in ${fields.join(' and ')}`, () => {
      const read = readWithdrawal({ what, purposes, reason: given }, allowed);
      assert.ok(read.kind === 'mistakes');
      assert.deepEqual(
        read.mistakes.map((mistake) => mistake.field),
        fields,
      );
    });
  }
  test('takes a reason of the greatest length', () => {
    const longest = 'x'.repeat(longestReason);
    assert.equal(readWithdrawal({ what: 'everything', purposes: [], reason: longest }, []).kind, 'intent');
  });
});

describe('Roles', () => {
  test('are read from lists and from words, and unknown ones are dropped', () => {
    assert.deepEqual(readRoles(['Auditor', 'root', 'viewer', 7]), ['viewer', 'auditor']);
    assert.deepEqual(readRoles('editor, root'), ['editor']);
    for (const none of [undefined, '', {}, 1, ['admin']]) assert.deepEqual(readRoles(none), []);
  });
  test('let editors and auditors read, nobody but editors write, nobody but auditors audit', () => {
    assert.ok(mayDo({ roles: ['editor'] }, 'viewer') && mayDo({ roles: ['auditor'] }, 'viewer'));
    assert.ok(
      !mayDo({ roles: ['viewer', 'auditor'] }, 'editor') &&
        !mayDo({ roles: ['viewer', 'editor'] }, 'auditor'),
    );
    assert.ok(!mayDo({ roles: [] }, 'viewer'));
  });
});

describe('Pages of a list', () => {
  for (const [page, size, read] of [
    ['0', '50', { page: 0, size: 50 }],
    ['3', '51', { page: 3, size: 50 }],
    ['50', '0', { page: 49, size: 1 }],
    ['-1', 'many', { page: 0, size: 20 }],
  ] as const) {
    test(`page=${page}&size=${size} is page ${read.page} of ${read.size}`, () => {
      assert.deepEqual(queries.notices.parse({ page, size }), read);
    });
  }
  test('of a thousand things lead to the last one, and no further than the platform goes', () => {
    const paging = { size: 10, totalElements: 1_000, first: false, last: false, totalPages: 100 };
    const pager = (at: typeof paging & { page: number }) =>
      pagerOf({ what: 'notices', filter: {}, paging: at }, ({ page }) => `?page=${page}`);
    assert.equal(pager({ ...paging, page: 48 })?.next?.href, '?page=49');
    assert.equal(pager({ ...paging, page: 49 })?.next, undefined);
    assert.match(pager({ ...paging, page: 49 })?.text ?? '', /no more than 50 pages/);
    const whole = { size: 20, totalElements: 1_000, first: false, last: true, totalPages: 50, page: 49 };
    assert.equal(pager(whole)?.next, undefined);
    assert.equal(pager(whole)?.previous?.href, '?page=48');
  });
  test('cover whole days, both included', () => {
    const day = 86_400_000;
    assert.deepEqual(spanOf({ from: '1970-01-02', to: '1970-01-02' }), { from: day, to: 2 * day });
    assert.equal(queries.reasons.parse({ from: '1970-02-30', to: ['1970-01-02'] }).from, '');
  });
  test('say how long to wait, never too short', () => {
    assert.deepEqual([1, 2, 119.2, 3_600, 3_601].map(writtenWait), [
      '1 second',
      '2 seconds',
      '2 minutes',
      '60 minutes',
      '61 minutes',
    ]);
  });
});
