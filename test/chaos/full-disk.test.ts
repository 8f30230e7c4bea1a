import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { SubjectId } from '../../src/core/model/person/subject.ts';
import { sealOneClick } from '../../src/features/unsubscribe/token.ts';
import { createSeal } from '../../src/store/seal.ts';
import { binaries, type Cluster, owner, startCluster } from '../kit/postgres.ts';
import { type ProductProcess, startProduct } from '../kit/product.ts';
import type { SandboxClient } from '../kit/sandbox-client.ts';
import { mountSmallDisk, noSmallDisk } from '../kit/small-disk.ts';
import { createVisitor } from '../kit/visitor.ts';
import { times } from './dice.ts';
import { startNodesHere } from './nodes.ts';
import {
  books,
  makeKnown,
  onRecord,
  openForm,
  send,
  settingsFor,
  startPlatform,
  switches,
  within,
} from './rig.ts';

/** So many clicks at the most until the disk is noticed. */
const most = 400;

interface Ground {
  readonly name: string;
  readonly front: Pick<ProductProcess, 'url' | 'env'>;
  readonly health: (kind: 'live' | 'ready') => Promise<number>;
  readonly sandbox: SandboxClient;
  readonly fill: () => void;
  /** Before each click on the full disk: others write, too. */
  readonly write?: () => Promise<void>;
  /** There is room again. */
  readonly free: () => Promise<void>;
}

/** What is told while a disk runs full is true, what was taken before is carried out, and all goes on by itself. */
async function runFull({ name, front, health, sandbox, fill, write, free }: Ground): Promise<void> {
  const click = async (who: string) => {
    const token = { center: books, subject: who as SubjectId, purpose: undefined, madeAt: Date.now() };
    const path = `/u/${sealOneClick(createSeal([front.env['SECRET'] ?? '']), token)}`;
    const answer = await createVisitor(front.url).post(path, [['List-Unsubscribe', 'One-Click']]);
    assert.ok([200, 503].includes(answer.status), `${answer.status} ${answer.text.slice(0, 500)}`);
    if (answer.status === 503) assert.ok(answer.headers['retry-after'] !== undefined, 'when to try again');
    return answer.status === 200;
  };
  const known = async (kind: string, index: number) => {
    const who = `full.${kind}.${index}@example.org`;
    await makeKnown(sandbox, who);
    return who;
  };
  const isGone = async (who: string) => (await onRecord(sandbox, books, who)).size === 0;

  // On their page before it happens, with something switched off and something on.
  const forms = [];
  for (let index = 0; index < 3; index += 1) {
    const who = await known('form', index);
    const opened = await openForm(front, books, who);
    const { on, off } = switches(opened.form);
    const [leaving = '', joining = ''] = [on[0], off[0]];
    opened.form.untick('purpose', leaving).tick('purpose', joining);
    forms.push({ who, opened, leaving: leaving.toLowerCase(), joining: joining.toLowerCase() });
  }
  const people: string[] = [];
  for (let index = 0; index < 12; index += 1) people.push(await known('click', index));

  // Taken while the platform is away, and so not carried out yet.
  await sandbox.addFault({ kind: '500', operation: 'update-subject' });
  await sandbox.addFault({ kind: '500', operation: 'withdraw-subject' });
  const told: string[] = [];
  const refused: string[] = [];
  for (const who of people.slice(0, 5)) {
    assert.ok(await click(who), 'there is room');
    told.push(who);
  }
  fill();
  let clicks = 0;
  for (; clicks < most && refused.length < 5; clicks += 1) {
    await write?.();
    const who = people[5 + clicks] ?? `full.more.${clicks}@example.org`;
    ((await click(who)) ? told : refused).push(who);
  }
  assert.ok(refused.length > 0, `${clicks} clicks were taken on a full disk`);
  const answers: number[] = [];
  for (const { opened } of forms) {
    const answer = await send(opened);
    assert.ok([303, 503].includes(answer.status), `${answer.status} ${answer.text.slice(0, 500)}`);
    answers.push(answer.status);
  }
  assert.equal(await health('live'), 200);
  const ready = await health('ready');
  const page = await forms[0]?.opened.visitor.get(`/centers/${books}`);
  assert.ok([200, 503].includes(page?.status ?? 0), page?.text.slice(0, 500) ?? 'no page');
  await sandbox.clearFaults();
  await pause(1_000);
  for (const [index, { who, joining }] of forms.entries())
    if (answers[index] === 503)
      assert.ok(!(await onRecord(sandbox, books, who)).has(joining), 'carried out without being kept');

  await free();
  assert.ok(await within(20_000, async () => (await health('ready')) === 200), 'it goes on by itself');
  for (const who of refused) assert.ok(await within(10_000, () => click(who)), 'taken now');
  for (const each of forms)
    assert.ok(await within(10_000, async () => (await send(each.opened)).status === 303));
  for (const who of [...told, ...refused]) assert.ok(await within(60_000, () => isGone(who)), `lost: ${who}`);
  for (const [index, { who, leaving, joining }] of forms.entries()) {
    const isSo = async () => {
      const record = await onRecord(sandbox, books, who);
      return !record.has(leaving) && (answers[index] === 303 || record.has(joining));
    };
    assert.ok(await within(60_000, isSo), `lost: ${who}`);
  }
  process.stdout.write(
    `full disk, ${name}: first refused at click ${told.length - 4} on it, ${told.length} taken, ${refused.length} and ${answers.filter((status) => status === 503).length} of ${forms.length} forms told to try again; ready ${ready}, a page ${page?.status}; 0 lost\n`,
  );
}

suite('A disk that runs full', { skip: noSmallDisk }, () => {
  test('under the data folder: what is told is true, and all goes on by itself.', async () => {
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
        health: (kind) => healthOf(product.url, kind),
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
  const fulls = times<readonly ('data' | 'log')[]>(['data'], ['data', 'log']);
  for (const full of fulls)
    test(`under the ${full} of PostgreSQL: what is told is true, and all goes on by itself.`, {
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
          // Nobody ever fetches what is kept for this one, which is how a log fills its disk.
          if (full === 'log') await cluster.query(`SELECT pg_create_physical_replication_slot('left', true)`);
          await using rig = await startNodesHere({ databases: [cluster.url] });
          const [node] = rig.nodes;
          assert.ok(node);
          await runFull({
            name: `PostgreSQL's ${full}`,
            front: rig.front,
            health: (kind) => healthOf(`http://127.0.0.1:${rig.portOf(node)}`, kind),
            sandbox: rig.sandbox,
            fill: disks[full].fill,
            ...(full === 'log' ? { write: () => write(cluster) } : {}),
            free: async () => {
              disks[full].free();
              process.stdout.write(`PostgreSQL ${cluster.isRunning() ? 'goes on' : 'had ended'}\n`);
              // It cannot recover without room for its log, and ends: whoever keeps it running starts it again.
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

async function healthOf(url: string, kind: 'live' | 'ready'): Promise<number> {
  const answer = await fetch(`${url}/health/${kind}`);
  await answer.body?.cancel();
  return answer.status;
}
