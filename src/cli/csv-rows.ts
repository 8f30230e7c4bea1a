import { isUtf8 } from 'node:buffer';
import type { Identifiers } from '../core/model/person/identifiers.ts';
import type { SubjectId } from '../core/model/person/subject.ts';

/** `isLast`: the start of the next row is unknown, so reading stops. */
type Row = { readonly cells: readonly string[] } | { readonly fault: string; readonly isLast?: true };
export type CsvRow = Row & { readonly line: number };

/** Bytes of one row, including line ends in its cells. */
export const longestRow = 65_536;

const quoted = '"[^"]*(?:""[^"]*)*"';
const right = `(?:${quoted}|[^",\n]*)`;
/**
 * This pattern also takes a cell that has a quote but does not begin with one. Some programs put blanks
 * before an opening quote: such a cell is not taken if its quote is not closed on its line, because it may go
 * on in the next one.
 */
const wrong = `(?:${quoted}|(?![^\\S\n]+"[^"\n]*(?:"[^"\n]*"[^"\n]*)*\n)[^",\n][^,\n]*|)`;
const rightRow = new RegExp(`^${right}(?:,${right})*\r?\n`);
const wrongRow = new RegExp(`^${wrong}(?:,${wrong})*\r?\n`);
/** A text that may become a row when more bytes arrive. */
const begunRow = new RegExp(`^(?:${wrong},)*(?:${quoted.slice(0, -1)}"?\r?|[^",\n][^,\n]*|)$`);
const eachCell = new RegExp(`(${right}),`, 'g');

const tooLong = `it is longer than ${longestRow} bytes`;
const notUtf8 = 'it is not UTF-8';

/**
 * Reads a CSV file (RFC 4180) row by row, each with the number of its first line. It accepts UTF-8 with or
 * without a byte order mark, and LF or CRLF; empty lines are skipped. A bad row becomes a fault and reading
 * goes on. Reading stops if a quote makes the start of the next row unknown: a line inside a cell must not be
 * taken for a person's row.
 */
export async function* csvRows(file: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRow> {
  let line = 1;
  // One character for each byte: quotes, commas and line ends are the same bytes in UTF-8.
  let text = '';
  for await (const piece of withLastLineEnd(file)) {
    text += piece;
    if (line === 1) text = text.replace(/^\xef\xbb\xbf/, '');
    for (;;) {
      const [bytes] = rightRow.exec(text) ?? wrongRow.exec(text) ?? [];
      if (bytes === undefined) break;
      text = text.slice(bytes.length);
      const row = readRow(bytes);
      if (!/^\r?\n/.test(bytes)) yield { line, ...row };
      if ('isLast' in row) return;
      line += bytes.split('\n').length - 1;
    }
    if (!begunRow.test(text)) return yield { line, ...last('there is text around a quoted cell') };
    if (text.length <= longestRow) continue;
    if (text.includes('"')) return yield { line, ...last(tooLong) };
    text = text.slice(0, longestRow + 1);
  }
  if (text !== '') yield { line, ...last('a quote is never closed') };
}

async function* withLastLineEnd(file: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  for await (const { buffer, byteOffset, byteLength } of file)
    yield Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
  yield '\n';
}

function readRow(row: string): Row {
  if (row.length > longestRow) return row.includes('"') ? last(tooLong) : { fault: tooLong };
  const bytes = Buffer.from(row, 'latin1');
  const isOneLine = row.indexOf('\n') === row.length - 1;
  if (!isUtf8(bytes)) return isOneLine ? { fault: notUtf8 } : last(notUtf8);
  if (!rightRow.test(row)) return { fault: 'there is a quote within a cell that does not begin with one' };
  const cells = bytes
    .toString()
    .replace(/\r?\n$/, ',')
    .matchAll(eachCell);
  return {
    cells: Array.from(cells, ([, cell = '']) =>
      cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell,
    ),
  };
}

function last(why: string): Row {
  return { fault: `${why}, so the next row has no known beginning: nothing after it was read`, isLast: true };
}

/** The rows below the header. */
export async function* tableRows<Columns>(
  file: AsyncIterable<Uint8Array>,
  readHeader: (names: readonly string[]) => Columns,
): AsyncGenerator<{ readonly row: CsvRow; readonly columns: Columns }> {
  let columns: Columns | undefined;
  for await (const row of csvRows(file)) {
    if (columns !== undefined) yield { row, columns };
    else if ('cells' in row) columns = readHeader(row.cells);
    else throw new Error(`line ${row.line}, the names of the columns: ${row.fault}`);
  }
  if (columns === undefined) throw new Error('the file is empty: its first line names the columns');
}

/** The people of a file with a column `identifier`; `subject` is undefined if a line has no valid one. */
export async function* peopleIn(
  file: AsyncIterable<Uint8Array>,
  identifiers: Identifiers,
): AsyncGenerator<{ readonly line: number; readonly subject: SubjectId | undefined }> {
  const rows = tableRows(file, (names) => {
    const at = names.findIndex((name) => name.trim().toLowerCase() === 'identifier');
    if (at < 0) throw new Error('the first line must name the column identifier');
    return { at };
  });
  for await (const { row, columns } of rows)
    yield { line: row.line, subject: identifiers.read('cells' in row ? row.cells[columns.at] : undefined) };
}
