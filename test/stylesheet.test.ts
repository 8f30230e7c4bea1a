import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';

const publicDir = join(import.meta.dirname, '../public');
const sheets = readdirSync(publicDir).filter((file) => file.endsWith('.css'));

suite('The stylesheets', () => {
  test('each colour of the palette is defined once, for both schemes together', () => {
    const definitions = new Map<string, number>();
    for (const sheet of sheets) {
      // The part for print may define colours again: paper is white in both schemes.
      const [source = ''] = readFileSync(join(publicDir, sheet), 'utf8').split('@media print');
      for (const [, name = ''] of source.matchAll(/^\s*(--[\w-]+):/gm))
        definitions.set(name, (definitions.get(name) ?? 0) + 1);
    }
    assert.ok(definitions.size > 20, `${definitions.size} properties`);
    const switches = new Set(['--in-light', '--in-dark']);
    const twice = [...definitions].filter(([name, times]) => times > 1 && !switches.has(name));
    assert.deepEqual(twice, []);
  });

  test('nothing moves where a visitor asks for less motion', () => {
    for (const sheet of sheets) {
      const source = readFileSync(join(publicDir, sheet), 'utf8');
      const still = source.replaceAll(
        /@media \(prefers-reduced-motion: no-preference\) \{[\s\S]*?\n\}\n/g,
        '',
      );
      assert.doesNotMatch(still, /^\s*(transition|animation|scroll-behavior)\b/m, sheet);
    }
    assert.match(readFileSync(join(publicDir, 'app.css'), 'utf8'), /no-preference\) \{\s[\s\S]*transition:/);
  });

  test('nothing fades in with a page: a colour changes only under a pointer or the focus', () => {
    const source = readFileSync(join(publicDir, 'app.css'), 'utf8');
    const moving = [...source.matchAll(/([^{}]+)\{\s*transition:/g)].flatMap(([, names = '']) =>
      names.split(/,(?![^(]*\))/).map((name) => name.trim()),
    );
    assert.ok(moving.length >= 4, `${moving.length} selectors`);
    for (const name of moving) assert.match(name, /:is\(:hover, :focus(-within)?\)/);
  });
});
