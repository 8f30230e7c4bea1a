import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, suite, test } from 'node:test';
import { runCommand } from '../kit/command.ts';
import { productOf } from '../kit/for-suite.ts';
import { browserOf, openContext } from './browser.ts';

const books = 'b00c5000-0000-4000-8000-000000000001';
const anna = 'anna@example.org';
const strange = Buffer.alloc(32, 7).toString('base64');

suite('A link of the platform’s hosted page, in a browser with scripts on,', () => {
  const browser = browserOf();
  const product = productOf();
  let token = '';

  before(async () => {
    const answer = await product.sandbox.call('/api/consentmanager/v1/linktokens?size=2000');
    const { content } = (await answer.json()) as { content: { DataSubjectId: string; LinkToken: string }[] };
    token = content.find(({ DataSubjectId }) => DataSubjectId === anna)?.LinkToken ?? '';
    const at = new Date().toISOString().slice(0, 23);
    const table = `DataSubjectId,LinkToken,ExpiryDate,CreatedDate\n${anna},${token},2099-12-31,${at}\n`;
    const file = join(product.home, 'linktokens.csv');
    writeFileSync(file, table);
    const { code, stderr } = await runCommand(['import-links', '--file', file], product.env);
    assert.equal(code, 0, stderr);
  });

  const linkTo = (text: string, kind = 'multipage/token') =>
    `${product.url}/ui/#/preferences/${kind}/${books}/${encodeURIComponent(text)}`;

  test('opens its person’s page, and stays in no address.', async () => {
    const page = await (await openContext(browser, { script: true })).newPage();
    const asked: string[] = [];
    page.on(
      'request',
      (request) => void asked.push(`${request.url()} ${request.headers()['referer'] ?? ''}`),
    );
    await page.goto(linkTo(token));
    await page.waitForURL(`${product.url}/centers/${books}`);
    await page.locator('[data-preferences]').waitFor();
    assert.match(await page.locator('.who').innerText(), /a•+@example\.org/);
    const told = encodeURIComponent(token).slice(0, 20);
    assert.ok(!asked.some((address) => address.includes(told)), asked.join('\n'));
    await page.goBack();
    assert.ok(!page.url().includes('#'), `back leads to ${page.url()}`);
  });

  test('leads to the sign-in when it was not imported, or it is one of a sign-in.', async () => {
    const page = await (await openContext(browser, { script: true })).newPage();
    const signIn = `${product.url}/ui/#/preferences/multipage/login/${books}`;
    for (const address of [linkTo(strange, 'token'), signIn]) {
      await page.goto(address);
      await page.waitForURL(`${product.url}/centers/${books}/sign-in`);
      await page.locator('input[name="email"]').waitFor();
    }
  });
});
