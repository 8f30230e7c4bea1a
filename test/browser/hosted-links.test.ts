import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, suite, test } from 'node:test';
import { runCommand } from '../kit/command.ts';
import { productOf } from '../kit/for-suite.ts';
import { books } from '../kit/sandbox-ids.ts';
import { browserOf, openContext } from './browser.ts';

const anna = 'anna@example.org';
const strange = Buffer.alloc(32, 7).toString('base64');

suite('Hosted links with scripts on', () => {
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

  test('a hosted link opens its person’s page, and its token is in no address', async () => {
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
    const beginning = encodeURIComponent(token).slice(0, 20);
    assert.ok(!asked.some((address) => address.includes(beginning)), asked.join('\n'));
    await page.goBack();
    assert.ok(!page.url().includes('#'), `back leads to ${page.url()}`);
  });

  test('a hosted link that was not imported, or that leads to a sign-in, opens the sign-in', async () => {
    const page = await (await openContext(browser, { script: true })).newPage();
    const signIn = `${product.url}/ui/#/preferences/multipage/login/${books}`;
    for (const address of [linkTo(strange, 'token'), signIn]) {
      await page.goto(address);
      await page.waitForURL(`${product.url}/centers/${books}/sign-in`);
      await page.locator('input[name="email"]').waitFor();
    }
  });
});
