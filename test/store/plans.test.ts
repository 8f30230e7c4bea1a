import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHostedLinks } from '../../src/store/hosted-links.ts';
import { openPasscodes } from '../../src/store/passcodes.ts';
import { openRateCounters } from '../../src/store/rate-counters.ts';
import { openReplayGuard } from '../../src/store/replay-guard.ts';
import { createSeal } from '../../src/store/seal.ts';
import { openSessionStore } from '../../src/store/sessions.ts';
import { sessionTimes } from './contract/sessions.ts';
import { aClock, anna, laterSecret, secret } from './contract/test-store.ts';
import { noted } from './noted.ts';
import { inMemory, wholeLayout } from './on-both.ts';
import { plansInFile } from './plan.ts';

/** Finds rows by their end: only what sweeps may. */
const byTime =
  /USING (COVERING )?INDEX (session_end|sign_out_at|passcode_end|used_token_until|rate_counter_end|hosted_link_end)\b/;
/** Reads a whole table, or all of a store. */
const whole =
  /^SCAN (session|session_subject|sign_out|passcode|used_token|rate_counter|hosted_link|hosted_link_count)\b|\(store=\?\)$/;

test('In a file each statement of what a request asks finds its rows by their key, however many there are', async (t) => {
  const { sql, asked } = noted(inMemory(aClock()));
  t.after(() => sql.close());
  const seal = createSeal([secret, laterSecret]);
  const visit = { center: 'c', subject: anna, scope: 'manage', channel: 'link', since: 1 } as const;

  const sessions = openSessionStore({ sql, store: 'visitors', seal, ...sessionTimes });
  await sessions.save('one', { visits: [visit] });
  await sessions.find('one');
  await sessions.signedOutAt(anna);
  await sessions.touch('another');
  await sessions.end('another');
  await sessions.endAllOf(anna);
  const passcodes = openPasscodes({ sql, seal });
  await passcodes.open({
    id: 'id',
    center: 'c',
    subject: anna,
    link: 'l',
    code: '1',
    endsAt: 9e15,
    isShared: true,
  });
  await passcodes.isTryable('id', 'c');
  await passcodes.tryCode('id', 'c', '2');
  await passcodes.findShared('c', anna);
  await passcodes.findLink('l', 'c');
  await passcodes.endOf(anna);
  await passcodes.takeLink('l', 'c');
  const replayGuard = openReplayGuard({ sql, seal });
  await replayGuard.spend('ticket', 'one', 1);
  await replayGuard.isUsed('ticket', 'one');
  const rateCounters = openRateCounters({ sql, seal });
  for (let times = 0; times < 2; times += 1) await rateCounters.count('use', 'key', { most: 1, withinMs: 9 });
  await rateCounters.giveBack('use', 'key', { endsAt: 1 });
  await rateCounters.look('use', 'key', 9);
  const hostedLinks = openHostedLinks({ sql, seal });
  await hostedLinks.add([{ token: 'a', subject: anna, madeAt: 1, endsAt: 9e15 }]);
  await hostedLinks.find('a');
  await hostedLinks.note('c', 'opened');
  await hostedLinks.counts(0);
  const ofRequests = new Set(asked.keys());
  for (const store of [sessions, passcodes, replayGuard, rateCounters, hostedLinks]) await store.sweep();

  const planOf = plansInFile(wholeLayout);
  assert.ok(ofRequests.size >= 20, `${ofRequests.size} statements`);
  let sweeping = 0;
  for (const { name, sql: text } of asked.values()) {
    const plan = planOf(text);
    assert.ok(!plan.some((line) => whole.test(line)), `${text}\n${plan.join('\n')}`);
    if (!plan.some((line) => byTime.test(line))) continue;
    assert.ok(!ofRequests.has(name), `${text}\n${plan.join('\n')}`);
    sweeping += 1;
  }
  assert.equal(sweeping, 6, 'each sweep is led by its index');
});
