import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startProduct } from '../../kit/product.ts';
import { books as id } from '../../kit/sandbox-ids.ts';
import { createVisitor } from '../../kit/visitor.ts';

const demo = join(import.meta.dirname, `../../../src/sandbox/demo/centers/${id}/preferences.json`);

const cases: readonly (readonly [image: string, imageSources: string, isShown: boolean])[] = [
  ['https://images.shop.example/title.png', "'self' https://images.shop.example", true],
  ['https://images.shop.example:8443/title.png?a=b;c', "'self' https://images.shop.example:8443", true],
  ['https://elsewhere.example/title.png', "'self'", false],
  ['https://images.shop.example.evil.example/title.png', "'self'", false],
  ['https://images.shop.example;sandbox;/title.png', "'self'", false],
  ['https://*/title.png', "'self'", false],
  ['http://127.0.0.1/title.png', "'self' http://127.0.0.1", true],
];

test('a title image adds only an origin to the policy that the settings list', async (t) => {
  const centers = cases.map(([image], index) => ({
    image,
    own: `b00c50${String(index).padStart(2, '0')}${id.slice(8)}`,
  }));
  const files = centers.map(({ image, own }) => {
    const schema = JSON.parse(readFileSync(demo, 'utf8').replaceAll(id, own));
    schema.PortalSettings = { ...schema.PortalSettings, UseTitleImage: true, TitleImageUrl: image };
    return [`tenant/centers/${own}/preferences.json`, JSON.stringify(schema)];
  });
  const listed = centers.map(({ own }, index) => ({
    address: `shop-${index}`,
    center: own,
    imageHosts: ['Images.shop.example'],
  }));
  await using product = await startProduct({
    env: { SANDBOX_DATA: '{home}/tenant' },
    centers: listed,
    files: Object.fromEntries(files),
  });
  for (const [index, [image, sources, isShown]] of cases.entries()) {
    await t.test(image, async () => {
      const page = await createVisitor(product.url).open(
        await product.link({ center: `shop-${index}`, identifier: 'anna@example.org' }),
      );
      assert.equal(page.status, 200);
      const policy = String(page.headers['content-security-policy']);
      const names = policy.split(';').map((part) => part.trim().split(' ')[0]);
      assert.equal(names.includes('sandbox'), false, policy);
      assert.equal(/img-src ([^;]*)/.exec(policy)?.[1], sources);
      assert.equal(page.text.includes('class="title-image"'), isShown);
    });
  }
});
