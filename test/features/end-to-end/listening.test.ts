import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { startProduct } from '../../kit/product.ts';

/**
 * Tells if a process listens at the address. On Linux a process that listens at all addresses does so at
 * 127.0.0.2.
 */
async function listens(port: string | undefined, host: string): Promise<boolean> {
  const socket = connect({ port: Number(port), host });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

test('the sandbox listens on this machine only, and shows no metrics without a token', async () => {
  await using product = await startProduct({ env: { METRICS_PORT: '' } });
  assert.equal(await listens(product.env['PORT'], '127.0.0.1'), true);
  assert.equal(await listens(product.env['PORT'], '127.0.0.2'), false);
  for (const headers of [{}, { authorization: 'Bearer ' }, { authorization: 'Bearer undefined' }]) {
    assert.equal((await fetch(`${product.url}/metrics`, { headers })).status, 404);
  }
});

test('HOST=all listens at all addresses, and METRICS_TOKEN shows metrics at their own port only', async () => {
  const token = '5qcdUVu3pxTqFE8zctbeDOyvCv0s38SWfr2LxbdgvaM';
  await using product = await startProduct({ env: { HOST: 'all', METRICS_TOKEN: token } });
  assert.equal(await listens(product.env['PORT'], '127.0.0.2'), true);
  const headers = { authorization: `Bearer ${token}` };
  assert.equal((await fetch(product.metricsUrl, { headers })).status, 200);
  assert.equal((await fetch(product.metricsUrl)).status, 404);
  assert.equal((await fetch(`${product.url}/metrics`, { headers })).status, 404);
});
