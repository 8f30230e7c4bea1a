import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canaries, findCanaries } from './canaries.ts';

const { person } = canaries;

const leaks: readonly (readonly [how: string, text: string])[] = [
  ['plain', `{"msg":"hello ${person}"}`],
  ['in capitals', person.toUpperCase()],
  ['URL-encoded', `GET /centers/a?who=${encodeURIComponent(person)}`],
  ['URL-encoded with lower-case hex', encodeURIComponent(person).toLowerCase()],
  ['base64 alone', Buffer.from(person).toString('base64')],
  ['base64 of a JSON text, shifted by none', Buffer.from(`abc${person}"}`).toString('base64')],
  ['base64 of a JSON text, shifted by one', Buffer.from(`a${person}"}`).toString('base64')],
  ['base64url of a JSON text, shifted by two', Buffer.from(`{"${person}"}`).toString('base64url')],
];

for (const [how, text] of leaks) {
  test(`a canary is found: ${how}`, () => {
    assert.deepEqual(findCanaries(text), ['person']);
  });
}

test('every canary is found by its own name', () => {
  for (const [name, value] of Object.entries(canaries))
    assert.deepEqual(findCanaries(`x ${value} y`), [name]);
});

test('no canary is found in a text without one', () => {
  assert.deepEqual(findCanaries('{"level":30,"who":"c•••@example.org"}'), []);
});
