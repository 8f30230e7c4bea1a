import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startProcess } from '../../kit/product.ts';
import { enter } from './fixture.ts';

test('A staff member downloads each table, and Node warns of no leaked listener.', async () => {
  const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
  await using product = await startProcess({ env: tracing });
  const staff = await enter(product);
  for (const name of ['audit', 'submissions', 'reasons']) {
    const table = await staff.open(`/staff/${name}.csv`);
    assert.equal(table.status, 200, name);
    assert.match(String(table.headers['content-type']), /text\/csv/);
    assert.match(table.text, /^[\w" ]+,/, name);
  }
  // A warning is printed in a later turn than the answer: the log of another answer comes after it.
  await staff.open('/staff');
  assert.doesNotMatch(product.output(), /MaxListenersExceededWarning/);
});
