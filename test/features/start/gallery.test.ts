import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { forSuite, productOf } from '../../kit/for-suite.ts';
import { startProduct } from '../../kit/product.ts';
import { galleryPaths, galleryRoutes } from '../../samples/gallery.ts';
import { guardPage } from '../../samples/page-guard.ts';

suite('The gallery', () => {
  const env = { LOG_LEVEL: 'silent', NODE_ENV: 'development' };
  const product = productOf({ env });
  const development = forSuite(() =>
    startProduct({ env, development: { gallery: galleryRoutes, guard: guardPage } }),
  );

  test('the product has no gallery, whatever its environment says', async () => {
    for (const path of ['', '/', ...galleryPaths.slice(0, 3)])
      assert.equal((await fetch(`${product.url}/dev/gallery${path}`)).status, 404, path);
  });

  test('the gallery lists every text beside the English one, with pages that show it', async () => {
    const page = await (await fetch(`${development.url}/dev/gallery/texts?lang=de`)).text();
    const rows = [...page.matchAll(/<tr><td><code>([^<]*)<[\s\S]*?<\/tr>/g)];
    assert.ok(rows.length > 250, `${rows.length} texts`);
    const unsaved = rows.find(([, key]) => key === 'page.unsaved')?.[0] ?? '';
    assert.match(unsaved, /Nicht gespeicherte/);
    const links = [...page.matchAll(/<a href="([^"]+\?lang=de)">/g)].map(([, href = '']) => href);
    assert.ok(links.length > 150, `${links.length} pages that show one`);
    assert.equal((await fetch(new URL(links[0] ?? '', development.url))).status, 200);
  });
});
