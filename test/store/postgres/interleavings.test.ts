import process from 'node:process';
import { before, suite, test } from 'node:test';
import type { Journal } from '../../../src/ports/journal.ts';
import { openDatabase } from '../../../src/store/drivers/postgres/database.ts';
import { openEvents } from '../../../src/store/events.ts';
import { postgresLayout } from '../../../src/store/layouts.ts';
import { openPeople } from '../../../src/store/people.ts';
import { rollDice, times } from '../../chaos/dice.ts';
import { playRandomScripts } from '../../core/consent/script-random.ts';
import { play } from '../../core/consent/script-world.ts';
import { FakeTime } from '../../delivery/fake-time.ts';
import { Nodes } from '../../delivery/script-nodes.ts';
import { databaseOf, postgres } from '../../kit/postgres.ts';
import { seal } from '../contract/test-store.ts';

const given = Number(process.env['SAYSO_INTERLEAVINGS']);
const count = given > 0 ? given : times(30, 20_000);
const nodes = 3;

suite('Three nodes on one PostgreSQL', { skip: postgres.skip }, () => {
  const database = databaseOf();
  const journals: Journal[] = [];

  before(async () => {
    const options = { layout: postgresLayout, url: database.url, poolSize: 4, deadlineMs: 10_000 };
    for (let node = 0; node < nodes; node += 1) {
      const opened = await openDatabase(options);
      const { newsWrites } = await openEvents({ sql: opened, seal, routes: () => undefined });
      const random = { id: () => `node-${node}` };
      const journal = openPeople({ sql: opened, seal, random, newsWrites });
      database.beforeEnd(async () => {
        await journal.close();
        await opened.close();
      });
      journals.push(journal);
    }
  });

  test('No random script withdraws in vain, grants unasked, or reports something false', async () => {
    const dice = rollDice('interleavings over PostgreSQL');
    const time = new FakeTime();
    let played = 0;
    await playRandomScripts({ count, dice }, async (script) => {
      const result = await play(script, { time, carry: (tools) => new Nodes(tools, journals) });
      await database.query('DELETE FROM submission; DELETE FROM person; DELETE FROM last_word');
      played += 1;
      if (played % 1_000 !== 0) return result;
      process.stdout.write(`  ${played} scripts over ${nodes} nodes\n`);
      await database.query('VACUUM');
      return result;
    });
  });
});
