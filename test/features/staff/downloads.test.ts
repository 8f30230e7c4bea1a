import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startProduct } from '../../kit/product.ts';
import { enter } from './fixture.ts';

test('A staff member downloads each table, and Node warns of no leaked listener.', async (t) => {
  const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  process.on('warning', note);
  t.after(() => process.off('warning', note));
  await using product = await startProduct({ env: tracing });
  const staff = await enter(product);
  for (const name of ['audit', 'submissions', 'reasons']) {
    const table = await staff.open(`/staff/${name}.csv`);
    assert.equal(table.status, 200, name);
    assert.match(String(table.headers['content-type']), /text\/csv/);
    assert.match(table.text, /^[\w" ]+,/, name);
  }
  await staff.open('/staff');
  assert.deepEqual(
    warnings.filter(({ name }) => name === 'MaxListenersExceededWarning'),
    [],
  );
});
