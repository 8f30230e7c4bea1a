import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { builtIn, catalogues } from '../src/i18n/catalogue.ts';

const folder = join(import.meta.dirname, '../docs/translations');

function textAt(tag: string, key: string): unknown {
  return key.split('.').reduce<unknown>((node, name) => Object(node)[name], catalogues[tag]);
}

suite('The hints for whoever reviews a language', () => {
  test('are there for each but English.', () => {
    const pages = readdirSync(folder).filter((file) => file !== 'README.md');
    const tags = builtIn.languages.filter((tag) => tag !== 'en');
    assert.deepEqual(pages.sort(), tags.map((tag) => `${tag}.md`).sort());
  });

  for (const tag of builtIn.languages.filter((each) => each !== 'en')) {
    test(`name the words that ${tag} has.`, () => {
      const page = readFileSync(join(folder, `${tag}.md`), 'utf8');
      const rows = [...page.matchAll(/^\| (.+) \| (.+) \| `(.+)` \|$/gm)];
      assert.ok(rows.length >= 15, `${rows.length} words`);
      for (const [, english, here, key = ''] of rows) {
        assert.equal(textAt('en', key), english, key);
        assert.equal(textAt(tag, key), here, key);
      }
    });
  }
});
