import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite, test } from 'node:test';
import { resultsPage } from './bench/results.ts';
import { settingsTable } from './config/settings-table.ts';

const root = join(import.meta.dirname, '..');
const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: root });

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** The headings of a page; a line of a code block is none. */
function headingsOf(path: string): readonly string[] {
  const text = read(path).replaceAll(/^```[\s\S]*?^```/gm, '');
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
}

/** The anchor that GitHub gives a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** The fault of a link whose file or heading is not there; undefined for a good link. */
function faultOf(page: string, target: string): string | undefined {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : join(dirname(page), path);
  if (!existsSync(join(root, file))) return `${page}: ${target} is not there`;
  if (anchor === undefined || headingsOf(file).some((heading) => anchorOf(heading) === anchor)) return;
  return `${page}: ${target} has no such heading`;
}

/** Citations in comments: `docs/x.md`, and the section after its comma. */
function citationsIn(source: string): readonly { readonly page: string; readonly section: string }[] {
  const unwrapped = source.replaceAll(/\n\s*(\*|\/\/) /g, ' ');
  const found = unwrapped.matchAll(/\b(docs\/[\w/-]+\.md)(?:, ([A-Z][\w -]*[a-z]))?/g);
  return [...found].map(([, page = '', section = '']) => ({ page, section }));
}

suite('The documents', () => {
  test('all documents together have at most 25,000 words', () => {
    const words = pages.flatMap((page) => read(page).split(/\s+/)).filter((word) => /\p{L}/u.test(word));
    assert.ok(words.length <= 25_000, `${words.length} words: link instead of saying a thing twice`);
  });

  test('every link leads to a file that is there, and to a heading of that file', () => {
    const links = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => ({ page, target })),
    );
    assert.ok(links.length > 50, `${links.length} links`);
    const own = links.filter(({ target }) => !/^[a-z]+:/.test(target));
    assert.deepEqual(
      own.flatMap(({ page, target }) => faultOf(page, target) ?? []),
      [],
    );
  });

  test('every page and section that the code cites is there', () => {
    const citing = globSync(['src/**/*.ts', 'test/**/*.ts', 'scripts/*.mjs', 'Dockerfile'], { cwd: root });
    const citations = citing
      .filter((path) => path !== 'test/docs.test.ts')
      .flatMap((path) => citationsIn(read(path)).map((cited) => ({ path, ...cited })));
    assert.ok(citations.length > 30, `${citations.length} citations`);
    const missing = citations.filter(
      ({ page, section }) =>
        !existsSync(join(root, page)) || (section !== '' && !headingsOf(page).includes(section)),
    );
    assert.deepEqual(missing, []);
  });

  test('the table of settings agrees with the code (node scripts/settings.mjs writes it)', () => {
    assert.ok(read('docs/settings.md').includes(settingsTable()));
  });

  test('the page of results shows what docs/results holds (node scripts/results.mjs writes it)', () => {
    assert.equal(read('docs/results.md'), resultsPage());
  });

  test('every promise has at most twelve words, a test that is there, and a figure', () => {
    const rows = read('docs/promises.md')
      .split('\n')
      .filter((line) => /^\| \d/.test(line))
      .map((line) => line.split('|').map((cell) => cell.trim()));
    assert.ok(rows.length > 40, `${rows.length} promises`);
    for (const [, id, promise = '', tests = '', figure] of rows) {
      const words = promise.split(' ').filter((word) => /[\p{L}\p{N}]/u.test(word));
      assert.ok(words.length <= 12, `${id}: ${words.length} words`);
      assert.ok(figure, `${id} has no figure`);
      for (const [, path = ''] of tests.matchAll(/`(test\/[^`]+)`/g))
        assert.ok(
          [path, `${path}.test.ts`].some((each) => existsSync(join(root, each))),
          `${id}: ${path}`,
        );
    }
  });

  test('the list has at most 25 decisions, each with its number, date and three parts', () => {
    const list = read('docs/decisions/README.md');
    const records = pages.filter((page) => /^docs\/decisions\/\d/.test(page)).toSorted();
    assert.ok(records.length > 10 && records.length <= 25, `${records.length} records`);
    const numbers = records.map((page) => Number(/(\d{4})[^/]*$/.exec(page)?.[1]));
    assert.equal(new Set(numbers).size, numbers.length, 'no number is given twice');
    for (const [place, page] of records.entries()) {
      const text = read(page);
      const name = page.split('/').at(-1);
      const number = numbers[place];
      const [, title = '', date = ''] =
        new RegExp(`^# ${number}\\. (.*)\n\n(\\d{4}-\\d{2}-\\d{2})\n`).exec(text) ?? [];
      assert.match(text, /\*\*Context\.\*\*[\s\S]*\*\*Choice\.\*\*[\s\S]*\*\*Cost\.\*\*/, page);
      assert.ok(date !== '' && list.includes(`- [${number}](${name}) ${title}\n`), page);
    }
  });
});
