import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { fastTime, pace } from '../kit/fast-time.ts';
import { setClock } from '../kit/shifted-time.ts';
import { times } from './dice.ts';
import { books, makeKnown, onRecord, openForm, type Rig, send, startRig, switches, within } from './rig.ts';

const second = 1_000;
const hour = 3_600 * second;

/** What the clock is set to while a withdrawal and an opt-in wait for a platform that is away, one after another. */
const jumps = [
  { name: 'an hour ahead', to: hour, isRestarted: false },
  { name: 'an hour back', to: 0, isRestarted: false },
  { name: 'an hour back, and the process dies', to: -hour, isRestarted: true },
] as const;

suite('A clock that is set', () => {
  let rig: Rig;
  before(async () => {
    const preload = pathToFileURL(join(import.meta.dirname, 'shifted-clock.ts')).href;
    rig = await startRig({
      ...fastTime,
      NODE_OPTIONS: `${fastTime['NODE_OPTIONS']} --import=${preload}`,
      SHIFTED_CLOCK: '{home}/shift',
    });
  });
  after(async () => {
    await rig?.[Symbol.asyncDispose]();
  });

  for (const [index, { name, to, isRestarted }] of jumps.entries()) {
    test(`${name}, keeps no withdrawal waiting, grants nothing late, and pages come back.`, async () => {
      const { product, proxy, sandbox } = rig;
      const isBackwards = to <= 0;
      const [leaver, joiner, returner] = ['leaver', 'joiner', 'returner'].map(
        (who) => `${who}.${index}@example.org`,
      ) as [string, string, string];
      for (const who of [leaver, joiner, returner]) await makeKnown(sandbox, who);
      const leaving = await openForm(product, books, leaver);
      const joining = await openForm(product, books, joiner);
      const shownBefore = await openForm(product, books, returner);
      const off = switches(leaving.form).on[0] ?? '';
      const on = switches(joining.form).off[0] ?? '';
      leaving.form.untick('purpose', off);
      joining.form.tick('purpose', on);
      proxy.suffer('', { down: true });
      const told = await Promise.all([send(leaving), send(joining)]);
      assert.deepEqual(
        told.map(({ status }) => status),
        [303, 303],
      );
      // Until the circuits are open and retries lie further apart.
      await pause((3 * second) / pace);

      await setClock(product, to);
      if (isRestarted) {
        await product.kill9();
        await product.start();
      }
      // The real minute of an opt-in; without it, in the small form, an opt-in may still be granted.
      const isMinuteOver = !isBackwards || isRestarted || times(0, 1) === 1;
      await pause(((isBackwards && !isRestarted ? times(1, 60) : 1) * second) / pace);
      proxy.heal();
      const isGone = async () => !(await onRecord(sandbox, books, leaver)).has(off.toLowerCase());
      assert.ok(await within(60 * second, isGone), 'the withdrawal still waits');
      const isBack = async () =>
        (await openForm(product, books, joiner).catch(() => undefined)) !== undefined;
      assert.ok(await within(20 * second, isBack), 'the page does not come back');
      const purpose = switches(shownBefore.form).on[0] ?? '';
      shownBefore.form.untick('purpose', purpose);
      const posted = await send(shownBefore);
      if (isBackwards) {
        assert.equal(posted.status, 400, 'a form from the future is read');
        const anew = await openForm(product, books, returner);
        anew.form.untick('purpose', purpose);
        assert.equal((await send(anew)).status, 303);
        const isOff = async () => !(await onRecord(sandbox, books, returner)).has(purpose.toLowerCase());
        assert.ok(await within(20 * second, isOff), 'a form of the clock as it is now is lost');
      }
      await pause((3 * second) / pace);
      if (isMinuteOver)
        assert.equal((await onRecord(sandbox, books, joiner)).has(on.toLowerCase()), false, 'granted late');
    });
  }
});
