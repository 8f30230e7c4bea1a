import { isUtf8 } from 'node:buffer';
import type { Identifiers } from '../core/model/person/identifiers.ts';
import type { SubjectId } from '../core/model/person/subject.ts';

export type CsvRow =
  | { readonly line: number; readonly cells: readonly string[] }
  | { readonly line: number; readonly fault: string };

/** Bytes of one row, including line ends in its cells. */
export const longestRow = 65_536;

const lineFeed = 10;
const quoteMark = 34;
const borderless = 'so the next row has no known beginning: nothing after it was read';

/**
 * Reads a CSV file (RFC 4180) in groups of rows, each with the number of its first line. It accepts UTF-8
 * with or without a byte order mark, and LF or CRLF; empty lines are skipped. A bad row becomes a fault and
 * reading goes on. Reading stops if a quote makes the start of the next row unknown: a line inside a cell
 * must not be taken for a person's row.
 */
export async function* csvRows(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly CsvRow[]> {
  const reader = createReader();
  for await (const chunk of chunks) {
    yield reader.read(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    if (reader.isStopped()) return;
  }
  yield reader.end();
}

/** The rows below the header. */
export async function* tableRows<Columns>(
  file: AsyncIterable<Uint8Array>,
  readHeader: (row: CsvRow) => Columns,
): AsyncGenerator<{ readonly row: CsvRow; readonly columns: Columns }> {
  let columns: Columns | undefined;
  for await (const rows of csvRows(file))
    for (const row of rows) {
      if (columns === undefined) columns = readHeader(row);
      else yield { row, columns };
    }
  if (columns === undefined) throw new Error('the file is empty: its first line names the columns');
}

/** The people of a file with a column `identifier`; `subject` is undefined if a line has no valid one. */
export async function* peopleIn(
  file: AsyncIterable<Uint8Array>,
  identifiers: Identifiers,
): AsyncGenerator<{ readonly line: number; readonly subject: SubjectId | undefined }> {
  const cellsOf = (row: CsvRow) => ('cells' in row ? row.cells : []);
  const rows = tableRows(file, (row) => {
    const at = cellsOf(row).findIndex((cell) => cell.trim().toLowerCase() === 'identifier');
    if (at < 0) throw new Error('the first line must name the column identifier');
    return { at };
  });
  for await (const { row, columns } of rows)
    yield { line: row.line, subject: identifiers.read(cellsOf(row)[columns.at]) };
}

interface Open {
  readonly line: number;
  readonly cells: string[];
  /** The last cell so far, if its quote is open. */
  text: string;
  bytes: number;
  isWrong: boolean;
}

function createReader() {
  let rest: Buffer = Buffer.alloc(0);
  let line = 0;
  let open: Open | undefined;
  let state: 'reading' | 'skipping to the end of the line' | 'stopped' = 'reading';
  let rows: CsvRow[] = [];

  const isStopped = () => state === 'stopped';

  const stop = (at: number, why: string) => {
    rows.push({ line: at, fault: `${why}, ${borderless}` });
    open = undefined;
    state = 'stopped';
  };

  /** A line without its LF, or the end of the file. */
  function take(bytes: Buffer): void {
    line += 1;
    const content = line === 1 && bytes.indexOf('\ufeff') === 0 ? bytes.subarray(3) : bytes;
    if (open === undefined && (content.length === 0 || (content.length === 1 && content[0] === 13))) return;
    const row = open ?? { line, cells: [], text: '', bytes: 0, isWrong: false };
    row.bytes += content.length + 1;
    if (row.bytes > longestRow) {
      if (open !== undefined) stop(row.line, `a quote is not closed within ${longestRow} bytes`);
      else if (content.includes(quoteMark)) stop(line, tooLong);
      else rows.push({ line, fault: tooLong });
      return;
    }
    if (!isUtf8(content)) {
      // Skips a line that is not UTF-8 only if it is a complete row; else the start of the next row is
      // unknown. Quotes have the same byte in both encodings.
      const isWhole =
        open === undefined && /^(?:done|wrong)$/.test(readQuoted(row, content.toString('latin1'), false));
      if (isWhole) rows.push({ line, fault: notUtf8 });
      else stop(row.line, notUtf8);
      return;
    }
    const text = content.toString('utf8');
    if (open === undefined && !text.includes('"')) {
      rows.push({ line, cells: withoutReturn(text).split(',') });
      return;
    }
    const came = readQuoted(row, text, open !== undefined);
    if (came === 'open') open = row;
    else if (came === 'unclear') stop(row.line, 'there is text around a quoted cell');
    else {
      open = undefined;
      rows.push(came === 'done' ? { line: row.line, cells: row.cells } : { line: row.line, fault: inCell });
    }
  }

  /** The rest of a line that is too long. A quote in it makes the start of the next row unknown. */
  function skip(bytes: Buffer): void {
    if (bytes.includes(quoteMark)) stop(line, tooLong);
  }

  return {
    isStopped,
    read(chunk: Buffer): readonly CsvRow[] {
      rows = [];
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let from = 0;
      for (let to = bytes.indexOf(lineFeed); to >= 0 && !isStopped(); ) {
        if (state === 'reading') take(bytes.subarray(from, to));
        else {
          state = 'reading';
          skip(bytes.subarray(from, to));
        }
        from = to + 1;
        to = bytes.indexOf(lineFeed, from);
      }
      rest = bytes.subarray(from);
      if (state === 'skipping to the end of the line') skip(rest);
      else if (rest.length > longestRow && state === 'reading') {
        take(rest);
        if (!isStopped()) state = 'skipping to the end of the line';
      }
      if (state !== 'reading') rest = Buffer.alloc(0);
      return rows;
    },
    end(): readonly CsvRow[] {
      rows = [];
      if (state === 'reading' && rest.length > 0) take(rest);
      if (open !== undefined) stop(open.line, 'a quote is never closed');
      return rows;
    },
  };
}

const tooLong = `it is longer than ${longestRow} bytes`;
const notUtf8 = 'it is not UTF-8';
const inCell = 'there is a quote within a cell that does not begin with one';

/** Reads one line of a row with quotes. `unclear`: programs disagree about its meaning. */
function readQuoted(row: Open, text: string, isWithin: boolean): 'done' | 'open' | 'unclear' | 'wrong' {
  let at = 0;
  let isQuoted = isWithin;
  if (isQuoted) row.text += '\n';
  for (;;) {
    if (!isQuoted && text[at] === '"') {
      isQuoted = true;
      row.text = '';
      at += 1;
    }
    if (isQuoted) {
      const quote = text.indexOf('"', at);
      row.text += text.slice(at, quote < 0 ? undefined : quote);
      if (quote < 0) return 'open';
      if (text[quote + 1] === '"') {
        row.text += '"';
        at = quote + 2;
        continue;
      }
      isQuoted = false;
      row.cells.push(row.text);
      at = quote + 1;
      if (at === text.length || (text[at] === '\r' && at + 1 === text.length)) break;
      if (text[at] !== ',') return 'unclear';
    } else {
      const comma = text.indexOf(',', at);
      const cell = comma < 0 ? withoutReturn(text.slice(at)) : text.slice(at, comma);
      if (cell.includes('"')) row.isWrong = true;
      // Some programs put blanks before an opening quote: this cell may go on in the next line.
      if (/^\s+"/.test(cell) && text.slice(at).split('"').length % 2 === 0) return 'unclear';
      row.cells.push(cell);
      if (comma < 0) break;
      at = comma;
    }
    at += 1;
  }
  return row.isWrong ? 'wrong' : 'done';
}

function withoutReturn(text: string): string {
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}
