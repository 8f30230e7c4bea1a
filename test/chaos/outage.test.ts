import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { quantile } from '../bench/figures.ts';
import { fastTime, pace } from '../kit/fast-time.ts';
import { forSuite } from '../kit/for-suite.ts';
import { createVisitor } from '../kit/visitor.ts';
import { times } from './dice.ts';
import { books, click, linkTo, makeKnown, pendingOf, send, someone, startRig, timed, within } from './rig.ts';

suite('A platform that answers badly or not at all', () => {
  const rig = forSuite(() => startRig(fastTime));

  const puts = (identifier: string) => rig.sandbox.calls({ operation: 'update-subject', identifier });

  test('many equal posts at once make one PUT, and all are shown the same result', async () => {
    const equal = times(15, 50);
    const person = await someone({ rig, who: 'equal.posts@example.org' });
    person.form.untick('purpose', person.leaving);
    await rig.sandbox.clearCalls();
    const answers = await Promise.all(Array.from({ length: equal }, () => send(person)));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [303]);
    assert.equal(new Set(answers.map(({ location }) => location)).size, 1);
    assert.equal((await puts(person.who)).length, 1);
  });

  test('a PUT whose answer was lost is made once', async () => {
    const person = await someone({ rig, who: 'lost.answer@example.org' });
    const { who } = person;
    person.form.untick('purpose', person.leaving);
    await rig.sandbox.clearCalls();
    await rig.sandbox.addFault({
      kind: 'drop',
      operation: 'update-subject',
      identifier: who,
      when: 'after',
      count: 1,
    });
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(person)));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [303]);
    assert.ok(await within(15_000, person.hasLeft));
    await pause(1_500 / pace);
    await send(person);
    assert.equal((await puts(who)).length, 1);
  });

  test('a platform that always answers 500 gets at most 1.1 calls for each that is wanted', async () => {
    const identifier = 'all.broken@example.org';
    await makeKnown(rig.sandbox, identifier);
    // The visitor is signed in, but has read no page that could be shown again.
    const visitor = createVisitor(rig.product.url);
    const home = (await visitor.get(await linkTo(rig.product, books, identifier))).location ?? assert.fail();
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

  test('a platform that is back gets every withdrawal soon, and no opt-in whose minute is over', async () => {
    const people = [];
    const count = times(3, 8);
    for (let index = 0; index < count; index += 1)
      people.push(await someone({ rig, who: `outage.${index}@example.org` }));
    const leavers = people.slice(0, times(2, 6));
    rig.proxy.setFault('', { down: true });
    const answers = await Promise.all(
      people.map((person, index) => {
        if (index < leavers.length) person.form.untick('purpose', person.leaving);
        else person.form.tick('purpose', person.joining);
        return send(person);
      }),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      people.map(() => 303),
    );
    const [first] = people;
    const result = await first?.visitor.open(answers[0]?.location ?? '');
    assert.equal(result?.status, 200);
    const clicks: number[] = [];
    for (let index = 0; index < times(15, 1_000); index += 1) {
      const { status, ms } = await timed(() => click(rig.front, `click.${index}@example.org`));
      assert.equal(status, 200);
      clicks.push(ms);
    }
    const p99 = quantile(clicks, 0.99);
    // In the long form the platform is away for ten minutes, and an opt-in may be granted within one.
    await pause(times(3_000, 600_000) / pace);
    const isPastMinute = times(0, 1) === 1;
    assert.ok((await pendingOf(rig.product.metricsUrl)) >= clicks.length, 'each click was taken for later');
    rig.proxy.heal();
    const began = performance.now();
    for (const { who, hasLeft } of leavers) assert.ok(await within(60_000, hasLeft), `${who}: lost`);
    const isNoneLeft = async () => (await pendingOf(rig.product.metricsUrl)) === 0;
    assert.ok(await within(60_000 - (performance.now() - began), isNoneLeft), 'some still wait');
    const took = performance.now() - began;
    if (isPastMinute)
      for (const { who, hasJoined } of people.slice(leavers.length))
        assert.equal(await hasJoined(), false, who);
    process.stdout.write(
      `outage: all withdrawals on record ${Math.round(took)} ms after its return; one click meanwhile p99 ${p99.toFixed(1)} ms\n`,
    );
  });
});
