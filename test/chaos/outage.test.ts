import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { SubjectId } from '../../src/core/model/person/subject.ts';
import { sealOneClick } from '../../src/features/unsubscribe/token.ts';
import { createSeal } from '../../src/store/seal.ts';
import { fastTime, pace } from '../kit/fast-time.ts';
import { forSuite } from '../kit/for-suite.ts';
import { createVisitor } from '../kit/visitor.ts';
import { times } from './dice.ts';
import { percentile } from './load.ts';
import { books, linkTo, makeKnown, onRecord, openForm, send, startRig, switches, within } from './rig.ts';

suite('A platform that answers badly or not at all', () => {
  const rig = forSuite(() => startRig(fastTime));

  async function someone(who: string) {
    await makeKnown(rig.sandbox, who);
    const opened = await openForm(rig.product, books, who);
    const { on, off } = switches(opened.form);
    const [leaving = '', joining = ''] = [on[0], off[0]];
    return { who, opened, leaving, joining };
  }

  const puts = (who: string) => rig.sandbox.calls({ operation: 'update-subject', identifier: who });

  /** One click of a mailbox provider, and how long its answer took. */
  async function click(who: string): Promise<{ readonly ms: number }> {
    const seal = createSeal([rig.product.env['SECRET'] ?? '']);
    const subject = who as SubjectId;
    const token = sealOneClick(seal, { center: books, subject, purpose: undefined, madeAt: Date.now() });
    const began = performance.now();
    const clicked = await fetch(`${rig.product.url}/u/${token}`, {
      method: 'POST',
      body: 'List-Unsubscribe=One-Click',
    });
    await clicked.body?.cancel();
    assert.equal(clicked.status, 200);
    return { ms: performance.now() - began };
  }

  test('gets one PUT for many equal posts at once, and all are shown the same result.', async () => {
    const equal = times(15, 50);
    const { who, opened, leaving } = await someone('equal.posts@example.org');
    opened.form.untick('purpose', leaving);
    await rig.sandbox.clearCalls();
    const answers = await Promise.all(Array.from({ length: equal }, () => send(opened)));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [303]);
    assert.equal(new Set(answers.map(({ location }) => location)).size, 1);
    assert.equal((await puts(who)).length, 1);
  });

  test('gets one PUT although its answer was lost, and leaves one receipt.', async () => {
    const { who, opened, leaving } = await someone('lost.answer@example.org');
    opened.form.untick('purpose', leaving);
    await rig.sandbox.clearCalls();
    await rig.sandbox.addFault({
      kind: 'drop',
      operation: 'update-subject',
      identifier: who,
      when: 'after',
      count: 1,
    });
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(opened)));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [303]);
    const isGone = async () => !(await onRecord(rig.sandbox, books, who)).has(leaving.toLowerCase());
    assert.ok(await within(15_000, isGone));
    await pause(1_500 / pace);
    await send(opened);
    assert.equal((await puts(who)).length, 1);
  });

  test('that answers 500 to everything gets at most 1.1 calls for each that is wanted.', async () => {
    const who = 'all.broken@example.org';
    await makeKnown(rig.sandbox, who);
    // Signed in, with no page read that would be shown again.
    const visitor = createVisitor(rig.product.url);
    const home = (await visitor.get(await linkTo(rig.product, books, who))).location ?? assert.fail();
    await rig.sandbox.clearCalls();
    await rig.sandbox.addFault({ kind: '500', operation: 'read-subject' });
    const wanted = times(100, 3_000);
    let answered = 0;
    for (let sent = 0; sent < wanted; sent += 20) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => visitor.get(home)));
      answered += answers.filter(({ status }) => status === 503).length;
    }
    const calls = (await rig.sandbox.calls({ operation: 'read-subject' })).length;
    await rig.sandbox.clearFaults();
    const isBack = async () => (await visitor.get(home)).status === 200;
    assert.ok(await within(10_000, isBack), 'the circuit did not close again');
    assert.equal(answered, wanted);
    assert.ok(calls <= wanted * 1.1, `${calls} calls for ${wanted}`);
    process.stdout.write(`all 500: ${calls} calls upstream for ${wanted} wanted\n`);
  });

  test('gets every withdrawal soon after it is back, and no opt-in whose minute was over.', async () => {
    const people = [];
    for (let index = 0; index < 8; index += 1) people.push(await someone(`outage.${index}@example.org`));
    rig.proxy.suffer('', { down: true });
    const answers = await Promise.all(
      people.map(({ opened, leaving, joining }, index) => {
        if (index < 6) opened.form.untick('purpose', leaving);
        else opened.form.tick('purpose', joining);
        return send(opened);
      }),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      people.map(() => 303),
    );
    const [first] = people;
    const result = await first?.opened.visitor.open(answers[0]?.location ?? '');
    assert.equal(result?.status, 200);
    const clicks = [];
    for (let index = 0; index < times(15, 1_000); index += 1) {
      clicks.push(await click(`click.${index}@example.org`));
    }
    const p99 = percentile(clicks, 0.99);
    // Longer than a minute, after which an opt-in may not come any more; ten minutes in the long form.
    await pause(times(3_000, 600_000) / pace);
    const isPastMinute = times(0, 1) === 1;
    assert.ok((await pendingOf(rig.product.metricsUrl)) >= clicks.length, 'each click was taken for later');
    rig.proxy.heal();
    const began = performance.now();
    for (const { who, leaving } of people.slice(0, 6)) {
      const isGone = async () => !(await onRecord(rig.sandbox, books, who)).has(leaving.toLowerCase());
      assert.ok(await within(60_000, isGone), `${who}: lost`);
    }
    const isNoneLeft = async () => (await pendingOf(rig.product.metricsUrl)) === 0;
    assert.ok(await within(60_000 - (performance.now() - began), isNoneLeft), 'some still wait');
    const took = performance.now() - began;
    if (isPastMinute) {
      for (const { who, joining } of people.slice(6)) {
        assert.equal((await onRecord(rig.sandbox, books, who)).has(joining.toLowerCase()), false, who);
      }
    }
    process.stdout.write(
      `outage: all withdrawals on record ${Math.round(took)} ms after its return; one click meanwhile p99 ${p99.toFixed(1)} ms\n`,
    );
  });

  test('does not hold up a flood of clicks meanwhile, and gets them all afterwards.', async () => {
    rig.proxy.suffer('', { down: true });
    const count = times(60, 2_000);
    const people = Array.from({ length: count }, (_, index) => `flood.${index}@example.org`);
    const clicks = await Promise.all(people.map(click));
    const paced = [];
    for (let index = 0; index < times(10, 500); index += 1) {
      paced.push(click(`paced.${index}@example.org`));
      await pause(20);
    }
    const after = await Promise.all(paced);
    assert.ok((await pendingOf(rig.product.metricsUrl)) >= count);
    rig.proxy.heal();
    const began = performance.now();
    const isNoneLeft = async () => (await pendingOf(rig.product.metricsUrl)) === 0;
    assert.ok(await within(60_000, isNoneLeft), 'some still wait');
    const took = Math.round(performance.now() - began);
    process.stdout.write(
      `flood: ${count} clicks at once p99 ${percentile(clicks, 0.99).toFixed(0)} ms; then 50 a second, with those waiting, p99 ${percentile(after, 0.99).toFixed(1)} ms; all carried out ${took} ms after the return\n`,
    );
  });
});

/** Submissions that wait, as the product counts them. */
async function pendingOf(url: string): Promise<number> {
  const text = await (await fetch(url)).text();
  assert.match(text, /^sayso_journal_submissions\{/m);
  return Number(/^sayso_journal_submissions\{state="pending"\} (\d+)$/m.exec(text)?.[1] ?? 0);
}
