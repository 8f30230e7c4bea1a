import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';

interface BannedWord {
  readonly word: RegExp;
  /** The words to write. */
  readonly instead: string;
}

const everywhere: readonly BannedWord[] = [
  { word: /farewell/i, instead: 'the last page, signing out' },
  { word: /patien(ce|t)/i, instead: 'time-out, limit' },
  { word: /glance/i, instead: 'reading, look-up' },
  { word: /\bartists?\b/i, instead: 'the noun of the field' },
  { word: /\bbites?\b/i, instead: 'batch, trap' },
  { word: /\bspent\b/i, instead: 'used' },
  { word: /\bdoors?\b/i, instead: 'entry, limit' },
  { word: /\btall(y|ies)\b/i, instead: 'count' },
  { word: /it is not that/i, instead: 'a plain sentence with its subject' },
];

/** Words that are banned in documents and in comments of the product. */
const inProse: readonly BannedWord[] = [
  ...everywhere,
  { word: /(?<!with|un)drawn\b/i, instead: 'shown, rendered' },
  { word: /\bwhom?ever\b/i, instead: 'the noun: visitor, caller, holder' },
  { word: /\bnobody\b/i, instead: 'no person, none, not documented' },
  { word: /\b(taken|takes?|took) back\b/i, instead: 'withdrawn, revoked, undone' },
  { word: /\bwho is there\b/i, instead: 'the visitor, the session' },
  { word: /\bpurposes? left\b/i, instead: 'withdrawn' },
];

/** Beginnings of a comment that leave its subject out. */
const fragment = /^\s*(\/\/|\/?\*\*?) (Of|Who|Whose|That|As|Somebody|None)\b/;

/** Words that are banned in texts for visitors and staff. */
const onPages: readonly BannedWord[] = [
  { word: /\beverything\b/i, instead: 'all' },
  { word: /\b(some|any|no)body\b/i, instead: 'someone, anyone, no one' },
  { word: /\bin the meantime\b|\bonce more\b/i, instead: 'nothing' },
  { word: /\bcarried out\b/i, instead: 'saved, sent' },
  { word: /\bswitch(ed)? (on|off)\b/i, instead: 'turn on, turn off' },
  { word: /\bfaults?\b(?!, not yours)/i, instead: 'error' },
];

const root = join(import.meta.dirname, '..');
const documents = ['*.md', 'docs/**/*.{md,json}'];
const code = ['{src,test,scripts}/**/*.{ts,mjs}', 'views/**/*.ejs'];

/** The source with nothing but its comments, each on its line. */
function commentsOf(source: string): string {
  let isWithin = false;
  const lines = source.split('\n').map((line) => {
    const text = line.trim();
    const isComment = isWithin || /^\/[*/]/.test(text);
    isWithin = isComment && !text.startsWith('//') && !text.includes('*/');
    return isComment ? line : '';
  });
  return lines.join('\n');
}

/** The quoted texts of several words, line by line. */
function textsOf(source: string): string {
  return source.replaceAll(/^.*$/gm, (line) =>
    [...line.matchAll(/(['"`])([^'"`]* [^'"`]*)\1/g)].map(([, , text]) => text).join(' | '),
  );
}

/** Lines that hold a banned word, each with the words to write. */
function offences(
  patterns: readonly string[],
  words: readonly BannedWord[],
  partOf: (source: string) => string = (source) => source,
): readonly string[] {
  const paths = globSync([...patterns], { cwd: root }).filter((path) => path !== 'test/words.test.ts');
  return paths.flatMap((path) => {
    const lines = partOf(readFileSync(join(root, path), 'utf8')).split('\n');
    return lines.flatMap((line, index) =>
      offencesOf(line, words).map((offence) => `${path}:${index + 1}: ${offence}`),
    );
  });
}

function offencesOf(line: string, words: readonly BannedWord[]): readonly string[] {
  return words.flatMap(({ word, instead }) => {
    const found = word.exec(line);
    return found === null ? [] : [`"${found[0]}": write ${instead}`];
  });
}

suite('Plain English', () => {
  test('The documents use no banned word', () => {
    assert.deepEqual(offences(documents, inProse), []);
  });

  test('The code uses no banned word in names, comments and messages', () => {
    assert.deepEqual(offences(code, everywhere), []);
  });

  test('The comments of the product use no word that is banned in documents', () => {
    assert.deepEqual(offences(['src/**/*.ts'], inProse, commentsOf), []);
    assert.equal(commentsOf('a;\n/** nobody\n * b */\nc;\n// d'), '\n/** nobody\n * b */\n\n// d');
  });

  test('A comment names its subject first', () => {
    const fragments = globSync(code[0] ?? '', { cwd: root }).flatMap((path) => {
      const lines = readFileSync(join(root, path), 'utf8').split('\n');
      // A sentence may go on in the second line of a comment.
      const isFirst = (index: number) => !/^\s*(\/\/|\*) /.test(lines[index - 1] ?? '');
      return lines
        .filter((line, index) => fragment.test(line) && isFirst(index))
        .map((line) => `${path}: ${line}`);
    });
    assert.deepEqual(fragments, []);
    assert.match('  /** Of a list that is cut here. */', fragment);
  });

  test('The texts for visitors and staff use no stiff word', () => {
    const pages = ['src/i18n/messages/en.json', 'src/features/staff/*.ts'];
    assert.deepEqual(offences(pages, onPages, textsOf), []);
    assert.deepEqual(offences(['views/{blocks,fields,staff}/*.ejs'], onPages), []);
    assert.equal(textsOf(`const nobody = 'nobody'; // 1\nsay('Nobody knows.')`), '\nNobody knows.');
  });

  test('A banned word is found with its line', () => {
    assert.deepEqual(offencesOf('const farewellPage = 1;', everywhere), [
      '"farewell": write the last page, signing out',
    ]);
  });
});
