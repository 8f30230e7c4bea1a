import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { postgres } from '../kit/postgres.ts';
import type { SandboxClient } from '../kit/sandbox-client.ts';
import { rollDice, times } from './dice.ts';
import { startNodes } from './nodes.ts';
import { books, makeKnown, onRecord, openForm, send, switches, within } from './rig.ts';

/** Each kill is one person, who switches one purpose off and another on. */
interface Trial {
  readonly who: string;
  readonly off: string;
  readonly on: string;
  readonly postedAt: number;
  /** The person was told that it was taken: only then it is a promise. */
  readonly wasTold: boolean;
}

suite('kill -9 of one of three nodes', { skip: postgres.skip }, () => {
  test('loses no withdrawal that was taken, applies no opt-in late, and fails no GET.', async () => {
    const dice = rollDice('kill -9 of nodes');
    const database = await postgres.database();
    try {
      await using rig = await startNodes({
        databases: [database.url, database.url, database.url],
        env: { DATABASE_TIMEOUT_SECONDS: '5' },
      });
      const { nodes, sandbox, front } = rig;
      const trials: Trial[] = [];
      const gets = { asked: 0, failed: 0 };
      let isAsking = true;
      const asking = (async () => {
        while (isAsking) {
          const answer = await fetch(`${front.url}/centers/${books}`).catch(() => undefined);
          await answer?.body?.cancel();
          gets.asked += 1;
          if (answer === undefined || answer.status >= 500) gets.failed += 1;
          await pause(25);
        }
      })();
      const count = times(4, 200);
      for (let index = 0; index < count; index += 1) {
        const who = `nodes.${dice.seed}.${index}@example.org`;
        await makeKnown(sandbox, who);
        const opened = await openForm(front, books, who);
        const { on, off } = switches(opened.form);
        const [leaving, joining] = [dice.pick(on), dice.pick(off)];
        opened.form.untick('purpose', leaving).tick('purpose', joining);
        const postedAt = Date.now();
        const posted = send(opened).then(
          (answer) => answer.status,
          () => 0,
        );
        await pause(dice.whole(0, 180));
        const node = dice.pick(nodes);
        await node.kill9();
        let status = await posted;
        // The same form once more, as a person would: it gives the one result.
        if (status !== 303)
          status = await send(opened).then(
            ({ status }) => status,
            () => 0,
          );
        const [one, other] = [leaving.toLowerCase(), joining.toLowerCase()];
        trials.push({ who, off: one, on: other, postedAt, wasTold: status === 303 });
        await node.start();
      }
      isAsking = false;
      await asking;

      const told = trials.filter(({ wasTold }) => wasTold);
      for (const trial of told) {
        const isGone = async () => !(await onRecord(sandbox, books, trial.who)).has(trial.off);
        assert.ok(await within(20_000, isGone), `lost: ${JSON.stringify(trial)}`);
      }
      await pause(2_500);
      await assertNoneLate(sandbox, trials);
      assert.equal(gets.failed, 0, `${gets.failed} of ${gets.asked} GETs failed`);
      assert.ok(told.length > count / 2, `${told.length} were told`);
      for (const node of nodes)
        assert.equal(existsSync(node.env['DATA_DIR'] ?? ''), false, 'nothing is kept here');
      process.stdout.write(
        `kill -9 of nodes: ${count} kills, ${told.length} submissions confirmed, 0 lost, 0 late, ${gets.asked} GETs, 0 failed\n`,
      );
    } finally {
      await database.end();
    }
  });
});

suite('A node that hangs', { skip: postgres.skip }, () => {
  test('is left by the balancer, its work is taken up by others, and what was done stays so when it goes on.', async () => {
    const dice = rollDice('a hung node');
    const database = await postgres.database();
    try {
      await using rig = await startNodes({
        databases: [database.url, database.url],
        env: { DATABASE_TIMEOUT_SECONDS: '5' },
      });
      const { nodes, sandbox, front, balancer } = rig;
      for (let index = 0; index < times(1, 30); index += 1) {
        const who = `hung.${dice.seed}.${index}@example.org`;
        await makeKnown(sandbox, who);
        const opened = await openForm(front, books, who);
        const { on, off } = switches(opened.form);
        const [leaving, joining] = [dice.pick(on), dice.pick(off)];
        opened.form.untick('purpose', leaving).tick('purpose', joining);
        const node = dice.pick(nodes);
        const postedAt = Date.now();
        const first = send(opened).catch(() => undefined);
        await pause(dice.whole(0, 60));
        node.freeze();
        assert.ok(await within(5_000, async () => balancer.ready().length === 1), 'it leaves the balancer');
        assert.equal((await send(opened)).status, 303);
        const isGone = async () => !(await onRecord(sandbox, books, who)).has(leaving.toLowerCase());
        assert.ok(await within(30_000, isGone), 'within a lease');
        node.thaw();
        await first;
        assert.ok(await within(5_000, async () => balancer.ready().length === 2));
        await pause(500);
        const trial = { who, off: leaving.toLowerCase(), on: joining.toLowerCase(), postedAt, wasTold: true };
        await assertNoneLate(sandbox, [trial]);
        assert.ok(await isGone(), 'and it stays so');
      }
    } finally {
      await database.end();
    }
  });
});

/** What is granted is granted within its minute, and the time that its last call may take, or never. */
const longest = 60_000 + 8_000;

async function assertNoneLate(sandbox: SandboxClient, trials: readonly Trial[]): Promise<void> {
  const calls = await sandbox.calls({ operation: 'update-subject' });
  for (const { who, on, postedAt } of trials) {
    const grants = calls.filter(
      ({ identifier, body }) => identifier === who && JSON.stringify(body).toLowerCase().includes(on),
    );
    for (const { at } of grants) assert.ok(Date.parse(at) - postedAt < longest, `opted in late: ${who}`);
  }
}
