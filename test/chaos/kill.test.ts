import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { SandboxClient } from '../kit/sandbox-client.ts';
import { rollDice, times } from './dice.ts';
import { books, makeKnown, onRecord, openForm, send, startRig, switches, within } from './rig.ts';

/** Each kill is one person, who switches one purpose off and another on. */
interface Trial {
  readonly who: string;
  readonly off: string;
  readonly on: string;
  /** Milliseconds after the post began. */
  readonly killedAt: number;
  readonly postedAt: number;
  /** The person was told that it was taken: only then it is a promise. */
  readonly wasTold: boolean;
}

suite('kill -9 during a submission', () => {
  test('loses no withdrawal that was taken, and applies no opt-in afterwards.', async () => {
    const dice = rollDice('kill -9');
    await using rig = await startRig();
    const { product, proxy, sandbox } = rig;
    const trials: Trial[] = [];
    const count = times(3, 200);
    for (let index = 0; index < count; index += 1) {
      const who = `killed.${dice.seed}.${index}@example.org`;
      await makeKnown(sandbox, who);
      const opened = await openForm(product, books, who);
      const { on, off } = switches(opened.form);
      const given = await onRecord(sandbox, books, who);
      // What is on by default is not on record, and would count as withdrawn from the beginning.
      const leaving = dice.pick(on.filter((id) => given.has(id.toLowerCase())));
      const joining = dice.pick(off);
      opened.form.untick('purpose', leaving).tick('purpose', joining);
      const postedAt = Date.now();
      const killedAt = dice.whole(0, 180);
      // Told for certain, and not carried out: the platform is away.
      const isAway = index % 3 === 2;
      if (isAway) proxy.suffer('', { down: true });
      const posted = send(opened).then(
        (answer) => answer.status === 303,
        () => false,
      );
      if (isAway) await posted;
      else await pause(killedAt);
      await product.kill9();
      const wasTold = await posted;
      proxy.heal();
      trials.push({
        who,
        off: leaving.toLowerCase(),
        on: joining.toLowerCase(),
        killedAt,
        postedAt,
        wasTold,
      });
      await product.start();
      if (index % 25 === 24) await assertNoneLate(sandbox, trials);
    }

    const told = trials.filter(({ wasTold }) => wasTold);
    assert.ok(told.length > 0);
    const journaled: string[] = [];
    for (const trial of trials) {
      const isGone = async () => !(await onRecord(sandbox, books, trial.who)).has(trial.off);
      if (trial.wasTold ? await within(longestPause, isGone) : await isGone()) journaled.push(trial.who);
      else if (trial.wasTold) {
        const calls = await sandbox.calls();
        const own = calls.filter(({ identifier }) => identifier === trial.who);
        const course = own.map(({ operation, at }) => `${at} ${operation}`).join('\n');
        assert.fail(`lost: ${JSON.stringify(trial)}\n${course}`);
      }
    }
    await pause(2_500);
    await assertNoneLate(sandbox, trials);
    process.stdout.write(
      `kill -9: ${count} kills, ${told.length} submissions confirmed, ${journaled.length} withdrawals on record, 0 lost\n`,
    );
  });
});

/** A withdrawal that the platform was away for several times is tried again after five minutes at most. */
const longestPause = 330_000;

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
