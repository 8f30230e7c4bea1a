import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { SubjectId } from '../../src/core/model/person/subject.ts';
import { Problem } from '../../src/core/model/problem.ts';
import { createPageReads, type Reader } from '../../src/visits/page-reads.ts';

const reader: Reader = { center: 'c', subject: 'anna@example.org' as SubjectId, scope: 'manage' };

function given(perMinute: number | undefined) {
  let now = 1_000_000;
  const reads = createPageReads(perMinute, () => now);
  /** The number of reads until one is refused. */
  const often = (more: Partial<Reader> = {}, use: 'page' | 'objection' = 'page') => {
    for (let times = 0; times < 10_000; times += 1) {
      try {
        reads.take(use, { ...reader, ...more });
      } catch (fault) {
        assert.ok(fault instanceof Problem && fault.code === 'too-many-requests');
        return { times, retryAfter: fault.retryAfter };
      }
    }
    return undefined;
  };
  return { reads, often, pass: (milliseconds: number) => (now += milliseconds) };
}

suite('The page reads of one person', () => {
  test('have a share of the quota in each minute, and never less than a few pages', () => {
    for (const [perMinute, times] of [
      [1_000, 34],
      [250, 12],
      [1, 12],
    ] as const) {
      const { often, pass } = given(perMinute);
      assert.deepEqual(often(), { times, retryAfter: 60 });
      pass(20_000);
      assert.deepEqual(often(), { times: 0, retryAfter: 40 });
      pass(40_000);
      assert.equal(often()?.times, times);
    }
    assert.equal(given(undefined).often(), undefined, 'without a quota the reads have no limit');
  });

  test('are counted by person, center and right, and objections apart from pages', () => {
    const { often } = given(1_000);
    assert.equal(often({ scope: 'withdraw' })?.times, 34);
    assert.equal(often()?.times, 34);
    assert.equal(often({}, 'objection')?.times, 34);
    assert.equal(often({ subject: 'ben@example.org' as SubjectId })?.times, 34);
    assert.equal(often({ center: 'd' })?.times, 34);
  });

  test('are not counted if nothing was read, and are forgotten after their minute', () => {
    const { reads, often, pass } = given(1_000);
    for (let times = 0; times < 100; times += 1) reads.take('page', reader)();
    assert.equal(often()?.times, 34);
    for (let person = 0; person < 30_000; person += 1)
      reads.take('page', { ...reader, subject: `${person}@example.org` as SubjectId });
    pass(60_000);
    assert.equal(often()?.times, 34);
  });
});
