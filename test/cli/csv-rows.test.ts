import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { type CsvRow, csvRows, longestRow } from '../../src/cli/csv-rows.ts';
import { times } from '../chaos/dice.ts';

/** Reads a file in pieces of the given size. */
function rowsOf(file: string | Buffer, pieceBytes = 65_536): Promise<CsvRow[]> {
  const bytes = Buffer.from(file);
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  }
  return collected(csvRows(pieces()));
}

async function collected(source: AsyncIterable<CsvRow>): Promise<CsvRow[]> {
  const rows: CsvRow[] = [];
  for await (const row of source) rows.push(row);
  return rows;
}

/** Prints rows: `1 a|b` for a row on line 1, `2: reason` for a wrong one on line 2. */
function printed(rows: readonly CsvRow[]): string[] {
  return rows.map((row) =>
    'fault' in row ? `${row.line}: ${row.fault}` : `${row.line} ${row.cells.join('|')}`,
  );
}

const bom = '\ufeff';
const cases: Readonly<Record<string, [file: string | Buffer, rows: string[]]>> = {
  'CRLF, and a byte order mark': [`${bom}a,b\r\nc,\r\n`, ['1 a|b', '2 c|']],
  'a byte order mark before a quote': [`${bom}"a",b\n`, ['1 a|b']],
  'empty lines, which are no rows': ['\na\n\r\n\nb\n\n', ['2 a', '5 b']],
  'a quoted cell at the end of a line that ends with CRLF': ['a,"b"\r\nc,"d"', ['1 a|b', '2 c|d']],
  'line ends within a cell, which stay': ['a,"b\nc\r\n\r\nd",e\nf,g,h', ['1 a|b\nc\r\n\r\nd|e', '5 f|g|h']],
  nothing: ['', []],
  'a quote within a cell: only that row is wrong': [
    'a,b\nc,d"e"\nf, "g"\nh,i\n',
    ['1 a|b', '2: there is a quote within a cell', '3: there is a quote within a cell', '4 h|i'],
  ],
  'a quote within a cell before a long one: the whole row is wrong': [
    'a"b,"c\nd"\ne,f\n',
    ['1: there is a quote within a cell', '3 e|f'],
  ],
  'bytes that are not UTF-8: only that row is wrong': [
    Buffer.from('a,b\nc,caf\u00e9\nd,e\n', 'latin1'),
    ['1 a|b', '2: it is not UTF-8', '3 d|e'],
  ],
  'UTF-16, which is not UTF-8': [Buffer.from(`${bom}a,b`, 'utf16le'), ['1: it is not UTF-8']],
  'text behind a closing quote: reading ends': [
    'a,b\n"c" d,e\nf,g\n',
    ['1 a|b', '2: there is text around a quoted cell'],
  ],
  // Some programs escape a quote with a backslash: the next line is then text that a person wrote.
  'a quote escaped in another way: reading ends, and no line of that text is a row': [
    'a,"say \\"hi\nvictim@example.org,mine\n"\nd,e\n',
    ['1: there is text around a quoted cell'],
  ],
  'a quote behind a blank that is not closed on its line: reading ends': [
    'a,"b", "c\nvictim@example.org,mine\n"\nd,e\n',
    ['1: there is text around a quoted cell'],
  ],
  'a quote that is never closed: reading ends': ['a,b\nc,"d\ne,f\n', ['1 a|b', '2: a quote is never closed']],
  'bytes that are not UTF-8 beside a quoted cell: only that row is wrong': [
    Buffer.from('\u00ff,"b, c"\nd,e\n', 'latin1'),
    ['1: it is not UTF-8', '2 d|e'],
  ],
  // The text after this line may be text that a person wrote.
  'bytes that are not UTF-8 on a line that leaves a quote open: reading ends': [
    Buffer.from('a,"\u00ff\nvictim@example.org,mine\n"\nc,d\n', 'latin1'),
    ['1: it is not UTF-8'],
  ],
  'bytes that are not UTF-8 within a quoted cell: reading ends': [
    Buffer.from('a,"b\n\u00ff"\nc,d\n', 'latin1'),
    ['1: it is not UTF-8'],
  ],
};

const noStart = 'it is longer than 65536 bytes, so the next row has no known beginning';

suite('A CSV file', () => {
  for (const [title, [file, expected]] of Object.entries(cases)) {
    test(`a file is read in pieces of any size: ${title}`, async () => {
      for (const pieceBytes of [1, 2, 3, 7, 65_536]) {
        const rows = printed(await rowsOf(file, pieceBytes));
        // A reason may be longer.
        const starts = rows.map((row, index) => {
          return /^\d+:/.test(row) ? row.slice(0, expected[index]?.length) : row;
        });
        assert.deepEqual(starts, expected);
      }
    });
  }

  test('the last row says where reading ended', async () => {
    const [, last] = printed(await rowsOf('a,b\n"c" d\ne,f\n'));
    assert.match(last ?? '', /nothing after it was read$/);
  });

  test('a line that is too long and has a quote anywhere ends the reading', async () => {
    const filling = 'x'.repeat(longestRow + 10_000);
    for (const line of [`a,"${filling}`, `a,${filling},"b`, `a,${filling}${filling},"b`]) {
      for (const pieceBytes of [1_000, 65_536, 1_000_000]) {
        const rows = await rowsOf(`${line}\nvictim@example.org,mine\n"\nc,d\n`, pieceBytes);
        assert.match(printed(rows).at(-1) ?? '', new RegExp(`^1: ${noStart}`));
        assert.ok(rows.every((row) => 'fault' in row));
      }
    }
  });

  test('at most one row is kept: a long line is left out, and an open quote ends the reading', async () => {
    const long = 'x'.repeat(longestRow);
    const lines = await rowsOf(`a,b\n${long.repeat(3)}\nc,d\n${long.slice(1)}\n`, 1_000);
    assert.deepEqual(
      printed(lines).map((row) => row.slice(0, 30)),
      ['1 a|b', '2: it is longer than 65536 byt', '3 c|d', `4 ${long}`.slice(0, 30)],
    );
    let read = 0;
    async function* endless() {
      yield Buffer.from('a,b\nc,"');
      for (;;) {
        read += 1;
        yield Buffer.from(`${'x'.repeat(99)}\n`.repeat(100));
      }
    }
    const rows = await collected(csvRows(endless()));
    assert.match(printed(rows).at(-1) ?? '', new RegExp(`^2: ${noStart}`));
    assert.ok(read < 10);
  });

  test('a table written after RFC 4180 is read back in pieces of any size', async () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'ü', '\u{1f600}', '"', ',', '\n', '\r\n', ' ', '=', '\ufeff'),
    });
    const table = fc.array(fc.array(text, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 8 });
    const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
    const size = fc.integer({ min: 1, max: 40 });
    const property = fc.asyncProperty(table, size, fc.boolean(), async (rows, pieceBytes, isBare) => {
      const written = (cell: string) => (isBare && !/[",\r\n\ufeff]/.test(cell) ? cell : quoted(cell));
      const file = rows.map((row) => row.map(written).join(',')).join('\r\n');
      const read = (await rowsOf(file, pieceBytes)).map((row) => ('cells' in row ? row.cells : row.fault));
      assert.deepEqual(read, rows);
    });
    await fc.assert(property, { numRuns: times(100, 2_000) });
  });
});
