import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { startProduct } from '../../kit/product.ts';
import { createVisitor } from '../../kit/visitor.ts';

const page = 12_288;
const firstVisit = 61_440;

suite('Size of pages', () => {
  test('a page of a sample person has at most 12 KB, and 60 KB with its assets', async () => {
    await using product = await startProduct();
    const start = await createVisitor(product.url).get('/');
    const links = [...start.text.matchAll(/href="(\/centers\/[^"]+)"/g)].map(([, href = '']) => href);
    assert.ok(links.length > 10);
    for (const link of links) {
      const person = createVisitor(product.url);
      const { url, text } = await person.open(link.replaceAll('&amp;', '&'));
      const weigh = async (href: string) => {
        const { headers } = await person.get(href, { 'accept-encoding': 'gzip' });
        const weight = Number(headers['content-length']);
        assert.ok(weight > 0, href);
        return weight;
      };
      const html = await weigh(url);
      assert.ok(html < page, `${html} bytes: ${url}`);
      const assets = [...text.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, href = '']) => href);
      assert.ok(assets.length >= 3);
      const weights = await Promise.all(assets.map(weigh));
      const whole = weights.reduce((sum, weight) => sum + weight, html);
      assert.ok(whole < firstVisit, `${whole} bytes: ${url}`);
    }
  });
});
