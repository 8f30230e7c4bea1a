import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { oncePerTurn } from '../../src/store/turns.ts';

class Silence extends Error {}

/** Writes that end when they are told to. An item that `silent` names gets no answer when it is alone. */
function given({
  breaks = () => false,
  silent = () => false,
  most = 50,
}: {
  breaks?: (text: string) => boolean;
  silent?: (text: string) => boolean;
  most?: number;
} = {}) {
  const written: string[] = [];
  const gate = Promise.withResolvers<void>();
  let [now, mostNow] = [0, 0];
  const fault = (text: string) => {
    if (breaks(text)) throw new Error(`no ${text}`);
    return text.toUpperCase();
  };
  const inTurn = oncePerTurn<string, string>({
    orderOf: (text) => text.slice(0, 1),
    mayJoin: (text) => !text.startsWith('-'),
    isUnanswered: (thrown) => thrown instanceof Silence,
    async together(group) {
      written.push(group.join(' '));
      await gate.promise;
      return group.slice(0, most).map(fault);
    },
    async alone(text) {
      written.push(`${text} alone`);
      now += 1;
      mostNow = Math.max(mostNow, now);
      await turn();
      now -= 1;
      if (silent(text)) throw new Silence();
      return fault(text);
    },
  });
  return { inTurn, written, open: gate.resolve, mostAlone: () => mostNow };
}

/** Texts, each with an order of its own. */
function different(count: number, from = 0x1000): readonly string[] {
  return Array.from({ length: count }, (_, index) => String.fromCodePoint(from + index));
}

suite('Items that come in one turn of the event loop', () => {
  test('Items are one group in the order of their locks, and each gets its own answer', async () => {
    const { inTurn, written, open } = given();
    open();
    assert.deepEqual(await Promise.all(['b1', 'a', 'b2'].map(inTurn)), ['B1', 'A', 'B2']);
    assert.deepEqual(written, ['a b1 b2']);
  });

  test('An item is written by itself when it is alone, or may not join', async () => {
    const { inTurn, written } = given();
    assert.equal(await inTurn('a'), 'A');
    await Promise.all([inTurn('b'), inTurn('-')]);
    assert.deepEqual(written, ['a alone', '- alone', 'b alone']);
  });

  test('Items wait while three groups are being written, and are gathered meanwhile', async () => {
    const { inTurn, written, open } = given();
    const all = different(400).map(inTurn);
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

  test('An item is not overtaken by a later one with the same locks', async () => {
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

  test('Items of a failed group are written side by side, and one without an answer delays no other', async () => {
    const all = different(50);
    const [, held] = all;
    const { inTurn, written, open, mostAlone } = given({
      breaks: (text) => text === all[9],
      silent: (text) => text === held,
    });
    open();
    const ended = await Promise.allSettled(all.map(inTurn));
    const failed = all.filter((_, index) => ended[index]?.status === 'rejected');
    assert.deepEqual(failed, [held, all[9]]);
    assert.equal(written.length, 51);
    assert.equal(mostAlone(), 3);
  });

  test('Items of equal order stay in order one by one, and none is tried behind one without an answer', async () => {
    const texts = ['a1', 'b1', 'a2', 'b2', 'a3', 'c1', 'd1'];
    const { inTurn, written, open } = given({
      breaks: (text) => text === 'c1',
      silent: (text) => text === 'a2',
    });
    open();
    const ended = await Promise.allSettled(texts.map(inTurn));
    const failed = texts.filter((_, index) => ended[index]?.status === 'rejected');
    assert.deepEqual(failed, ['a2', 'a3', 'c1']);
    const alone = written.slice(1);
    for (const order of ['a', 'b']) {
      const own = alone.filter((text) => text.startsWith(order));
      assert.deepEqual(own, own.toSorted());
    }
    assert.ok(!alone.includes('a3 alone'));
  });

  test('All items fail if the store answers none of a few, also those that came since', async () => {
    let isSilent = true;
    const { inTurn, written, open } = given({ breaks: () => isSilent, silent: () => isSilent });
    const all = different(400).map(inTurn);
    await turn();
    await turn();
    open();
    const ended = await Promise.allSettled(all);
    assert.ok(ended.every((each) => each.status === 'rejected' && each.reason instanceof Silence));
    const alone = written.filter((text) => text.endsWith(' alone'));
    assert.ok(alone.length <= 3 * 8, `${alone.length} were tried`);
    isSilent = false;
    const others = different(60, 0x3000);
    const taken = await Promise.all(others.map(inTurn));
    assert.deepEqual(taken, others);
  });

  test('Not all items fail if a few of many get no answer', async () => {
    const all = different(50);
    const few = new Set(all.filter((_, index) => index % 5 < 2));
    const { inTurn, open } = given({ breaks: (text) => few.has(text), silent: (text) => few.has(text) });
    open();
    const ended = await Promise.allSettled(all.map(inTurn));
    assert.equal(ended.filter(({ status }) => status === 'fulfilled').length, 30);
  });

  test('The items that one transaction had no time for go before all that came later', async () => {
    const { inTurn, written, open } = given({ most: 2 });
    const all = ['a1', 'b', 'c1', 'c2', 'd'].map(inTurn);
    await turn();
    all.push(inTurn('c3'));
    open();
    assert.deepEqual(await Promise.all(all), ['A1', 'B', 'C1', 'C2', 'D', 'C3']);
    assert.deepEqual(written, ['a1 b c1 c2 d', 'c1 c2 c3 d', 'c3 d']);
  });
});
