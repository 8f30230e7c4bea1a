import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { oncePerTurn } from '../../../src/store/postgres/turns.ts';

/** Writes that end when they are told to. */
function given({ breaks = () => false }: { breaks?: (text: string) => boolean } = {}) {
  const written: string[] = [];
  const gate = Promise.withResolvers<void>();
  const fault = (text: string) => {
    if (breaks(text)) throw new Error(`no ${text}`);
    return text.toUpperCase();
  };
  const inTurn = oncePerTurn<string, string>({
    orderOf: (text) => text.slice(0, 1),
    mayJoin: (text) => !text.startsWith('-'),
    async together(group) {
      written.push(group.join(' '));
      await gate.promise;
      return group.map(fault);
    },
    async alone(text) {
      written.push(`${text} alone`);
      return fault(text);
    },
  });
  return { inTurn, written, open: gate.resolve };
}

suite('What is recorded in one turn of the event loop', () => {
  test('is one group in the order of its locks, and each gets its own answer.', async () => {
    const { inTurn, written, open } = given();
    open();
    assert.deepEqual(await Promise.all(['b1', 'a', 'b2'].map(inTurn)), ['B1', 'A', 'B2']);
    assert.deepEqual(written, ['a b1 b2']);
  });

  test('goes by itself when it is one, or may not join.', async () => {
    const { inTurn, written } = given();
    assert.equal(await inTurn('a'), 'A');
    await Promise.all([inTurn('b'), inTurn('-')]);
    assert.deepEqual(written, ['a alone', '- alone', 'b alone']);
  });

  test('takes no other along that fails.', async () => {
    const { inTurn, open } = given({ breaks: (text) => text === 'b' });
    open();
    const ended = await Promise.allSettled(['a', 'b', 'c'].map(inTurn));
    assert.deepEqual(
      ended.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
  });

  test('waits while three groups are being written, and is gathered meanwhile.', async () => {
    const { inTurn, written, open } = given();
    const all = Array.from({ length: 400 }, (_, index) => inTurn(String.fromCodePoint(0x1000 + index)));
    await turn();
    await turn();
    assert.equal(written.length, 3);
    open();
    assert.equal((await Promise.all(all)).length, 400);
    assert.deepEqual(
      written.map((group) => group.split(' ').length),
      Array.from({ length: 8 }, () => 50),
    );
  });

  test('is not overtaken by what comes later and has the same locks.', async () => {
    const { inTurn, written, open } = given();
    const first = [inTurn('a1'), inTurn('b')];
    await turn();
    const second = [inTurn('a2'), inTurn('a3'), inTurn('c'), inTurn('d')];
    await turn();
    await turn();
    assert.deepEqual(written, ['a1 b', 'c d']);
    open();
    await Promise.all([...first, ...second]);
    assert.deepEqual(written, ['a1 b', 'c d', 'a2 a3']);
  });
});
