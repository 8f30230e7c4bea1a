import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { openDatabase } from '../../../src/store/drivers/sqlite/file.ts';
import { oncePerTurn } from '../../../src/store/sqlite/turns.ts';

function open() {
  const database = openDatabase(':memory:', ['CREATE TABLE word (text TEXT PRIMARY KEY) STRICT']);
  let commits = 0;
  const counted = {
    prepare: database.prepare,
    together: <T>(write: () => T): T => {
      commits += 1;
      return database.together(write);
    },
  };
  const insert = database.prepare('INSERT INTO word VALUES (:text)');
  const all = database.prepare('SELECT text FROM word ORDER BY rowid');
  return {
    inTurn: oncePerTurn(counted),
    add: (text: string) => () => insert.run({ text }),
    words: () => all.all().map(({ text }) => text),
    commits: () => commits,
  };
}

suite('What is written in one turn of the event loop', () => {
  test('is one transaction, in its order, and not there before.', async () => {
    const { inTurn, add, words, commits } = open();
    const written = Promise.all(['a', 'b', 'c'].map((text) => inTurn(add(text))));
    assert.deepEqual(words(), []);
    await written;
    assert.deepEqual(words(), ['a', 'b', 'c']);
    assert.equal(commits(), 1);
  });

  test('is all there but for what throws, with all that it wrote.', async () => {
    const { inTurn, add, words } = open();
    const half = () => {
      add('half')();
      add('a')();
    };
    const ended = await Promise.allSettled([inTurn(add('a')), inTurn(half), inTurn(add('b'))]);
    assert.deepEqual(
      ended.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.deepEqual(words(), ['a', 'b']);
  });

  test('is bounded: what is more comes in the next.', async () => {
    const { inTurn, add, words, commits } = open();
    await Promise.all(Array.from({ length: 250 }, (_, index) => inTurn(add(String(index)))));
    assert.equal(words().length, 250);
    assert.equal(commits(), 3);
  });

  test('is told as not written where it cannot be made durable.', async () => {
    const { inTurn, add } = open();
    const broken = oncePerTurn({
      prepare: openDatabase(':memory:', []).prepare,
      together: () => {
        throw new Error('the disk is full');
      },
    });
    await assert.rejects(broken(add('a')), /full/);
    await inTurn(add('a'));
  });
});
