import assert from 'node:assert/strict';
import { test } from 'node:test';
import { request } from 'undici';
import { startProduct } from '../kit/product.ts';
import { until } from '../kit/until.ts';
import { send, someone } from './rig.ts';

// test/deploy/processes replaces a node under load, behind HAProxy.
test('a signal ends readiness first, then the product, although the platform hangs; the next start withdraws', async () => {
  await using product = await startProduct({ env: { DRAIN_SECONDS: '2' } });
  const rig = { front: product, sandbox: product.sandbox };
  const person = await someone({ rig, who: 'hangs@example.org' });
  person.form.untick('purpose', person.leaving);
  await product.sandbox.addFault({
    kind: 'late',
    operation: 'update-subject',
    milliseconds: 600_000,
    answer: 'never',
  });
  const posted = send(person).catch(() => undefined);
  await until(async () => (await product.sandbox.waiting()) > 0);
  const began = performance.now();
  const stopped = product.stop();
  const ready = await request(`${product.url}/health/ready`);
  await ready.body.dump();
  assert.deepEqual([ready.statusCode, ready.headers['connection']], [503, 'close']);
  await stopped;
  const took = performance.now() - began;
  await posted;
  await product.start();
  await until(person.hasLeft, 'the withdrawal is on record');
  process.stdout.write(`drain: ended ${Math.round(took)} ms after the signal with a hanging platform\n`);
});
