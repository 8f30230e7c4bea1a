import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { within } from '../../src/web/within.ts';

suite('A promise with a time limit', () => {
  test('gives its own value when it settles in time, even undefined', async () => {
    assert.equal(await within(10_000, Promise.resolve('found'), () => undefined), 'found');
    assert.equal(await within(10_000, Promise.resolve(undefined), () => 'unread'), undefined);
  });

  test('gives the fallback when it fails or takes longer', async () => {
    assert.equal(await within(10_000, Promise.reject(new Error('down')), () => 'unread'), 'unread');
    const { promise, reject } = Promise.withResolvers<string>();
    assert.equal(await within(5, promise, () => 'unread'), 'unread');
    // A later failure causes no unhandled rejection.
    reject(new Error('late'));
    await new Promise((resolve) => setImmediate(resolve));
  });

  test('leaves no timer behind', async () => {
    await within(60_000, Promise.resolve('found'), () => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    assert.ok(!process.getActiveResourcesInfo().includes('Timeout'));
  });
});
