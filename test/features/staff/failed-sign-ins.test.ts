import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { createFailedSignIns } from '../../../src/features/staff/failed-sign-ins.ts';
import { openStaffLog } from '../../../src/store/sqlite/staff-log.ts';
import { FakeTime } from '../../delivery/fake-time.ts';

const hour = 60 * 60 * 1000;
const failed = { does: 'tried to sign in', about: 'single sign-on failed', from: '203.0.113.0/24' };

function open(t: TestContext) {
  const time = new FakeTime();
  const log = openStaffLog({ file: ':memory:' });
  t.after(() => log.close());
  const writes = { begin: 0, settle: 0 };
  const counted = {
    begin: (entry: Parameters<typeof log.begin>[0]) => {
      writes.begin += 1;
      return log.begin(entry);
    },
    settle: (...given: Parameters<typeof log.settle>) => {
      writes.settle += 1;
      log.settle(...given);
    },
  };
  const failures = createFailedSignIns({ log: counted, clock: time, timer: time });
  const lines = () => log.list({ limit: 1_000 }).map(({ name, about }) => `${name}: ${about}`);
  return { failures, time, lines, writes };
}

suite('Failed sign-ins of staff', () => {
  test('are all in the audit log: twenty an hour by themselves, the others as a number.', async (t) => {
    const { failures, time, lines, writes } = open(t);
    for (let times = 0; times < 1_000; times += 1) failures.stranger(failed);
    await time.advance(1_000);
    assert.equal(lines().length, 21);
    assert.equal(lines()[0], 'nobody: 980 more within the hour (the last from 203.0.113.0/24)');
    assert.equal(lines()[20], 'nobody: single sign-on failed (203.0.113.0/24)');
    assert.deepEqual(writes, { begin: 21, settle: 1 }, 'a flood is not a flood of writes');
    for (let times = 0; times < 10; times += 1) failures.stranger({ ...failed, from: '2001:db8:7::/48' });
    failures.close();
    assert.equal(lines()[0], 'nobody: 990 more within the hour (the last from 2001:db8:7::/48)');
    await time.advance(hour);
    for (let times = 0; times < 22; times += 1) failures.stranger(failed);
    await time.advance(1_000);
    assert.equal(lines().length, 42);
    assert.equal(lines()[0], 'nobody: 2 more within the hour (the last from 203.0.113.0/24)');
  });

  test('of people without a role are named, and no stranger takes their place.', async (t) => {
    const { failures, lines } = open(t);
    for (let times = 0; times < 100; times += 1) failures.stranger(failed);
    failures.known({ id: 'issuer norma', name: 'Norma' }, { ...failed, about: 'no role' });
    assert.equal(lines()[0], 'Norma: no role (203.0.113.0/24)');
    for (let times = 0; times < 100; times += 1) {
      failures.known({ id: 'issuer norma', name: 'Norma' }, { ...failed, about: 'no role' });
    }
    failures.close();
    assert.equal(lines()[0], 'people without a role: 81 more within the hour (the last from 203.0.113.0/24)');
    assert.equal(lines().length, 42);
  });
});
