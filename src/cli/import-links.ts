import { systemClock } from '../clock.ts';
import { withStores } from '../compose/stores.ts';
import type { Config } from '../config/environment.ts';
import { readLinkToken } from '../core/model/person/hosted-link.ts';
import type { Identifiers } from '../core/model/person/identifiers.ts';
import { readDay, readPlatformMoment } from '../core/model/utc-time.ts';
import { longestLinkDays } from '../features/identity/link-token.ts';
import type { HostedToken } from '../ports/hosted-links.ts';
import { tableRows } from './csv-rows.ts';
import { readDays } from './links.ts';
import { readable, tell } from './streams.ts';
import { type Values, WrongArgument } from './usage.ts';

/** Rows between two lines of progress. */
const stride = 100_000;
/** Skipped rows beyond this number are counted, but not reported one by one. */
const mostReported = 100;

/** Rows of one write. The product waits for each write: 80 ms on a busy machine. */
const batchRows = 1_000;
const day = 24 * 60 * 60_000;

/**
 * Stores the person of each token in links of the platform's hosted pages, from a CSV export of its link
 * tokens. The command may run again, and while the product runs. Throws for an unusable header. Messages
 * quote nothing of a row. The exit code is 1 if a row was skipped.
 */
export async function importLinks(config: Config, { file, days }: Values<'import-links'>): Promise<void> {
  if (file === undefined) throw new WrongArgument('say which file: --file linktokens.csv, or - for stdin');
  const lasting = days === undefined ? undefined : readDays(days);
  const made = { identifiers: config.identifiers, now: systemClock.now(), days: lasting };
  const count = { kept: 0, ended: 0, leftOut: 0 };
  let batch: HostedToken[] = [];
  await withStores(withLongDeadline(config), async ({ hostedLinks, emptyLogs }) => {
    const keep = async () => {
      await hostedLinks.add(batch);
      count.kept += batch.length;
      batch = [];
    };
    for await (const { row, columns } of tableRows(readable(file), readHeader)) {
      const read = 'fault' in row ? row.fault : readRow(row.cells, columns, made);
      if (read === 'ended') count.ended += 1;
      else if (typeof read === 'string') {
        count.leftOut += 1;
        if (count.leftOut <= mostReported) tell(`line ${row.line} is left out: ${read}`);
      } else batch.push(read);
      if (batch.length < batchRows) continue;
      await keep();
      if (count.kept % stride === 0) tell(`${count.kept} rows`);
    }
    await keep();
    await emptyLogs();
  });
  tell(`${count.kept} tokens kept, ${count.ended} had ended, ${count.leftOut} left out`);
  if (count.leftOut > 0) process.exitCode = 1;
}

/** No person waits for these statements, and a slow batch on a busy disk is no fault. */
function withLongDeadline(config: Config): Config {
  const { database } = config;
  return { ...config, database: database && { ...database, poolSize: 2, deadlineMs: 60_000 } };
}

function readHeader(cells: readonly string[]) {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  const identifier = names.findIndex((name) => name === 'datasubjectid' || name === 'identifier');
  const encoded = names.indexOf('urlencodedlinktoken');
  const token = names.includes('linktoken') ? names.indexOf('linktoken') : encoded;
  if (identifier < 0 || token < 0)
    throw new Error('the first line must name the columns DataSubjectId and LinkToken');
  const [endsAt, madeAt] = [names.indexOf('expirydate'), names.indexOf('createddate')];
  return { count: names.length, identifier, token, endsAt, madeAt };
}

/** Returns the row, `ended` for a link that is over, or a text that says what is wrong. */
function readRow(
  cells: readonly string[],
  columns: ReturnType<typeof readHeader>,
  { identifiers, now, days }: { identifiers: Identifiers; now: number; days: number | undefined },
): HostedToken | string {
  if (cells.length !== columns.count) return `it has ${cells.length} cells, the first line ${columns.count}`;
  const cell = (at: number) => (cells[at] ?? '').trim();
  const subject = identifiers.read(cells[columns.identifier]);
  if (subject === undefined) return `DataSubjectId must be ${identifiers.rule}`;
  const token = readLinkToken(cell(columns.token));
  if (token === undefined) return 'LinkToken is no link token';
  const end = cell(columns.endsAt);
  const endsAt = end === '' ? days && now + days * day : readMoment(end);
  if (endsAt === undefined)
    return end === '' ? 'it has no ExpiryDate: say --days for such rows' : 'ExpiryDate is no date';
  if (endsAt <= now) return 'ended';
  // A link without a date may be older than any sign-out of the person.
  const madeAt = readMoment(cell(columns.madeAt)) ?? 0;
  return { token, subject, madeAt, endsAt: Math.min(endsAt, now + longestLinkDays * day) };
}

function readMoment(text: string): number | undefined {
  return readPlatformMoment(text.replace(' ', 'T')) ?? readDay(text);
}
