import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { SubjectId } from '../../src/core/model/person/subject.ts';
import { createRecentRecords, type RecentRecord } from '../../src/visits/recent-records.ts';
import { record } from '../core/center-builder.ts';

const anna = 'anna@example.org' as SubjectId;
const ben = 'ben@example.org' as SubjectId;

function given() {
  let now = 1_000_000;
  const recent = createRecentRecords({ clock: { now: () => now } });
  const read = (id: SubjectId, size = 1): RecentRecord => ({
    at: now,
    reference: 'a reference',
    subject: {
      id,
      language: undefined,
      purposes: Array.from({ length: size }, (_, index) => record(`p${index}`, 'active')),
      dataElements: {},
    },
  });
  const isFound = (session: string, center: string, subject: SubjectId) =>
    recent.find(session, center, subject) !== undefined;
  return { recent, read, isFound, at: (later: number) => (now += later) };
}

suite('A record that was read back', () => {
  test('is found by its session, center and person alone', () => {
    const { recent, read, isFound } = given();
    recent.keep('s', 'c', read(anna));
    assert.ok(isFound('s', 'c', anna));
    assert.ok(!isFound('s', 'c', ben));
    assert.ok(!isFound('other', 'c', anna));
    assert.ok(!isFound('s', 'other', anna));
  });

  test('is found for ten seconds after it was read, and not after the clock was set back', () => {
    const { recent, read, isFound, at } = given();
    recent.keep('s', 'c', read(anna));
    at(10_000);
    assert.ok(isFound('s', 'c', anna));
    at(1);
    assert.ok(!isFound('s', 'c', anna));
    at(-10_002);
    assert.ok(!isFound('s', 'c', anna));
  });

  test('is dropped for later ones, and is not kept when it is huge', () => {
    const { recent, read, isFound } = given();
    recent.keep('first', 'c', read(anna, 20_000));
    recent.keep('second', 'c', read(anna, 20_000));
    recent.keep('second', 'c', read(anna, 20_000));
    assert.ok(isFound('first', 'c', anna), 'a replaced record is not counted twice');
    recent.keep('third', 'c', read(anna, 20_000));
    assert.deepEqual(
      ['first', 'second', 'third'].map((session) => isFound(session, 'c', anna)),
      [false, true, true],
    );
    recent.keep('second', 'c', read(anna, 60_000));
    assert.ok(!isFound('second', 'c', anna));
    assert.ok(isFound('third', 'c', anna));
  });
});
