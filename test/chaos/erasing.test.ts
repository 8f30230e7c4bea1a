import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { openStores } from '../../src/compose/stores.ts';
import { readConfig } from '../../src/config/environment.ts';
import type { SubjectId } from '../../src/core/model/person/subject.ts';
import { createSeal } from '../../src/store/seal.ts';
import { postgres } from '../kit/postgres.ts';
import { startProcess } from '../kit/product.ts';
import type { SandboxClient } from '../kit/sandbox-client.ts';
import { until } from '../kit/until.ts';
import { createVisitor } from '../kit/visitor.ts';
import { times } from './dice.ts';
import { startNodes } from './nodes.ts';
import { books, type Front, linkTo, type Someone, send, settingsFor, someone, startPlatform } from './rig.ts';

const identifier = 'erased@example.org' as SubjectId;

interface Setup {
  readonly front: Front;
  readonly sandbox: SandboxClient;
  /** Kills one process; people are then served by another one, or by its next start. */
  readonly lose: () => Promise<void>;
}

/** Erases a person by two commands at once, while people withdraw and one process is killed. */
async function eraseAmidDeliveries(setup: Setup): Promise<void> {
  const { front, sandbox, lose } = setup;
  const args = ['person', '--identifier', identifier, '--erase', '--reason', 'letter 7'];
  const erase = () => runCommandLine(args, front.env);
  const erased = await someone({ rig: setup, who: identifier });
  const others: Someone[] = [];
  for (let index = 0; index < times(3, 6); index += 1)
    others.push(await someone({ rig: setup, who: `other.${index}@example.org` }));
  async function withdraw(person: Someone): Promise<void> {
    person.form.untick('purpose', person.leaving);
    assert.equal((await send(person)).status, 303);
  }

  // The call is refused for certain: after a call without an answer nothing is erased for ten minutes.
  await sandbox.addFault({ kind: '429', operation: 'update-subject', retryAfter: 1 });
  await withdraw(erased);
  const early = await erase();
  assert.equal(early.code, 1, early.text);
  assert.match(early.text, /Nothing was erased/);
  await sandbox.clearFaults();
  await until(erased.hasLeft);
  await Promise.all(others.map(withdraw));
  const losing = lose();
  await until(async () => {
    const outcomes = await Promise.all([erase(), erase()]);
    for (const { code, text } of outcomes)
      assert.ok(code === 0 || /Nothing was erased|try again/.test(text), text);
    return outcomes.some(({ code }) => code === 0);
  });
  await losing;

  for (const other of others) await until(other.hasLeft);
  const old = await until(async () => {
    const answer = await erased.visitor.get(`/centers/${books}/record?lang=en`);
    return answer.status < 500 && answer;
  });
  assert.doesNotMatch(old.text, /class="move"/, 'an earlier session is over');
  // A link of the second of the erasure counts as an earlier one.
  const record = await until(async () => {
    const again = createVisitor(front.url);
    await again.open(await linkTo(front, books, identifier));
    const answer = await again.get(`/centers/${books}/record?lang=en`);
    return answer.status === 200 && answer;
  });
  assert.doesNotMatch(record.text, /class="move"/);

  const config = readConfig(front.env, () => '');
  const stores = await openStores({ config, seal: createSeal([front.env['SECRET'] ?? '']) });
  try {
    const { submissions, events } = await stores.personData.exported(identifier);
    assert.deepEqual([submissions, events], [[], []]);
    const { answers } = await stores.events.mayUse(books, erased.leaving.toLowerCase(), [identifier]);
    assert.deepEqual(answers, [false]);
  } finally {
    await stores.close();
  }
}

suite('Erasing a person twice at once, during deliveries, while a process is lost', () => {
  test('a person in files is erased completely', async () => {
    await using platform = await startPlatform();
    await using product = await startProcess({
      store: 'files',
      env: settingsFor(platform.port),
    });
    const lose = async () => {
      await product.kill9();
      await product.start();
    };
    await eraseAmidDeliveries({ front: product, sandbox: platform.sandbox, lose });
  });

  test('a person on two nodes is erased completely', {
    skip: times('in the long form', postgres.skip),
  }, async () => {
    const database = await postgres.database();
    try {
      await using rig = await startNodes({
        databases: [database.url, database.url],
        env: { DATABASE_TIMEOUT_SECONDS: '5' },
      });
      const lose = async () => void (await rig.nodes[0]?.kill9());
      await eraseAmidDeliveries({ front: rig.front, sandbox: rig.sandbox, lose });
    } finally {
      await database.end();
    }
  });
});
