import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { textOf } from '../../kit/html.ts';
import { freePorts, startProcess, startProduct } from '../../kit/product.ts';
import { books } from '../../kit/sandbox-ids.ts';
import { until } from '../../kit/until.ts';
import { createVisitor } from '../../kit/visitor.ts';

suite('The customer site of the demo', () => {
  test('the site is linked from the start page, opens frames, and ends with the product', async () => {
    const [demoPort = 0] = await freePorts(1);
    const site = `http://localhost:${demoPort}`;
    await using product = await startProcess({ env: { DEMO_PORT: String(demoPort) } });
    const start = await createVisitor(product.url).get('/');
    assert.ok(start.text.includes(`href="${site}"`));

    const home = await shown(site);
    assert.match(home, /<h1>Harbour Books<\/h1>/);
    const [, href = ''] = /href="(\/account[^"]+)"/.exec(home) ?? [];
    for (const way of ['element', 'script', 'frame']) {
      const answer = await fetch(`${site}${href.replaceAll('&amp;', '&')}&way=${way}`);
      assert.equal(answer.status, 200);
      const page = await answer.text();
      const [, ticket = ''] = /ticket[="]+([\w-]+\.[\w-]+\.[\w-]+)/.exec(page) ?? [];
      const framed = await createVisitor(product.url).open(`/embed/${books}?ticket=${ticket}`);
      assert.equal(framed.status, 200, String(textOf(framed.text, 'h1')));
      assert.match(String(framed.headers['content-security-policy']), new RegExp(`frame-ancestors ${site};`));
    }
    for (const path of ['/nowhere', '/account?as=nobody', '/ticket']) {
      assert.equal((await fetch(site + path)).status, 404);
    }
    await product.kill9();
    await gone(site);
    await using next = await startProduct({ env: product.env });
    await shown(site);
    await next.stop();
    await gone(site);
  });

  test('the site is off with DEMO_PORT=off or with a centers file', async () => {
    const own = JSON.stringify([{ address: 'shop', center: books }]);
    const [demoPort = 0] = await freePorts(1);
    for (const env of [
      { DEMO_PORT: 'off' },
      { DEMO_PORT: String(demoPort), CENTERS_FILE: '{home}/centers.json' },
    ]) {
      await using product = await startProduct({ env, files: { 'centers.json': own } });
      const start = await createVisitor(product.url).get('/');
      assert.doesNotMatch(start.text, /customer’s site/);
    }
  });
});

function shown(site: string): Promise<string> {
  return until(async () => {
    const answer = await fetch(site).catch(() => undefined);
    return answer?.ok && answer.text();
  }, 'the site answers');
}

async function gone(site: string): Promise<void> {
  await until(async () => {
    const answer = await fetch(site).catch(() => undefined);
    await answer?.body?.cancel();
    return answer === undefined;
  }, 'the site has ended');
}
