import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fastTime, pace } from '../kit/fast-time.ts';
import { rollDice, times } from './dice.ts';
import { assertNoneLate, type Someone, send, someone, startRig, within } from './rig.ts';

/** The trial of one kill: a person switches one purpose off and another on. */
interface Trial extends Someone {
  readonly postedAt: number;
  /** Whether the person was told that the submission is taken: only then it is a promise. */
  readonly wasTold: boolean;
}

suite('kill -9 during a submission', () => {
  test('a kill loses no withdrawal that was taken, and no opt-in is granted late', async () => {
    const dice = rollDice('kill -9');
    await using rig = await startRig(times(fastTime, {}));
    const { product, proxy, sandbox } = rig;
    const trials: Trial[] = [];
    const count = times(2, 200);
    for (let index = 0; index < count; index += 1) {
      const person = await someone({ rig, who: `killed.${dice.seed}.${index}@example.org`, dice });
      person.form.untick('purpose', person.leaving).tick('purpose', person.joining);
      const postedAt = Date.now();
      const killedAfter = dice.whole(0, 180);
      // A third of the submissions are told as taken, and not applied, for the platform is away.
      const isAway = index % 3 === 1;
      if (isAway) proxy.setFault('', { down: true });
      const posted = send(person).then(
        (answer) => answer.status === 303,
        () => false,
      );
      if (isAway) await posted;
      else await pause(killedAfter);
      await product.kill9();
      trials.push({ ...person, postedAt, wasTold: await posted });
      proxy.heal();
      await product.start();
      if (index % 25 === 24) await assertNoneLate(sandbox, trials);
    }

    const promised = trials.filter(({ wasTold }) => wasTold);
    assert.ok(promised.length > 0);
    for (const { who, hasLeft } of promised) {
      if (await within(longestPause, hasLeft)) continue;
      const own = await sandbox.calls({ identifier: who });
      assert.fail(`lost: ${who}\n${own.map(({ operation, at }) => `${at} ${operation}`).join('\n')}`);
    }
    await pause(times(0, 2_500));
    await assertNoneLate(sandbox, trials);
    const gone = await Promise.all(trials.map(({ hasLeft }) => hasLeft()));
    process.stdout.write(
      `kill -9: ${count} kills, ${promised.length} submissions confirmed, ${gone.filter(Boolean).length} withdrawals on record, 0 lost\n`,
    );
  });
});

/**
 * Milliseconds until a withdrawal is on record after its calls failed several times: it is tried again after
 * five minutes at most. In the small form the product's clock is fast.
 */
const longestPause = times(330_000 / pace, 330_000);
