import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { forSuite } from '../../kit/for-suite.ts';
import { startProcess } from '../../kit/product.ts';
import { bank, books } from '../../kit/sandbox-ids.ts';
import { until } from '../../kit/until.ts';
import { createVisitor } from '../../kit/visitor.ts';

const shop = { address: 'shop', center: books, brand: { name: 'Old Harbour' } };
const apiKeys = [{ name: 'crm', label: 'CRM', sha256: 'c0'.repeat(32), scopes: ['may-send'] }];

const product = forSuite(() => startProcess({ centers: [shop] }));

/** Writes the file, sends SIGHUP, and waits for the log line of the product. */
async function reload(text: string, line: RegExp): Promise<string> {
  writeFileSync(product.env['CENTERS_FILE'] ?? '', text);
  const from = product.output().length;
  process.kill(product.pid ?? assert.fail('the product does not run'), 'SIGHUP');
  return until(() => line.exec(product.output().slice(from))?.[0], String(line));
}

const accepted = /.*the centers file was read again.*/;
const refused = /.*the centers file was not taken: all is as it was.*/;
const page = (path: string) => createVisitor(product.url).get(path);

suite('A product that reads its centers file again (SIGHUP)', () => {
  test('the product serves new and changed centers, and no removed ones', async () => {
    assert.equal((await page('/centers/bank/sign-in')).status, 404);
    assert.match((await page('/centers/shop/sign-in')).text, /Old Harbour/);
    const next = [
      { ...shop, brand: { name: 'New Harbour', accent: '#204060' } },
      { address: 'bank', center: bank },
    ];
    const line = await reload(JSON.stringify(next), accepted);
    assert.deepEqual([JSON.parse(line).added, JSON.parse(line).changed], [['bank'], ['shop']]);
    const { status, text } = await page('/centers/shop/sign-in');
    assert.equal(status, 200);
    assert.match(text, /New Harbour/);
    for (const [, href = ''] of text.matchAll(/<link rel="stylesheet" href="([^"]+)"/g))
      assert.equal((await page(href)).status, 200, href);
    assert.equal((await page('/centers/bank/sign-in')).status, 200);
    assert.deepEqual(JSON.parse(await reload(JSON.stringify(next.slice(0, 1)), accepted)).removed, ['bank']);
    assert.equal((await page('/centers/bank/sign-in')).status, 404);
  });

  for (const [problem, text, fault] of [
    ['is no JSON', '{', /CENTERS_FILE/],
    ['has a fault', JSON.stringify([{ ...shop, center: 'canary' }]), /center/],
    ['is empty', '', /CENTERS_FILE/],
    ['has other keys of systems', JSON.stringify([{ ...shop, apiKeys }]), /restart/],
  ] as const) {
    test(`the centers stay and the log says why if the file ${problem}`, async () => {
      await reload(JSON.stringify([{ ...shop, brand: { name: 'Good Harbour' } }]), accepted);
      const line = await reload(text, refused);
      assert.match(JSON.parse(line).faults.join(), fault);
      assert.doesNotMatch(line, /canary|c0c0/);
      assert.match((await page('/centers/shop/sign-in')).text, /Good Harbour/);
    });
  }
});
