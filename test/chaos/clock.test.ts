import assert from 'node:assert/strict';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { fastTime, pace } from '../kit/fast-time.ts';
import { forSuite } from '../kit/for-suite.ts';
import { setClock } from '../kit/shifted-time.ts';
import { times } from './dice.ts';
import { books, openForm, send, someone, startRig, within } from './rig.ts';

const second = 1_000;
const hour = 3_600 * second;

/**
 * Times that the clock is set to in turn, while a withdrawal and an opt-in wait for a platform that is away.
 */
const jumps = [
  { name: 'an hour ahead', to: hour, isRestarted: false },
  { name: 'an hour back', to: 0, isRestarted: false },
  { name: 'an hour back and the process dies', to: -hour, isRestarted: true },
] as const;

suite('A clock that is set', () => {
  const preload = pathToFileURL(join(import.meta.dirname, 'shifted-clock.ts')).href;
  const rig = forSuite(() =>
    startRig({
      ...fastTime,
      NODE_OPTIONS: `${fastTime['NODE_OPTIONS']} --import=${preload}`,
      SHIFTED_CLOCK: '{home}/shift',
    }),
  );

  for (const [index, { name, to, isRestarted }] of jumps.entries()) {
    test(`after a clock is set ${name} no withdrawal waits, no grant is late, and pages come back`, async () => {
      const { product, proxy } = rig;
      const isBackwards = to <= 0;
      const come = (role: string) => someone({ rig, who: `${role}.${index}@example.org` });
      const [leaver, joiner, returner] = [await come('leaver'), await come('joiner'), await come('returner')];
      leaver.form.untick('purpose', leaver.leaving);
      joiner.form.tick('purpose', joiner.joining);
      proxy.setFault('', { down: true });
      const answers = await Promise.all([send(leaver), send(joiner)]);
      assert.deepEqual(
        answers.map(({ status }) => status),
        [303, 303],
      );
      // After this time the circuits are open, and retries lie further apart.
      await pause((3 * second) / pace);

      await setClock(product, to);
      if (isRestarted) {
        await product.kill9();
        await product.start();
      }
      // Whether the minute of the opt-in is over; if not, as in the small form, it may still be granted.
      const isMinuteOver = !isBackwards || isRestarted || times(0, 1) === 1;
      await pause(((isBackwards && !isRestarted ? times(1, 60) : 1) * second) / pace);
      proxy.heal();
      assert.ok(await within(60 * second, leaver.hasLeft), 'the withdrawal still waits');
      const isBack = async () =>
        (await openForm(product, books, joiner.who).catch(() => undefined)) !== undefined;
      assert.ok(await within(20 * second, isBack), 'the page does not come back');
      returner.form.untick('purpose', returner.leaving);
      const posted = await send(returner);
      if (isBackwards) {
        assert.equal(posted.status, 400, 'a form from the future is read');
        const anew = await openForm(product, books, returner.who);
        anew.form.untick('purpose', returner.leaving);
        assert.equal((await send(anew)).status, 303);
        assert.ok(await within(20 * second, returner.hasLeft), 'a form of the clock as it is now is lost');
      }
      await pause((3 * second) / pace);
      if (isMinuteOver) assert.equal(await joiner.hasJoined(), false, 'granted late');
    });
  }
});
