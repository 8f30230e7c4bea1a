import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { within } from '../../src/web/within.ts';

suite('What is waited for only so long', () => {
  test('is what came, though what stands in for it was at hand.', async () => {
    assert.equal(await within(10_000, Promise.resolve('found'), () => undefined), 'found');
    assert.equal(await within(10_000, Promise.resolve(undefined), () => 'unread'), undefined);
  });

  test('is stood in for when it fails, and when it takes longer.', async () => {
    assert.equal(await within(10_000, Promise.reject(new Error('down')), () => 'unread'), 'unread');
    const { promise, reject } = Promise.withResolvers<string>();
    assert.equal(await within(5, promise, () => 'unread'), 'unread');
    // What fails after that is nobody's fault any more.
    reject(new Error('late'));
    await new Promise((resolve) => setImmediate(resolve));
  });

  test('holds nothing up afterwards: no timer is left.', async () => {
    await within(60_000, Promise.resolve('found'), () => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    assert.ok(!process.getActiveResourcesInfo().includes('Timeout'));
  });
});
