import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { binaries, type Cluster, owner, startCluster } from '../kit/postgres.ts';
import { type Product, startProduct } from '../kit/product.ts';
import type { SandboxClient } from '../kit/sandbox-client.ts';
import { mountSmallDisk, noSmallDisk } from '../kit/small-disk.ts';
import { times } from './dice.ts';
import { startNodesHere } from './nodes.ts';
import {
  books,
  click,
  type Front,
  healthOf,
  makeKnown,
  onRecord,
  send,
  settingsFor,
  someone,
  startPlatform,
  within,
} from './rig.ts';

/** The most clicks until the product notices the full disk. */
const most = 400;

interface Setup {
  readonly name: string;
  readonly front: Front;
  readonly node: Pick<Product, 'env'>;
  readonly sandbox: SandboxClient;
  readonly fill: () => void;
  /** Writes as others do, before each click on the full disk. */
  readonly write?: () => Promise<void>;
  /** Makes room again. */
  readonly free: () => Promise<void>;
}

/**
 * Asserts that answers on a full disk are true, that no taken request is lost, and that all goes on by
 * itself.
 */
async function runFull(setup: Setup): Promise<void> {
  const { name, front, node, sandbox, fill, write, free } = setup;
  const isTaken = async (identifier: string) => {
    const answer = await click(front, identifier);
    assert.ok([200, 503].includes(answer.status), `${answer.status} ${answer.text.slice(0, 500)}`);
    if (answer.status === 503) assert.ok(answer.headers['retry-after'] !== undefined, 'when to try again');
    return answer.status === 200;
  };
  const isGone = async (identifier: string) => (await onRecord(sandbox, books, identifier)).size === 0;

  // These people have their page open before the disk is full, with one purpose switched off and one on.
  const forms = [];
  for (let index = 0; index < times(2, 3); index += 1) {
    const person = await someone({ rig: setup, who: `full.form.${index}@example.org` });
    person.form.untick('purpose', person.leaving).tick('purpose', person.joining);
    forms.push(person);
  }
  const before = Array.from({ length: times(2, 5) }, (_, index) => `full.click.${index}@example.org`);
  for (const identifier of before) await makeKnown(sandbox, identifier);

  // These clicks are taken while the platform is away, and so not applied yet.
  for (const operation of ['update-subject', 'withdraw-subject'])
    await sandbox.addFault({ kind: '500', operation });
  const taken: string[] = [];
  const refused: string[] = [];
  for (const identifier of before) {
    assert.ok(await isTaken(identifier), 'there is room');
    taken.push(identifier);
  }
  fill();
  let clicks = 0;
  for (; clicks < most && refused.length < times(2, 5); clicks += 1) {
    await write?.();
    const identifier = `full.more.${clicks}@example.org`;
    ((await isTaken(identifier)) ? taken : refused).push(identifier);
  }
  assert.ok(refused.length > 0, `${clicks} clicks were taken on a full disk`);
  const answers: number[] = [];
  for (const person of forms) {
    const answer = await send(person);
    assert.ok([303, 503].includes(answer.status), `${answer.status} ${answer.text.slice(0, 500)}`);
    answers.push(answer.status);
  }
  assert.equal(await healthOf(node, 'live'), 200);
  const ready = await healthOf(node, 'ready');
  const page = await forms[0]?.visitor.get(`/centers/${books}`);
  assert.ok([200, 503].includes(page?.status ?? 0), page?.text.slice(0, 500) ?? 'no page');
  await sandbox.clearFaults();
  await pause(1_000);
  for (const [index, { hasJoined }] of forms.entries())
    if (answers[index] === 503) assert.equal(await hasJoined(), false, 'granted without being kept');

  await free();
  assert.ok(
    await within(20_000, async () => (await healthOf(node, 'ready')) === 200),
    'it goes on by itself',
  );
  for (const identifier of refused) assert.ok(await within(10_000, () => isTaken(identifier)), 'taken now');
  for (const person of forms)
    assert.ok(await within(10_000, async () => (await send(person)).status === 303));
  for (const identifier of [...taken, ...refused])
    assert.ok(await within(60_000, () => isGone(identifier)), `lost: ${identifier}`);
  for (const [index, { who, hasLeft, hasJoined }] of forms.entries()) {
    const isOnRecord = async () => (await hasLeft()) && (answers[index] === 303 || (await hasJoined()));
    assert.ok(await within(60_000, isOnRecord), `lost: ${who}`);
  }
  process.stdout.write(
    `full disk, ${name}: first refused at click ${taken.length - before.length + 1} on it, ${taken.length} taken, ${refused.length} and ${answers.filter((status) => status === 503).length} of ${forms.length} forms told to try again; ready ${ready}, a page ${page?.status}; 0 lost\n`,
  );
}

suite('A disk that runs full', { skip: noSmallDisk }, () => {
  test('answers on a full disk of the data folder are true, and all goes on by itself', async () => {
    const disk = mountSmallDisk({ megabytes: 16 });
    try {
      await using platform = await startPlatform();
      await using product = await startProduct({
        store: 'files',
        env: {
          ...settingsFor(platform.port),
          DATA_DIR: `${disk.folder}/data`,
        },
      });
      await runFull({
        name: 'data folder',
        front: product,
        node: product,
        sandbox: platform.sandbox,
        fill: disk.fill,
        free: async () => disk.free(),
      });
    } finally {
      disk.end();
    }
  });

  const skip =
    binaries() === undefined ? 'no binaries of PostgreSQL are installed (Debian: postgresql)' : false;
  // In the small form test/store/postgres/database raises PostgreSQL's error of a full disk.
  const fulls = times<readonly ('data' | 'log')[]>([], ['data', 'log']);
  for (const full of fulls)
    test(`answers on a full disk of the ${full} of PostgreSQL are true, and all goes on by itself`, {
      skip,
    }, async () => {
      const as = owner()?.uid;
      const disks = {
        data: mountSmallDisk({ megabytes: 96, ...(as === undefined ? {} : { owner: as }) }),
        log: mountSmallDisk({ megabytes: 24, ...(as === undefined ? {} : { owner: as }) }),
      };
      try {
        const cluster = await startCluster(['fsync=off', 'min_wal_size=2MB', 'max_wal_size=4MB'], {
          data: disks.data.folder,
          log: disks.log.folder,
        });
        try {
          // No replica ever reads this slot, whose log is kept: so a log fills its disk.
          if (full === 'log') await cluster.query(`SELECT pg_create_physical_replication_slot('left', true)`);
          await using rig = await startNodesHere({ databases: [cluster.url] });
          const [node] = rig.nodes;
          assert.ok(node);
          await runFull({
            name: `PostgreSQL's ${full}`,
            front: rig.front,
            node,
            sandbox: rig.sandbox,
            fill: disks[full].fill,
            ...(full === 'log' ? { write: () => write(cluster) } : {}),
            free: async () => {
              disks[full].free();
              process.stdout.write(`PostgreSQL ${cluster.isRunning() ? 'goes on' : 'had ended'}\n`);
              // Without room for its log PostgreSQL cannot recover, and ends; a supervisor would start it
              // again.
              if (!cluster.isRunning()) await cluster.start();
            },
          });
        } finally {
          await cluster.end();
        }
      } finally {
        for (const disk of Object.values(disks)) disk.end();
      }
    });
});

async function write(cluster: Cluster): Promise<void> {
  await cluster
    .query(`SELECT pg_logical_emit_message(false, 'others', repeat('x', 100000))`)
    .catch(() => undefined);
}
