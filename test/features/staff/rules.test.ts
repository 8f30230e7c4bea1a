import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readRoles } from '../../../src/core/model/staff/staff-member.ts';
import { readDeadline, typedDeadline } from '../../../src/core/model/staff/task-deadline.ts';
import { readPlatformMoment, writtenPlatform, writtenWait } from '../../../src/core/model/utc-time.ts';
import { pagerOf, queries, spanOf } from '../../../src/features/staff/list.ts';
import { longestReason, readWithdrawal } from '../../../src/features/staff/withdraw.ts';
import { off } from '../../core/changes.ts';
import { guid } from './fixture.ts';

describe('A deadline', () => {
  const sent: readonly (readonly [date: string, time: string, zone: string, text: string | undefined])[] = [
    ['2027-07-01', '12:00', 'UTC', '2027-07-01T12:00:00Z'],
    ['2027-07-01', '12:00', 'Europe/Berlin', '2027-07-01T10:00:00Z'],
    ['2027-01-01', '12:00', 'Europe/Berlin', '2027-01-01T11:00:00Z'],
    ['2027-01-01', '00:30', 'Asia/Tokyo', '2026-12-31T15:30:00Z'],
    ['2027-07-01', '12:00:05', 'none', '2027-07-01T12:00:05'],
    // The clocks skip 2:30 on the first of these days and show it twice on the second; the first time counts.
    ['2027-03-28', '02:30', 'Europe/Berlin', undefined],
    ['2027-10-31', '02:30', 'Europe/Berlin', '2027-10-31T00:30:00Z'],
  ];
  for (const [date, time, zone, text] of sent) {
    test(`the deadline ${date} ${time} in ${zone} is ${text ?? 'a mistake'}`, () => {
      const mistakes: string[] = [];
      const read = readDeadline({ date, time, zone }, (field) => void mistakes.push(field));
      assert.equal(read, text);
      assert.equal(mistakes.length, text === undefined ? 1 : 0);
    });
  }
  test('a deadline without a zone stays without one', () => {
    const typed = { date: '2027-07-01', time: '12:00:00', zone: 'none' };
    assert.deepEqual(typedDeadline('2027-07-01T12:00:00.000'), typed);
    assert.equal(writtenPlatform('2027-07-01T12:00:00.000'), '1 Jul 2027, 12:00:00 (no zone given)');
    assert.equal(readPlatformMoment('2027-02-30T12:00:00Z'), undefined);
  });
});

describe('Withdrawing on behalf of a person', () => {
  const [a, b] = [guid(1), guid(2)];
  const reason = 'Asked by telephone';
  test('a withdrawal is of everything, or of each chosen purpose once', () => {
    const all = readWithdrawal({ what: 'everything', purposes: [], reason });
    assert.equal(all.kind === 'intent' && all.intent.everything, 'withdraw');
    const some = readWithdrawal({ what: 'chosen', purposes: [b, 'x', a, b], reason });
    assert.deepEqual(some.kind === 'intent' && some.intent.purposes, [b, a].map(off));
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
    test(`"${what}" for ${purposes.length} purposes with a reason of ${given.length} characters is wrong in ${fields.join(' and ')}`, () => {
      const read = readWithdrawal({ what, purposes, reason: given });
      const mistakes = read.kind === 'mistakes' && read.mistakes.map(({ field }) => field);
      assert.deepEqual(mistakes, fields);
    });
  }
  test('a withdrawal takes a reason of the greatest length', () => {
    const longest = 'x'.repeat(longestReason);
    assert.equal(readWithdrawal({ what: 'everything', purposes: [], reason: longest }).kind, 'intent');
  });
});

describe('Roles', () => {
  test('roles are read from lists and from words, and unknown ones are dropped', () => {
    assert.deepEqual(readRoles(['Auditor', 'root', 'viewer', 7]), ['viewer', 'auditor']);
    assert.deepEqual(readRoles('editor, root'), ['editor']);
    for (const none of [undefined, '', {}, 1, ['admin']]) assert.deepEqual(readRoles(none), []);
  });
});

describe('Pages of a list', () => {
  test('a page of a list says its number, and leads to the first, the last and those beside it', () => {
    const links = (page: number) => {
      const paging = { page, size: 2, totalElements: 5, totalPages: 3, last: page === 2 };
      const pager = pagerOf({ what: 'notices', filter: {}, paging }, (asked) => `?page=${asked.page}`);
      const shown = [pager?.first, pager?.previous, pager?.next, pager?.last];
      return [pager?.text, ...shown.map((link) => link && `${link.label} ${link.href}`)];
    };
    assert.deepEqual([0, 1, 2].map(links), [
      ['Page 1 of 3, 5 notices in all.', undefined, undefined, 'Next ?page=1', 'Last ?page=2'],
      ['Page 2 of 3, 5 notices in all.', undefined, 'Previous ?page=0', 'Next ?page=2', undefined],
      ['Page 3 of 3, 5 notices in all.', 'First ?page=0', 'Previous ?page=1', undefined, undefined],
    ]);
  });
  test('a page of a list has fifty items at most, and a list fifty pages', () => {
    const read = (size: string, page: string) => Object.values(queries.notices.parse({ size, page }));
    const pages = [read('', ''), read('51', '1'), read('0', '50'), read('many', '-3')];
    assert.equal(pages.join(' '), '0,20 1,50 49,1 0,20');
  });
  test('a list of a thousand things leads to its last page, and no further than the platform goes', () => {
    const paging = { size: 10, totalElements: 1_000, last: false, totalPages: 100 };
    const pager = (at: typeof paging & { page: number }) =>
      pagerOf({ what: 'notices', filter: {}, paging: at }, ({ page }) => `?page=${page}`);
    assert.equal(pager({ ...paging, page: 48 })?.next?.href, '?page=49');
    assert.equal(pager({ ...paging, page: 49 })?.next, undefined);
    assert.match(pager({ ...paging, page: 49 })?.text ?? '', /no more than 50 pages/);
    const whole = { size: 20, totalElements: 1_000, last: true, totalPages: 50, page: 49 };
    assert.equal(pager(whole)?.next, undefined);
    assert.equal(pager(whole)?.previous?.href, '?page=48');
  });
  test('a filter of days covers whole days, both included', () => {
    const day = 86_400_000;
    assert.deepEqual(spanOf({ from: '1970-01-02', to: '1970-01-02' }), { from: day, to: 2 * day });
    assert.equal(queries.reasons.parse({ from: '1970-02-30', to: ['1970-01-02'] }).from, '');
  });
  test('a written wait is never too short', () => {
    const waits = [1, 2, 119.2, 3_600, 3_601].map(writtenWait);
    assert.equal(waits.join(', '), '1 second, 2 seconds, 2 minutes, 60 minutes, 61 minutes');
  });
});
