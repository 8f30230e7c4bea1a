import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { createFailedSignIns } from '../../../src/features/staff/failed-sign-ins.ts';
import type { StaffLog } from '../../../src/ports/staff-log.ts';
import { openStaffLog } from '../../../src/store/staff-log.ts';
import { FakeTime } from '../../delivery/fake-time.ts';
import { inMemory } from '../../store/on-both.ts';

const hour = 60 * 60 * 1000;
const failed = { does: 'tried to sign in', about: 'single sign-on failed', from: '203.0.113.0/24' };

function open(t: TestContext) {
  const time = new FakeTime();
  const sql = inMemory(time);
  const log = openStaffLog({ sql, auditMs: 24 * hour });
  t.after(() => sql.close());
  const writes = { line: 0, number: 0 };
  const addFailedSignIn: StaffLog['addFailedSignIn'] = async (...given) => {
    const added = await log.addFailedSignIn(...given);
    writes[added.kind] += 1;
    return added;
  };
  const failures = createFailedSignIns({ log: { addFailedSignIn }, clock: time, timer: time });
  const strangers = (times: number, change: object = {}) =>
    Promise.all(Array.from({ length: times }, () => failures.stranger({ ...failed, ...change })));
  const lines = async () => (await log.list({ limit: 1_000 })).map(({ name, about }) => `${name}: ${about}`);
  return { failures, strangers, time, lines, writes };
}

suite('Failed sign-ins of staff', () => {
  test('all failed sign-ins are in the audit log: twenty an hour as lines, the others as a number', async (t) => {
    const { failures, strangers, time, lines, writes } = open(t);
    await strangers(1_000);
    await time.advance(1_000);
    assert.equal((await lines()).length, 21);
    assert.equal((await lines())[0], 'nobody: 980 more within the hour (the last from 203.0.113.0/24)');
    assert.equal((await lines())[20], 'nobody: single sign-on failed (203.0.113.0/24)');
    assert.deepEqual(writes, { line: 20, number: 2 }, 'a flood is not a flood of writes');
    await strangers(10, { from: '2001:db8:7::/48' });
    await failures.close();
    assert.equal((await lines())[0], 'nobody: 990 more within the hour (the last from 2001:db8:7::/48)');
    await time.advance(hour);
    await strangers(22);
    await time.advance(1_000);
    assert.equal((await lines()).length, 42);
    assert.equal((await lines())[0], 'nobody: 2 more within the hour (the last from 203.0.113.0/24)');
  });

  test('failed sign-ins of people without a role are named, and no stranger takes their place', async (t) => {
    const { failures, strangers, lines } = open(t);
    await strangers(100);
    const norma = { id: 'issuer norma', name: 'Norma' };
    for (let times = 0; times < 101; times += 1) await failures.known(norma, { ...failed, about: 'no role' });
    await failures.close();
    const [last, first] = await lines();
    assert.equal(last, 'people without a role: 81 more within the hour (the last from 203.0.113.0/24)');
    assert.equal(first, 'Norma: no role (203.0.113.0/24)');
    assert.equal((await lines()).length, 42);
  });
});
