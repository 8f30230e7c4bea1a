import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';

const publicDir = join(import.meta.dirname, '../public');
const sheets = readdirSync(publicDir).filter((file) => file.endsWith('.css'));

suite('The stylesheets', () => {
  test('Say each colour of the palette once, for both schemes together.', () => {
    const said = new Map<string, number>();
    for (const sheet of sheets) {
      // On paper the page is white, whatever it was on the screen.
      const [source = ''] = readFileSync(join(publicDir, sheet), 'utf8').split('@media print');
      for (const [, name = ''] of source.matchAll(/^\s*(--[\w-]+):/gm))
        said.set(name, (said.get(name) ?? 0) + 1);
    }
    assert.ok(said.size > 20, `${said.size} properties`);
    const switches = new Set(['--in-light', '--in-dark']);
    const twice = [...said].filter(([name, times]) => times > 1 && !switches.has(name));
    assert.deepEqual(twice, []);
  });

  test('Move nothing where less motion is asked for.', () => {
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

  test('Fade nothing in with a page: what a page is shown with changes its colour under a hand alone.', () => {
    const source = readFileSync(join(publicDir, 'app.css'), 'utf8');
    const moving = [...source.matchAll(/([^{}]+)\{\s*transition:/g)].flatMap(([, names = '']) =>
      names.split(/,(?![^(]*\))/).map((name) => name.trim()),
    );
    assert.ok(moving.length >= 4, `${moving.length} selectors`);
    for (const name of moving) assert.match(name, /:is\(:hover, :focus(-within)?\)/);
  });
});
