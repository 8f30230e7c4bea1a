import { test } from 'node:test';
import { rollDice, times } from '../chaos/dice.ts';
import { testPromises } from '../core/consent/promises.ts';
import type { Script } from '../core/consent/script.ts';
import { playRandomScripts } from '../core/consent/script-random.ts';
import { play } from '../core/consent/script-world.ts';
import { FakeTime } from './fake-time.ts';
import { openStores } from './fixture.ts';
import { Nodes } from './script-nodes.ts';

/** Plays a script over two nodes with one store. */
async function played(script: Script) {
  const time = new FakeTime();
  const { journal, close } = await openStores({ file: ':memory:', clock: time });
  try {
    return await play(script, { time, carry: (tools) => new Nodes(tools, [journal, journal]) });
  } finally {
    await close();
  }
}

testPromises(played);

test('No random script over two nodes loses a withdrawal, grants unasked or tells a wrong outcome', async () => {
  await playRandomScripts({ count: times(100, 100_000), dice: rollDice('interleavings') }, played);
});
