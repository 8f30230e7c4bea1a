import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byKey, has } from '../../../src/core/model/by-key.ts';

interface Item {
  readonly id: string;
  readonly at: number;
}

test('a list gives all items of a key in its own order, and none for an unknown key', () => {
  const under = byKey<Item>(({ id }) => id);
  const [a, b, again] = [
    { id: 'a', at: 1 },
    { id: 'b', at: 2 },
    { id: 'a', at: 3 },
  ];
  const list = [a, b, again];
  assert.deepEqual(under(list, 'a'), [a, again]);
  assert.deepEqual(under(list, 'b'), [b]);
  assert.deepEqual(under(list, '__proto__'), []);
  assert.deepEqual(under([], 'a'), []);
});

test('the keys of a list are read only once, but those of another list again', () => {
  let read = 0;
  const under = byKey<Item>(({ id }) => {
    read += 1;
    return id;
  });
  const list = Array.from({ length: 1_000 }, (_, at) => ({ id: String(at), at }));
  for (const { id, at } of list) assert.equal(under(list, id)[0]?.at, at);
  assert.equal(read, 1_000);
  assert.equal(under([...list, { id: 'new', at: -1 }], 'new')[0]?.at, -1);
  assert.equal(read, 2_001);
});

test('a list has the values that it includes', () => {
  const list = ['a', 'b'];
  assert.equal(has(list, 'a'), true);
  assert.equal(has(list, 'c'), false);
  assert.equal(has([...list, 'c'], 'c'), true);
});
