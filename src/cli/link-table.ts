import { stdout } from 'node:process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { systemClock } from '../clock.ts';
import { linkMint } from '../compose/identity.ts';
import { readSecrets } from '../compose/secret.ts';
import type { Config } from '../config/environment.ts';
import { isGuid } from '../core/model/center/center-config.ts';
import { withoutFormulas } from '../core/model/formula.ts';
import { createIdentifiers, type Identifiers } from '../core/model/person/identifiers.ts';
import type { SubjectId } from '../core/model/person/subject.ts';
import { oneClickPath, sealOneClick } from '../features/unsubscribe/token.ts';
import { createSeal } from '../store/seal.ts';
import { linkHref } from '../web/href.ts';
import { type CsvRow, tableRows } from './csv-rows.ts';
import { oneClickHeader, oneClickPost, readCenter, readDays } from './links.ts';
import { readable, tell } from './streams.ts';

/** Rows between two words about how far it is. */
const stride = 100_000;

/**
 * Writes a file of people with everybody's links to stdout, and to stderr how far it is and what was left out. The
 * process then ends with 1 if anything was, or if its output was closed.
 */
export async function printLinkTable(
  config: Config,
  { path, ...options }: { path: string; center: string | undefined; days: string },
): Promise<void> {
  const count = { written: 0, leftOut: 0, likeFormula: 0 };
  const table = linkTable(
    config,
    { ...options, people: readable(path) },
    {
      leftOut(line, why) {
        count.leftOut += 1;
        tell(`line ${line} is left out: ${why}`);
      },
      written(rows) {
        count.written = rows;
        if (rows % stride === 0) tell(`${rows} rows`);
      },
      likeFormula(line) {
        count.likeFormula += 1;
        if (count.likeFormula === 1)
          tell(`line ${line}: a spreadsheet would take this identifier for a formula; it stays as it is`);
      },
    },
  );
  try {
    await pipeline(Readable.from(table), stdout, { end: false });
  } catch (fault) {
    if (!isClosed(fault)) throw fault;
    throw new Error('the reader of the links has gone: the rest was not made');
  }
  if (count.likeFormula > 1) tell(`${count.likeFormula} identifiers would be taken for formulas`);
  tell(`${count.written} rows written, ${count.leftOut} left out`);
  if (count.leftOut > 0) process.exitCode = 1;
}

function isClosed(fault: unknown): boolean {
  return (
    fault instanceof Error &&
    'code' in fault &&
    ['EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'].includes(String(fault.code))
  );
}

/** The columns added to a file of people. */
const added = ['manage_url', 'withdraw_url', 'one_click_url', 'list_unsubscribe', 'list_unsubscribe_post'];

/** Characters of one piece of output: large enough to be cheap, small enough for memory. */
const pieceLength = 65_536;

export interface LinkTableReport {
  /** A row that was skipped, by its first line. `why` quotes nothing of the row. */
  leftOut(line: number, why: string): void;
  /** Rows so far. */
  written(count: number): void;
  /** An identifier that a spreadsheet would take for a formula. It is written unchanged. */
  likeFormula(line: number): void;
}

interface Columns {
  readonly count: number;
  readonly identifier: number;
  readonly purpose: number | undefined;
}

/**
 * Adds each person's links to a CSV file of people (`identifier`, perhaps `purpose`, any other columns),
 * piece by piece. Throws for an unusable header; an unusable row is reported and skipped.
 */
export async function* linkTable(
  config: Config,
  { center, days, people }: { center: string | undefined; days: string; people: AsyncIterable<Uint8Array> },
  report: LinkTableReport,
): AsyncGenerator<string> {
  const made = {
    linksOf: personLinks(config, { center, days }),
    identifiers: createIdentifiers(config.identifierEncoding),
  };
  let count = 0;
  let piece = '';
  const rows = tableRows(people, (row) => {
    const columns = readHeader(row);
    piece += 'cells' in row ? csvLine([...row.cells.map(tame), ...added]) : '';
    return columns;
  });
  for await (const { row, columns } of rows) {
    const cells = 'fault' in row ? row.fault : writeRow(row.cells, columns, made);
    if (typeof cells === 'string') {
      report.leftOut(row.line, cells);
      continue;
    }
    if ('cells' in row && isFormula(row.cells[columns.identifier] ?? '')) report.likeFormula(row.line);
    piece += csvLine(cells);
    count += 1;
    report.written(count);
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

/** Makes the five added cells of a person. */
function personLinks(config: Config, { center, days }: { center: string | undefined; days: string }) {
  const centerConfig = readCenter(config, center);
  const lifetime = readDays(days) * 86_400;
  const secrets = readSecrets(config);
  const links = linkMint(secrets);
  const seal = createSeal(secrets);
  const { origin } = config.publicUrl;
  return (subject: SubjectId, purpose: string | undefined) => {
    const urlOf = (scope: 'manage' | 'withdraw') =>
      `${origin}${linkHref(centerConfig, links.mint({ subject, scope, center: centerConfig.center, lifetime }))}`;
    const click = { center: centerConfig.center, subject, purpose, madeAt: systemClock.now() };
    const oneClick = `${origin}${oneClickPath(sealOneClick(seal, click))}`;
    return [urlOf('manage'), urlOf('withdraw'), oneClick, oneClickHeader(oneClick), oneClickPost];
  };
}

function readHeader(row: CsvRow): Columns {
  if ('fault' in row) throw new Error(`line ${row.line}, the names of the columns: ${row.fault}`);
  const { cells } = row;
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
  const purpose = names.indexOf('purpose');
  return { count: cells.length, identifier, purpose: purpose < 0 ? undefined : purpose };
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

/** The row with its added cells, or a text that says why it is skipped. */
function writeRow(
  cells: readonly string[],
  columns: Columns,
  {
    linksOf,
    identifiers,
  }: { readonly linksOf: ReturnType<typeof personLinks>; readonly identifiers: Identifiers },
): readonly string[] | string {
  if (cells.length !== columns.count)
    return `it has ${cells.length} cells where the first line has ${columns.count}`;
  const subject = identifiers.read(cells[columns.identifier]);
  if (subject === undefined) return `identifier must be ${identifiers.rule}`;
  const purpose = columns.purpose === undefined ? '' : (cells[columns.purpose] ?? '');
  if (purpose !== '' && !isGuid(purpose))
    return 'purpose must be the id of a purpose, or empty for everything';
  const kept = cells.map((cell, index) => (index === columns.identifier ? csvCell(cell) : tame(cell)));
  return [...kept, ...linksOf(subject, purpose === '' ? undefined : purpose.toLowerCase())];
}

function csvLine(cells: readonly string[]): string {
  return `${cells.join(',')}\n`;
}

/** A cell for people alone: formulas are disarmed. */
function tame(cell: string): string {
  return csvCell(isFormula(cell) ? withoutFormulas(cell) : cell);
}

/** Also quotes a cell with other programs' separators. */
function csvCell(text: string): string {
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A text that a spreadsheet would evaluate. Numbers, amounts and telephone numbers may stay. */
function isFormula(cell: string): boolean {
  return withoutFormulas(cell) !== cell && !/^[+-][\d .,()/-]*$/.test(cell);
}
