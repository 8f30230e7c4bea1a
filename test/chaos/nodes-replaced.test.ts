import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { postgres } from '../kit/postgres.ts';
import { times } from './dice.ts';
import { type Nodes, startNodes } from './nodes.ts';
import { books, makeKnown, onRecord, openForm, send, switches, within } from './rig.ts';

/** Somebody comes by a link, switches one purpose off and another on, and both become so. */
async function comeAndGo({ front, sandbox }: Nodes, who: string): Promise<void> {
  await makeKnown(sandbox, who);
  const opened = await openForm(front, books, who);
  const { on, off } = switches(opened.form);
  const [leaving = '', joining = ''] = [on[0], off[0]];
  opened.form.untick('purpose', leaving).tick('purpose', joining);
  const answer = await send(opened);
  assert.equal(answer.status, 303, answer.text.slice(0, 300));
  const isSo = async () => {
    const record = await onRecord(sandbox, books, who);
    return !record.has(leaving.toLowerCase()) && record.has(joining.toLowerCase());
  };
  assert.ok(await within(15_000, isSo), who);
}

suite('Nodes on one PostgreSQL', { skip: postgres.skip }, () => {
  test('that are replaced one after another under load fail no request.', async () => {
    const database = await postgres.database();
    try {
      await using rig = await startNodes({
        databases: [database.url, database.url],
        env: { DRAIN_SECONDS: '1', DATABASE_TIMEOUT_SECONDS: '5' },
      });
      const { visitor } = await openForm(rig.front, books, 'anna@example.org');
      const statuses = new Map<number, number>();
      let isLoading = true;
      const client = async () => {
        while (isLoading) {
          const status = await visitor.get(`/centers/${books}`).then(
            (answer) => answer.status,
            () => 0,
          );
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          await pause(25);
        }
      };
      let saved = 0;
      const saver = async () => {
        for (; isLoading; saved += 1) await comeAndGo(rig, `replaced.${saved}@example.org`);
      };
      const load = [...Array.from({ length: times(3, 12) }, client), saver()];
      let replaced = 0;
      do {
        for (const node of rig.nodes) {
          await node.stop();
          await node.start();
          assert.ok(await within(5_000, async () => rig.balancer.ready().length === 2));
          replaced += 1;
        }
        assert.deepEqual([...statuses.keys()], [200], JSON.stringify([...statuses]));
      } while ((statuses.get(200) ?? 0) < times(50, 100_000));
      isLoading = false;
      await Promise.all(load);
      assert.deepEqual([...statuses.keys()], [200], JSON.stringify([...statuses]));
      process.stdout.write(
        `replaced: ${statuses.get(200)} pages and ${saved} saves while a node was replaced ${replaced} times, 0 failed\n`,
      );
    } finally {
      await database.end();
    }
  });

  test('of which two have clocks that are an hour off do what is asked, in time and once.', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sayso-shift-'));
    const hour = 3_600_000;
    const shifts = [0, hour, -hour];
    for (const [index, shift] of shifts.entries()) writeFileSync(join(folder, `${index}`), String(shift));
    const preload = pathToFileURL(join(import.meta.dirname, 'shifted-clock.ts')).href;
    const database = await postgres.database();
    try {
      await using rig = await startNodes({
        databases: shifts.map(() => database.url),
        env: { DATABASE_TIMEOUT_SECONDS: '5' },
        envOf: (index) => ({
          NODE_OPTIONS: `--import=${preload}`,
          SHIFTED_CLOCK: join(folder, `${index}`),
        }),
      });
      const count = times(6, 100);
      for (let index = 0; index < count; index += 1) await comeAndGo(rig, `clocks.${index}@example.org`);
      const [row = {}] = await database.query(
        `SELECT min(submitted_at) AS first, max(done_at) AS last, max(done_at - submitted_at) AS longest,
           count(*) FILTER (WHERE state <> 'done') AS open FROM submission`,
      );
      const { first, last, longest, open } = row as Readonly<Record<string, unknown>>;
      assert.ok(
        Number(first) > Date.now() - hour / 2 && Number(last) < Date.now() + hour / 2,
        'one time for all',
      );
      assert.ok(Number(longest) < hour / 2, `one time from beginning to end: ${longest} ms`);
      assert.equal(Number(open), 0);
      assert.ok(rig.balancer.chosen.filter((each) => each > 0).length === 3, 'all three were asked');
      process.stdout.write(`clocks an hour apart: ${count} people, the longest ${longest} ms\n`);
    } finally {
      await database.end();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
