import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { suite, test } from 'node:test';
import { sandboxBrands } from '../../src/compose/sandbox-brands.ts';
import { brandFaults, colourPairs } from '../../src/core/model/center/brand.ts';

suite('The brands of the sandbox', () => {
  for (const [id, brand] of sandboxBrands) {
    test(`${brand.name} passes the rules of brands, and each pair of its colours is readable`, () => {
      assert.match(id, /^[0-9a-f-]{36}$/);
      assert.deepEqual(brandFaults(brand), []);
      for (const { scheme, what, contrast } of colourPairs(brand))
        assert.ok(contrast >= 4.5, `${what}, ${scheme}: ${contrast}`);
    });

    test(`${brand.name} has an SVG mark without scripts or links`, () => {
      const mark = readFileSync(brand.iconFile ?? '', 'utf8');
      assert.match(mark, /^<svg [^>]*width="32" height="32"/);
      assert.doesNotMatch(mark, /script|href|on\w+=/);
    });
  }

  test('each brand has a small font of its own, with its license beside it', () => {
    for (const { name, font, fonts = [] } of sandboxBrands.values()) {
      const [{ family, fontFile } = { family: '', fontFile: '' }] = fonts;
      assert.ok(font?.startsWith(`${family}, `), name);
      const file = readFileSync(fontFile);
      assert.equal(file.subarray(0, 4).toString(), 'wOF2');
      assert.ok(file.length < 40_000, `${name}: ${file.length} bytes`);
      const license = readFileSync(join(fontFile, '..', 'OFL.txt'), 'utf8');
      assert.ok(license.includes(basename(fontFile)), name);
    }
  });

  test('no two brands share an accent, a radius, a font or a mark', () => {
    for (const name of ['accent', 'radius', 'font', 'iconFile'] as const) {
      const values = [...sandboxBrands.values()].map((brand) => brand[name]);
      assert.equal(new Set(values).size, sandboxBrands.size, name);
    }
  });
});
