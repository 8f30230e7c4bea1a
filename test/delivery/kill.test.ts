import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { usualLimits } from '../../src/core/consent/desired-state.ts';
import { viewOf } from '../../src/core/consent/submission-view.ts';
import type { SubjectId } from '../../src/core/model/person/subject.ts';
import type { ConsentUpdate } from '../../src/core/model/submission/consent-update.ts';
import { noIntent } from '../../src/core/model/submission/intent.ts';
import { times } from '../chaos/dice.ts';
import { record } from '../core/center-builder.ts';
import { generator } from '../kit/generator.ts';
import { aRequest, intentOf, leaveAll, off, on, openStores } from './fixture.ts';
import { killCenter, speed } from './kill-setting.ts';
import { ScriptedPlatform } from './scripted-platform.ts';

const points = times(10, 200);
const seed = Number(process.env['SAYSO_SEED'] ?? times(1, Date.now() % 2 ** 31));

interface Asked {
  readonly kind: 'read' | 'put' | 'delete' | 'accepted' | 'ready';
  readonly id: number;
  readonly subject: SubjectId;
  readonly update: ConsentUpdate;
  readonly reference: string;
  /** By the child's fast clock. */
  readonly at: number;
}

test(`kill -9 at ${points} random points loses no accepted withdrawal and grants nothing late (seed ${seed})`, async (t) => {
  const random = generator(seed);
  const folder = mkdtempSync(join(tmpdir(), 'sayso-'));
  const file = join(folder, 'journal.db');
  const platform = new ScriptedPlatform(killCenter);
  const accepted = new Map<SubjectId, { reference: string; at: number }>();
  const late: string[] = [];
  let child: ChildProcess | undefined;
  t.after(() => {
    child?.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(): Promise<ChildProcess> {
    const started = fork(join(import.meta.dirname, 'kill-child.ts'), [file], { stdio: 'inherit' });
    started.on('message', (message: Asked) => void serve(started, message));
    await once(started, 'message');
    return started;
  }

  async function serve(from: ChildProcess, message: Asked): Promise<void> {
    const { kind, id, subject, at } = message;
    if (kind === 'ready') return;
    if (kind === 'accepted') {
      accepted.set(subject, { reference: message.reference, at });
      return;
    }
    if (kind === 'put') noteLate(message);
    const answer = await (kind === 'read'
      ? platform.readSubject('center', subject)
      : kind === 'put'
        ? platform.updateConsent('center', subject, message.update)
        : platform.withdrawAll('center', subject));
    await sleep(random() * 3);
    if (from.connected) from.send({ kind: 'answer', id, answer }, () => undefined);
  }

  async function acceptanceOf(subject: SubjectId): Promise<void> {
    for (let waited = 0; waited < 5_000 && !accepted.has(subject); waited += 1) await sleep(1);
  }

  /** What is granted must have been called for within its minute, by the clock of the process that called. */
  function noteLate({ subject, update, at }: Asked): void {
    const isOn = platform.statusOf(subject, 'b') === 'active';
    const submittedAt = accepted.get(subject)?.at ?? at;
    if (!isOn && update.purposes.some(({ id }) => id === 'b') && at >= submittedAt + usualLimits.grantLife)
      late.push(subject);
  }

  for (let point = 0; point < points; point += 1) {
    child = await start();
    const subject = `person-${point}@example.org` as SubjectId;
    platform.put({ id: subject, language: undefined, purposes: [record('a', 'active')], dataElements: {} });
    const intent = random() < 0.25 ? leaveAll : { ...noIntent, ...intentOf(off('a'), on('b'), off('d')) };
    child.send({ kind: 'order', request: aRequest({ nonce: `kill-${point}`, subject, intent }) });
    // Every second time it has been accepted first: on a busy machine alone that may take longer than the rest.
    if (point % 2 === 0) await acceptanceOf(subject);
    await sleep(random() * 30);
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    // Sometimes it is back at once, sometimes only after everybody's minute.
    if (random() < 0.3) await sleep(700);
  }

  child = await start();
  const people = [...accepted.keys()];
  const isLeft = (id: SubjectId) =>
    platform.statusOf(id, 'a') === 'off' && platform.statusOf(id, 'd') === 'off';
  for (let waited = 0; waited < 10_000 && !people.every(isLeft); waited += 100) await sleep(100);
  await sleep(500);
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;

  assert.ok(people.length > points / 4, `only ${people.length} were accepted before the kill`);
  assert.deepEqual(
    people.filter((id) => !isLeft(id)),
    [],
    'withdrawals were lost',
  );
  assert.deepEqual(late, []);
  const clock = { now: () => Math.floor((performance.timeOrigin + performance.now()) * speed) };
  const stores = openStores({ file, clock });
  t.after(stores.close);
  for (const [id, { reference }] of accepted) {
    const entry = await stores.journal.findOwn(reference, id);
    const items = entry === undefined ? [] : viewOf(entry, clock.now()).items;
    const granted = items.find((item) => item.id === 'b' && item.change === 'on');
    if (granted?.outcome === 'saved')
      assert.equal(platform.statusOf(id, 'b'), 'active', 'said saved, and is not');
    if (granted?.outcome === 'not-saved')
      assert.notEqual(platform.statusOf(id, 'b'), 'active', 'said not saved, and is');
  }
});
