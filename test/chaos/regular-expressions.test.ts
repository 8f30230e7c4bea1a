import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { cpuMilliseconds } from '../kit/cpu.ts';
import { times } from './dice.ts';

const root = join(import.meta.dirname, '..', '..');
const isLong = times(false, true);
/** Characters of an attacking text; a longer text from outside is cut before it meets an expression. */
const size = isLong ? 60_000 : 20_000;

/** Expressions that never meet a text from outside, and why. */
const notFromOutside: Readonly<Record<string, string>> = {
  '\\/+$': 'an address of the settings',
  '^(?:"?([^"<]*?)"?\\s*<)?([^<>\\s]+)>?$': 'MAIL_FROM, a setting',
  '^(?:[^<>\\r\\n]*<)?[^<>\\s@]+@[^<>\\s@]+>?$': 'MAIL_FROM, a setting',
};

/** Expressions that never meet their worst text, and why. */
const guarded: Readonly<Record<string, string>> = {
  '<h[1-6](?=[\\s>/])[^>]*>': 'only up to the last >, so that each finds its end',
  '<[^>]*>':
    'only on HTML that was made safe, in which < stands for nothing but a tag, and on names of at most 2,000 characters',
};

/** The literals of the source, each once. */
function literals(): ReadonlyMap<string, { readonly regex: RegExp; readonly file: string }> {
  const found = new Map<string, { regex: RegExp; file: string }>();
  const literal =
    /(?<=[(,=:[!&|?{};]\s*|\breturn\s+|^\s*)\/(?![*/])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+)\/([dgimsuvy]*)(?=\s*[.),;:\]}]|\s*$)/gm;
  for (const file of globSync('src/**/*.ts', { cwd: root })) {
    const source = readFileSync(join(root, file), 'utf8').replaceAll(/^\s*(?:\/\/|\*|\/\*\*).*$/gm, '');
    for (const [, body = '', flags = ''] of source.matchAll(literal)) {
      found.set(`/${body}/${flags}`, {
        regex: new RegExp(body, flags),
        file: relative(root, join(root, file)),
      });
    }
  }
  return found;
}

/**
 * Texts that keep an expression searching: a possible start, many repetitions of a part, and no possible end.
 */
function attacks(body: string): readonly string[] {
  const words = [
    ...new Set([
      ...(body.replaceAll(/\\[a-z]|\[[^\]]*\]|[\\^$.*+?()|{}]/gi, ' ').match(/\S+/g) ?? []),
      ...' \t\n<>&;,.-_/:@"\'=%+a0A(\u00e9\u0000\u0661\u2066'.split(''),
      '<a',
      '<h1 ',
      '</h1 ',
      '&nbsp;',
      'a-',
      'a.',
      'a@',
      '0-',
      '1.',
      ' a',
      ', ',
      '; ',
      'http://',
      'aA',
      'T0',
      '::ffff:',
    ]),
  ];
  const prefixes = [
    '',
    'a',
    'a@',
    '0',
    '<h1',
    '/staff',
    '2026-01-01T00:00',
    'Bearer ',
    'http://a',
    'a-',
    '+',
  ];
  const few = isLong ? prefixes : prefixes.slice(0, 6);
  return words.flatMap((word) =>
    few.map((prefix) => `${prefix}${word.repeat(Math.ceil(size / word.length))}\u0001`),
  );
}

/**
 * Files whose expressions only read files of the operator in a command, at most a row of 64 KiB at a time.
 */
const fromFiles = ['src/cli/csv-rows.ts'];

const all = literals();

test('the test finds the expressions of the source', () => {
  assert.ok(all.size >= 100, String(all.size));
  for (const name of [...Object.keys(notFromOutside), ...Object.keys(guarded)])
    assert.ok(
      [...all.values()].some(({ regex }) => regex.source === name),
      `${name} is not there any more`,
    );
  assert.deepEqual(
    globSync('src/**/*.ts', { cwd: root, exclude: fromFiles }).filter((file) =>
      /new RegExp\((?!`\^\$\{name\}\\\\\.\(\\\\d\{1,4\}\)\\\\\.`\))/.test(
        readFileSync(join(root, file), 'utf8'),
      ),
    ),
    [],
    'an expression is put together at run time',
  );
});

for (const [name, { regex, file }] of all) {
  if (regex.source in notFromOutside || regex.source in guarded) continue;
  test(`${name} of ${file} takes time linear in the text`, async () => {
    for (const text of attacks(regex.source)) {
      const ms = await cpuMilliseconds(() => text.replace(regex, ''), 20);
      assert.ok(ms <= 20, `${ms.toFixed(0)} ms for ${JSON.stringify(text.slice(0, 40))}…`);
    }
  });
}
