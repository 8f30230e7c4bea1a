import { stdout } from 'node:process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Config } from '../config/environment.ts';
import { isGuid } from '../core/model/center/center-config.ts';
import { faultCode } from '../core/model/fault-code.ts';
import { withoutFormulas } from '../core/model/formula.ts';
import type { Identifiers } from '../core/model/person/identifiers.ts';
import { tableRows } from './csv-rows.ts';
import { linksOf, oneClickHeader, oneClickPost, readDays } from './links.ts';
import { type Print, readable, tell } from './streams.ts';

/** Rows between two lines of progress. */
const stride = 100_000;

/**
 * Writes a file of people with the links of each person to stdout, and progress and skipped rows to stderr.
 * The exit code is then 1 if a row was skipped or the output was closed.
 */
export async function printLinkTable(
  config: Config,
  { path, ...options }: Pick<Table, 'center' | 'days'> & { readonly path: string },
): Promise<void> {
  const count = { written: 0, leftOut: 0, likeFormula: 0 };
  const table = linkTable(config, { ...options, people: readable(path), count, tell });
  try {
    await pipeline(Readable.from(table), stdout, { end: false });
  } catch (fault) {
    if (!['EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'].includes(faultCode(fault) ?? '')) throw fault;
    throw new Error('the reader of the links has gone: the rest was not made');
  }
  if (count.likeFormula > 1) tell(`${count.likeFormula} identifiers would be taken for formulas`);
  tell(`${count.written} rows written, ${count.leftOut} left out`);
  if (count.leftOut > 0) process.exitCode = 1;
}

interface Table {
  readonly center: string | undefined;
  readonly days: string;
  readonly people: AsyncIterable<Uint8Array>;
  readonly count: { written: number; leftOut: number; likeFormula: number };
  readonly tell: Print;
}

/** The columns added to a file of people. */
const added = ['manage_url', 'withdraw_url', 'one_click_url', 'list_unsubscribe', 'list_unsubscribe_post'];

/** Characters of one piece of output: large enough to be cheap, small enough for memory. */
const pieceLength = 65_536;

/**
 * Adds each person's links to a CSV file of people (`identifier`, perhaps `purpose`, any other columns),
 * piece by piece. Throws for an unusable header. An unusable row is skipped and reported by the number of its
 * first line, without its content.
 */
export async function* linkTable(config: Config, table: Table): AsyncGenerator<string> {
  const { center, days, people, count, tell } = table;
  const links = linksOf(config, center);
  const life = readDays(days);
  let piece = '';
  const rows = tableRows(people, (names) => {
    piece += csvLine([...names.map(tame), ...added]);
    return readHeader(names);
  });
  for await (const { row, columns } of rows) {
    const read = 'fault' in row ? row.fault : readRow(row.cells, columns, config.identifiers);
    if (typeof read === 'string') {
      count.leftOut += 1;
      tell(`line ${row.line} is left out: ${read}`);
      continue;
    }
    const { cells, subject, purpose } = read;
    if (isFormula(subject)) {
      if (count.likeFormula === 0)
        tell(`line ${row.line}: a spreadsheet would take this identifier for a formula; it stays as it is`);
      count.likeFormula += 1;
    }
    const urls = (['manage', 'withdraw'] as const).map((scope) => links.manage(subject, scope, life));
    const oneClick = links.oneClick(subject, purpose);
    piece += csvLine([...cells, ...urls, oneClick, oneClickHeader(oneClick), oneClickPost]);
    count.written += 1;
    if (count.written % stride === 0) tell(`${count.written} rows`);
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

function readHeader(cells: readonly string[]) {
  if (cells.some((name) => /\r(?!\n)/.test(name)))
    throw new Error('lines end with CR alone: they must end with LF, or CR and LF');
  const names = cells.map(foldedName);
  const twice = cells.find((_name, index) => names.indexOf(names[index] ?? '') !== index);
  if (twice !== undefined) throw new Error(`two columns have the same name, ${JSON.stringify(twice)}`);
  const taken = cells.find((_name, index) => added.includes(names[index] ?? ''));
  if (taken !== undefined) throw new Error(`there is a column ${taken} already`);
  const identifier = names.indexOf('identifier');
  if (identifier < 0)
    throw new Error(
      'no column is called "identifier": the first line names the columns, with commas between',
    );
  return { count: cells.length, identifier, purpose: names.indexOf('purpose') };
}

/**
 * Names that differ only in case, blanks or invisible characters count as equal, as in programs that import
 * the table. An unrecognized column of purposes would give addresses that withdraw everything.
 */
function foldedName(name: string): string {
  return name
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .trim()
    .toLowerCase();
}

/** The row with its person, or a text that says why it is skipped. */
function readRow(cells: readonly string[], columns: ReturnType<typeof readHeader>, identifiers: Identifiers) {
  if (cells.length !== columns.count)
    return `it has ${cells.length} cells where the first line has ${columns.count}`;
  const subject = identifiers.read(cells[columns.identifier]);
  if (subject === undefined) return `identifier must be ${identifiers.rule}`;
  const purpose = cells[columns.purpose] || undefined;
  if (purpose !== undefined && !isGuid(purpose))
    return 'purpose must be the id of a purpose, or empty for everything';
  const kept = cells.map((cell, index) => (index === columns.identifier ? csvCell(cell) : tame(cell)));
  return { cells: kept, subject, purpose };
}

function csvLine(cells: readonly string[]): string {
  return `${cells.join(',')}\n`;
}

/** A cell for people alone: formulas are disarmed. */
function tame(cell: string): string {
  return csvCell(isFormula(cell) ? withoutFormulas(cell) : cell);
}

/** Quotes a cell that needs it, also one with other programs' separators. */
function csvCell(text: string): string {
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A text that a spreadsheet would evaluate. Numbers, amounts and telephone numbers may stay. */
function isFormula(cell: string): boolean {
  return withoutFormulas(cell) !== cell && !/^[+-][\d .,()/-]*$/.test(cell);
}
