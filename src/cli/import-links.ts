import { parseArgs } from 'node:util';
import { systemClock } from '../clock.ts';
import { withStores } from '../compose/stores.ts';
import type { Config } from '../config/environment.ts';
import { WrongArgument } from '../config/wrong-argument.ts';
import { readLinkToken } from '../core/model/person/hosted-link.ts';
import { createIdentifiers, type Identifiers } from '../core/model/person/identifiers.ts';
import { readDay, readPlatformMoment } from '../core/model/utc-time.ts';
import { longestLinkDays } from '../features/identity/link-token.ts';
import type { HostedToken } from '../ports/hosted-links.ts';
import { type CsvRow, tableRows } from './csv-rows.ts';
import { readDays } from './links.ts';
import { readable, tell } from './streams.ts';

/** Rows between two words about how far it is. */
const stride = 100_000;
/** No more rows that are left out are told one by one. */
const mostTold = 100;

/** Keeps whose the tokens in links of hosted pages are. The process ends with 1 if a row was left out. */
export async function importLinks(config: Config, args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { file: { type: 'string' }, days: { type: 'string' } },
  });
  if (values.file === undefined)
    throw new WrongArgument('say which file: --file linktokens.csv, or - for stdin');
  const count = { kept: 0, leftOut: 0, ended: 0 };
  let told = 0;
  const file = readable(values.file);
  const days = values.days === undefined ? undefined : readDays(values.days);
  await keepLinks(
    config,
    { file, days },
    {
      leftOut(line, why) {
        count.leftOut += 1;
        if (count.leftOut <= mostTold) tell(`line ${line} is left out: ${why}`);
      },
      kept(rows) {
        count.kept = rows;
        if (rows - told < stride) return;
        told = rows;
        tell(`${rows} rows`);
      },
      ended() {
        count.ended += 1;
      },
    },
  );
  tell(`${count.kept} tokens kept, ${count.ended} had ended, ${count.leftOut} left out`);
  if (count.leftOut > 0) process.exitCode = 1;
}

export interface ImportReport {
  /** A row that was skipped, by its first line. `why` quotes nothing of the row. */
  leftOut(line: number, why: string): void;
  /** Rows kept so far. */
  kept(count: number): void;
  /** A row whose link is over. */
  ended(): void;
}

/** Rows of one write. The product waits for each write: 80 ms on a busy machine. */
const batchRows = 1_000;
const day = 24 * 60 * 60_000;

interface Columns {
  readonly count: number;
  readonly identifier: number;
  readonly token: number;
  readonly endsAt: number | undefined;
  readonly madeAt: number | undefined;
}

/**
 * Imports the people of the platform's hosted-page tokens from a CSV export of its link tokens. It may run
 * again, and while the product runs. Throws for an unusable header.
 */
export async function keepLinks(
  config: Config,
  { file, days }: { file: AsyncIterable<Uint8Array>; days: number | undefined },
  report: ImportReport,
): Promise<void> {
  const made = { identifiers: createIdentifiers(config.identifierEncoding), now: systemClock.now(), days };
  let batch: HostedToken[] = [];
  let kept = 0;
  await withStores(withLongDeadline(config), async ({ hostedLinks, emptyLogs }) => {
    const keep = async () => {
      await hostedLinks.add(batch);
      kept += batch.length;
      batch = [];
      report.kept(kept);
    };
    for await (const { row, columns } of tableRows(file, readHeader)) {
      const read = 'fault' in row ? row.fault : readRow(row.cells, columns, made);
      if (read === 'ended') report.ended();
      else if (typeof read === 'string') report.leftOut(row.line, read);
      else batch.push(read);
      if (batch.length >= batchRows) await keep();
    }
    await keep();
    await emptyLogs();
  });
}

/** No person waits behind these statements, and a batch on a busy disk is no fault. */
function withLongDeadline(config: Config): Config {
  const { database } = config;
  return { ...config, database: database && { ...database, poolSize: 2, deadlineMs: 60_000 } };
}

function readHeader(row: CsvRow): Columns {
  if ('fault' in row) throw new Error(`line ${row.line}: ${row.fault}`);
  const names = row.cells.map((cell) => cell.trim().toLowerCase());
  const find = (...wanted: string[]) => {
    const at = names.findIndex((name) => wanted.includes(name));
    return at < 0 ? undefined : at;
  };
  const identifier = find('datasubjectid', 'identifier');
  const token = find('linktoken') ?? find('urlencodedlinktoken');
  if (identifier === undefined || token === undefined)
    throw new Error('the first line must name the columns DataSubjectId and LinkToken');
  return {
    count: names.length,
    identifier,
    token,
    endsAt: find('expirydate'),
    madeAt: find('createddate'),
  };
}

/** Returns the row, `ended` for a link that is over, or a text that says what is wrong. */
function readRow(
  cells: readonly string[],
  columns: Columns,
  { identifiers, now, days }: { identifiers: Identifiers; now: number; days: number | undefined },
): HostedToken | string {
  if (cells.length !== columns.count) return `it has ${cells.length} cells, the first line ${columns.count}`;
  const cell = (at: number | undefined) => (at === undefined ? '' : (cells[at] ?? '').trim());
  const subject = identifiers.read(cells[columns.identifier]);
  if (subject === undefined) return `DataSubjectId must be ${identifiers.rule}`;
  const token = readLinkToken(cell(columns.token));
  if (token === undefined) return 'LinkToken is no link token';
  const end = cell(columns.endsAt);
  const endsAt = end === '' ? days && now + days * day : readMoment(end);
  if (endsAt === undefined)
    return end === '' ? 'it has no ExpiryDate: say --days for such rows' : 'ExpiryDate is no date';
  if (endsAt <= now) return 'ended';
  // Without a date it may be older than any sign-out of the person.
  const madeAt = readMoment(cell(columns.madeAt)) ?? 0;
  return { token, subject, madeAt, endsAt: Math.min(endsAt, now + longestLinkDays * day) };
}

function readMoment(text: string): number | undefined {
  return readPlatformMoment(text.replace(' ', 'T')) ?? readDay(text);
}
