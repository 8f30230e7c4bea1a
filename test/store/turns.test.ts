import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { oncePerTurn } from '../../src/store/turns.ts';

class Silence extends Error {}

/** Writes that end when they are told to; of those alone, what `silent` says is not answered. */
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

/** Texts of different order. */
function different(count: number, from = 0x1000): readonly string[] {
  return Array.from({ length: count }, (_, index) => String.fromCodePoint(from + index));
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

  test('waits while three groups are being written, and is gathered meanwhile.', async () => {
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

  test('goes by itself side by side where it failed together, and one that is not answered holds up no other.', async () => {
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

  test('keeps the order of equal ones where it goes by itself, and is not tried behind one that was not answered.', async () => {
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

  test('is told to all where the store answers none of a few, to those that came since, too.', async () => {
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

  test('is not told to all for a few that are not answered among many.', async () => {
    const all = different(50);
    const few = new Set(all.filter((_, index) => index % 5 < 2));
    const { inTurn, open } = given({ breaks: (text) => few.has(text), silent: (text) => few.has(text) });
    open();
    const ended = await Promise.allSettled(all.map(inTurn));
    assert.equal(ended.filter(({ status }) => status === 'fulfilled').length, 30);
  });

  test('goes on with what one transaction had no time for, before what came later.', async () => {
    const { inTurn, written, open } = given({ most: 2 });
    const all = ['a1', 'b', 'c1', 'c2', 'd'].map(inTurn);
    await turn();
    all.push(inTurn('c3'));
    open();
    assert.deepEqual(await Promise.all(all), ['A1', 'B', 'C1', 'C2', 'D', 'C3']);
    assert.deepEqual(written, ['a1 b c1 c2 d', 'c1 c2 c3 d', 'c3 d']);
  });
});
