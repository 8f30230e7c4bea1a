import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { toCsv } from '../../src/pages/csv.ts';
import { times } from '../chaos/dice.ts';

/** The cells of one row by the rules of RFC 4180. */
function cellsOf(line: string): readonly string[] {
  const outsideQuotes = /,(?=(?:[^"]*"[^"]*")*[^"]*$)/;
  return line.split(outsideQuotes).map((cell) => cell.replace(/^"(.*)"$/, '$1').replaceAll('""', '"'));
}

describe('A table for spreadsheets', () => {
  const cells: readonly (readonly [given: string | number | undefined, written: string])[] = [
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['=1+1', `"'=1+1"`],
    ['+49', `"'+49"`],
    ['-1', `"'-1"`],
    ['@SUM(A1)', `"'@SUM(A1)"`],
    ['  =1+1', `"'  =1+1"`],
    ['\t=1', `"' =1"`],
    ['x\n=HYPERLINK("http://e")', '"x =HYPERLINK(""http://e"")"'],
    ['a\r\nb\u2028c\td', 'a b c d'],
    [';=1+1', `";'=1+1"`],
    ['a; "=1', `"a;' ""=1"`],
    ['a;b', '"a;b"'],
    ['\u200b=1', `"'\u200b=1"`],
    ['\u0000=1', `"'\u0000=1"`],
    ['＝1', `"'＝1"`],
    [-5, '-5'],
    [undefined, ''],
  ];
  for (const [given, written] of cells) {
    test(`writes ${JSON.stringify(given)} as ${JSON.stringify(written)}`, () => {
      assert.equal(toCsv([[given]]), `\ufeff${written}\r\n`);
    });
  }

  test('begins no cell with a formula and adds no rows, whichever character separates cells', () => {
    const text = fc.array(
      fc.constantFrom('=', '+', '-', '@', '"', "'", ';', ',', '\t', '\n', '\r', ' ', 'a'),
      {
        maxLength: 8,
      },
    );
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 3 }), (row) => {
        const [line = '', ...others] = toCsv([row.map((signs) => signs.join(''))])
          .slice(1)
          .split(/[\r\n]+/);
        assert.deepEqual(others, ['']);
        for (const cell of [...line.split(/[;\t]/), ...cellsOf(line)]) {
          assert.doesNotMatch(cell, /^[\s"]*[=+\-@]/, line);
        }
      }),
      { numRuns: times(500, 5_000) },
    );
  });
});
