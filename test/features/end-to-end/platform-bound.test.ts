import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { suite, test } from 'node:test';
import { onRecord } from '../../chaos/rig.ts';
import { oneClick } from '../../kit/one-click.ts';
import { type Product, startProduct, tenantAt } from '../../kit/product.ts';
import { books } from '../../kit/sandbox-ids.ts';
import { until } from '../../kit/until.ts';

const anna = 'anna@example.org';
async function writesOf(platform: Product): Promise<number> {
  const calls = await platform.sandbox.calls();
  return calls.filter(({ method }) => method === 'DELETE' || method === 'PUT').length;
}

suite('A journal belongs to one platform', () => {
  test('a pending withdrawal is sent to no other platform, and is not lost', async () => {
    await using before = await startProduct();
    await using after = await startProduct();
    const env: Record<string, string> = tenantAt(before.sandboxUrl);
    await using product = await startProduct({ env });
    const settings = product.env as Record<string, string>;
    await before.sandbox.addFault({ kind: '500', operation: '*' });
    await oneClick(product, anna);
    await product.stop();
    await before.sandbox.clearFaults();
    const writes = await writesOf(after);

    settings['PLATFORM_URL'] = after.sandboxUrl;
    await assert.rejects(product.start(), (fault: Error) => {
      assert.match(fault.message, new RegExp(`is of ${before.sandboxUrl}, not of ${after.sandboxUrl}`));
      assert.match(fault.message, new RegExp(`1 unfinished.*PLATFORM_MOVED_FROM=${before.sandboxUrl}`));
      return true;
    });
    settings['PLATFORM_MOVED_FROM'] = 'http://127.0.0.1:9';
    await assert.rejects(product.start(), /is of http/);
    assert.equal(await writesOf(after), writes, 'the new platform was not called');

    for (const name of [...Object.keys(tenantAt('')), 'PLATFORM_MOVED_FROM']) delete settings[name];
    settings['SANDBOX'] = 'on';
    await assert.rejects(product.start(), /is of http.*not of the sandbox/);
    delete settings['SANDBOX'];

    Object.assign(settings, tenantAt(after.sandboxUrl), { PLATFORM_MOVED_FROM: `${before.sandboxUrl}/` });
    assert.ok((await onRecord(after.sandbox, books, anna)).size > 0);
    await product.start();
    // The result waits for the schema, which a busy machine reads late; a stop before that would leave it
    // unfinished.
    const journal = new DatabaseSync(`${product.home}/data/journal.sqlite`, { readOnly: true });
    const pending = journal.prepare("SELECT 1 FROM submission WHERE state = 'pending'");
    await until(() => pending.get() === undefined, 'the withdrawal is saved at the new address');
    journal.close();
    assert.equal((await onRecord(after.sandbox, books, anna)).size, 0);
  });
});
