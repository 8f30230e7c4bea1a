import process from 'node:process';
import { after, before, suite, test } from 'node:test';
import fc from 'fast-check';
import type { SubjectId } from '../../../src/core/model/person/subject.ts';
import type { Journal } from '../../../src/ports/journal.ts';
import { type Database, openDatabase } from '../../../src/store/drivers/postgres/database.ts';
import { openEvents } from '../../../src/store/events.ts';
import { postgresLayout } from '../../../src/store/layouts.ts';
import { openPeople } from '../../../src/store/people.ts';
import { createSeal } from '../../../src/store/seal.ts';
import { times } from '../../chaos/dice.ts';
import { FakeTime } from '../../delivery/fake-time.ts';
import { live, startingStatus, step, World } from '../../delivery/interleavings-world.ts';
import { postgres, type TestDatabase } from '../../kit/postgres.ts';

const given = Number(process.env['SAYSO_INTERLEAVINGS']);
const runs = given > 0 ? given : times(30, 20_000);
const nodes = 3;

suite('three nodes on one PostgreSQL', { skip: postgres.skip }, () => {
  let database: TestDatabase;
  let connected: Database[];
  let journals: Journal[];

  before(async () => {
    database = await postgres.database();
    const options = { layout: postgresLayout, url: database.url, poolSize: 4, deadlineMs: 10_000 };
    connected = [];
    journals = [];
    for (let node = 0; node < nodes; node += 1) {
      const opened = await openDatabase(options);
      connected.push(opened);
      const seal = createSeal(['a secret of at least thirty-two bytes']);
      const { newsWrites } = await openEvents({ sql: opened, seal, routes: () => undefined });
      const random = { id: () => `node-${node}` };
      journals.push(openPeople({ sql: opened, seal, random, newsWrites }));
    }
  });
  after(async () => {
    for (const journal of journals) await journal.close();
    for (const each of connected) await each.close();
    await database.end();
  });

  test(`${runs} times stale tabs, replays, lost answers, crashes and changes elsewhere, in turns: no silent opt-in, no lost withdrawal`, async () => {
    const starting = fc.tuple(startingStatus, startingStatus, startingStatus);
    const seed = Number(process.env['SAYSO_SEED'] ?? times(1, Date.now() % 2 ** 31));
    const time = new FakeTime();
    let person = 0;
    await fc.assert(
      fc.asyncProperty(starting, fc.array(step, { minLength: 3, maxLength: 16 }), async (statuses, steps) => {
        person += 1;
        const who = `person-${person}@example.org` as SubjectId;
        try {
          await live(new World(statuses, { journals, time, who }), steps);
        } catch (fault) {
          // What is left of who failed is nobody's else to carry out.
          await database.query('DELETE FROM submission; DELETE FROM person');
          throw fault;
        }
        if (person % 1_000 === 0) {
          process.stdout.write(`  ${person} people over ${nodes} nodes\n`);
          await database.query('DELETE FROM submission; DELETE FROM person; DELETE FROM last_word');
          await database.query('VACUUM');
        }
      }),
      { numRuns: runs, seed },
    );
    process.stdout.write(`interleavings over ${nodes} nodes: ${person} people, SAYSO_SEED=${seed}\n`);
  });
});
