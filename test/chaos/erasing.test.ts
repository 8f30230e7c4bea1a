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

const who = 'erased@example.org' as SubjectId;

interface Ground {
  readonly front: Front;
  readonly sandbox: SandboxClient;
  /** One process is killed; people are served by another one, or by the next one. */
  readonly lose: () => Promise<void>;
}

/** Twice at once by commands, while people withdraw and one process is killed. */
async function eraseAmidDeliveries(ground: Ground): Promise<void> {
  const { front, sandbox, lose } = ground;
  const erase = async () => {
    const args = ['person', '--identifier', who, '--erase', '--reason', 'letter 7'];
    const { code, text: said } = await runCommandLine(args, front.env);
    return { code, said };
  };
  const erased = await someone({ rig: ground, who });
  const others: Someone[] = [];
  for (let index = 0; index < times(3, 6); index += 1)
    others.push(await someone({ rig: ground, who: `other.${index}@example.org` }));
  async function withdraw(person: Someone): Promise<void> {
    person.form.untick('purpose', person.leaving);
    assert.equal((await send(person)).status, 303);
  }

  // Refused for sure: after a call without an answer nothing is erased for ten minutes.
  await sandbox.addFault({ kind: '429', operation: 'update-subject', retryAfter: 1 });
  await withdraw(erased);
  const early = await erase();
  assert.equal(early.code, 1, early.said);
  assert.match(early.said, /Nothing was erased/);
  await sandbox.clearFaults();
  await until(erased.hasLeft);
  await Promise.all(others.map(withdraw));
  const losing = lose();
  await until(async () => {
    const outcomes = await Promise.all([erase(), erase()]);
    for (const { code, said } of outcomes)
      assert.ok(code === 0 || /Nothing was erased|try again/.test(said), said);
    return outcomes.some(({ code }) => code === 0);
  });
  await losing;

  for (const other of others) await until(other.hasLeft);
  const old = await until(async () => {
    const answer = await erased.visitor.get(`/centers/${books}/record?lang=en`);
    return answer.status < 500 && answer;
  });
  assert.doesNotMatch(old.text, /class="move"/, 'a session of before is over');
  // A link of the same second counts as one of before.
  const record = await until(async () => {
    const again = createVisitor(front.url);
    await again.open(await linkTo(front, books, who));
    const answer = await again.get(`/centers/${books}/record?lang=en`);
    return answer.status === 200 && answer;
  });
  assert.doesNotMatch(record.text, /class="move"/);

  const config = readConfig(front.env, () => '');
  const stores = await openStores({ config, seal: createSeal([front.env['SECRET'] ?? '']) });
  try {
    const { submissions, events } = await stores.personData.exported(who);
    assert.deepEqual([submissions, events], [[], []]);
    assert.deepEqual((await stores.events.mayUse(books, erased.leaving.toLowerCase(), [who])).answers, [
      false,
    ]);
  } finally {
    await stores.close();
  }
}

suite('A person is erased twice at once, during deliveries, while a process is lost,', () => {
  test('in files', async () => {
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

  test('on two nodes', { skip: times('in the long form', postgres.skip) }, async () => {
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
