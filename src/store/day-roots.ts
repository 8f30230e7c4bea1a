import { hash } from 'node:crypto';
import type { DayRoot, PathStep, RootStanding } from '../core/model/evidence/day-root.ts';
import type { ConsentRecordCopy, RootProof, SignedRecord } from '../core/model/evidence/record-copy.ts';
import type { RootEvent } from '../core/model/submission/center-event.ts';
import { isoDay } from '../core/model/utc-time.ts';
import type { Clock } from '../ports/clock.ts';
import type { DayRoots, RootMaker } from '../ports/day-roots.ts';
import { endTurn } from '../turn.ts';
import { leafOf } from './evidence-seal.ts';
import { leafHash, type Part, partOf, pathThrough, rootBy, type Tree, treeBuilder } from './merkle.ts';
import { dayMs } from './people-schema.ts';
import { type Dialect, type Queries, type Row, reading, type Sql, type Transaction, writing } from './sql.ts';

const minute = 60_000;
/** After its end, for clocks that differ. */
const closesAfter = 60 * minute;
/** After a day is closed no write that has not seen it can be on its way. */
const settles = 5 * minute;
/** Who makes roots and is lost has another one follow. */
const lease = 10 * minute;
const rowsAtOnce = 1_000;

// All that ended up to then and is on no day that is closed: late days stay as they are.
const close = writing(
  `INSERT INTO day_root (day, center, due_at)
   SELECT DISTINCT ended_day, center, CAST(:dueAt AS bigint) FROM submission
   WHERE ended_day > coalesce((SELECT max(day) FROM day_root), -1) AND ended_day <= :last
   ON CONFLICT DO NOTHING`,
);
// The next one names the one before: days are made one after the other.
const claim = writing(
  `UPDATE day_root SET due_at = :again
   WHERE signed IS NULL AND due_at <= :now AND day = (SELECT min(day) FROM day_root WHERE signed IS NULL)
   RETURNING day, center`,
);
const keep = writing(
  `UPDATE day_root SET parts = :parts, signed = :signed WHERE day = :day AND center = :center AND signed IS NULL`,
);
const previous = reading(
  'SELECT signed FROM day_root WHERE center = :center AND day < :day ORDER BY day DESC LIMIT 1',
);
const list = reading(
  `SELECT day, signed FROM day_root WHERE center = :center AND day < :before AND signed IS NOT NULL
   ORDER BY day DESC LIMIT :limit`,
);
const leaves = reading(
  `SELECT sequence, center, asked_leaf, ended_leaf FROM submission
   WHERE ended_day = :day AND sequence > :after AND sequence < :before ORDER BY sequence LIMIT :limit`,
);
const partLeaves = reading(
  `SELECT sequence, asked_leaf, ended_leaf FROM submission
   WHERE ended_day = :day AND sequence >= :first AND sequence < :before AND center = :center ORDER BY sequence`,
);
const statements = ({ isIn }: Dialect) => ({
  found: reading(
    `SELECT reference, sequence, center, ended_day FROM submission WHERE ${isIn('reference', 'references')}`,
  ),
  roots: reading(
    `SELECT day, parts, signed FROM day_root
     WHERE center = :center AND ${isIn('day', 'days')} AND signed IS NOT NULL`,
  ),
});

/** Of all centers of a day, in one pass. */
export async function treesOf(queries: Queries, day: number): Promise<ReadonlyMap<string, Tree>> {
  const builders = new Map<string, ReturnType<typeof treeBuilder>>();
  const [before, limit] = [Number.MAX_SAFE_INTEGER, rowsAtOnce];
  for (let after = 0; ; ) {
    const rows = await queries.all(leaves, { day, after, before, limit });
    for (const row of rows) {
      const center = String(row['center']);
      const builder = builders.get(center) ?? treeBuilder();
      builders.set(center, builder);
      after = Number(row['sequence']);
      builder.add(after, leafIn(row));
    }
    if (rows.length < rowsAtOnce) break;
    await endTurn();
  }
  return new Map([...builders].map(([center, builder]) => [center, builder.end()]));
}

function leafIn(row: Row): Buffer {
  // Without a digest it is another leaf.
  const bytesIn = (value: unknown) => (value instanceof Uint8Array ? value : Buffer.of());
  return leafHash(bytesIn(row['asked_leaf']), bytesIn(row['ended_leaf']));
}

export function readSigned(row: Row | undefined): SignedRecord | undefined {
  const text = row?.['signed'];
  return typeof text === 'string' ? (JSON.parse(text) as SignedRecord) : undefined;
}

/** What a signed root says: it is of our own store, or its signature was verified. */
export function rootIn({ payload }: SignedRecord): DayRoot {
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as DayRoot;
}

export function digestOf({ payload }: SignedRecord): string {
  return hash('sha256', Buffer.from(payload, 'base64url'), 'base64url');
}

/** undefined: what it came to is not said yet. */
export function leafOfCopy(record: ConsentRecordCopy): Buffer | undefined {
  const { 'sayso:asked': asked, 'sayso:ended': ended } = record;
  if (asked === undefined || ended === undefined) return undefined;
  const digestIn = ({ salt, ...content }: { readonly salt: string }) => leafOf(salt, content);
  return leafHash(digestIn(asked), digestIn(ended));
}

export function openDayRoots({
  sql,
  tell,
  clock = sql.clock,
}: {
  readonly sql: Sql;
  /** Tells the receivers of events, in the transaction that keeps the root. */
  readonly tell: (transaction: Transaction, event: RootEvent) => Promise<void>;
  readonly clock?: Clock;
}): DayRoots {
  const { found, roots } = statements(sql.dialect);

  async function makeOne(
    day: number,
    center: string,
    tree: Tree,
    { issuer, signer }: RootMaker,
  ): Promise<void> {
    const before = readSigned(await sql.get(previous, { center, day }));
    const root: DayRoot = {
      '@type': 'sayso:DayRoot',
      ...{ iss: issuer, center, day: isoDay(day), size: tree.size, root: tree.root },
      ...(before === undefined ? {} : { previous: digestOf(before) }),
    };
    const signed = await signer.sign(JSON.stringify(root));
    const values = { parts: JSON.stringify(tree.parts), signed: JSON.stringify(signed) };
    const event: RootEvent = {
      ...{ id: `root-${digestOf(signed)}`, type: 'root.signed', at: clock.now() },
      ...{ center, day: root.day, root: signed },
    };
    await sql.transaction(async (transaction) => {
      // Another process may have made it meanwhile.
      if ((await transaction.run(keep, { day, center, ...values })) > 0) await tell(transaction, event);
    });
  }

  async function proofs(center: string, references: readonly string[]) {
    const all = references.length === 0 ? [] : await sql.all(found, { references });
    const rows = all.filter((row) => row['center'] === center && row['ended_day'] !== null);
    const days = [...new Set(rows.map((row) => Number(row['ended_day'])))];
    const made = new Map(
      (days.length === 0 ? [] : await sql.all(roots, { center, days })).map((row) => [
        Number(row['day']),
        row,
      ]),
    );
    const proven = new Map<string, RootProof>();
    for (const row of rows) {
      const day = Number(row['ended_day']);
      const signed = readSigned(made.get(day));
      if (signed === undefined) continue;
      await endTurn();
      const parts = JSON.parse(String(made.get(day)?.['parts'])) as readonly Part[];
      const sequence = Number(row['sequence']);
      const { place, first, before } = partOf(parts, sequence);
      const part = await sql.all(partLeaves, { day, first, before, center });
      const inPart = part.findIndex((each) => Number(each['sequence']) === sequence);
      const path = pathThrough(parts, place, part.map(leafIn), inPart);
      const leaf = part[inPart];
      // Neighbours that are deleted already, or were tampered with, lead elsewhere.
      if (leaf !== undefined && rootBy(leafIn(leaf), path) === rootIn(signed).root)
        proven.set(String(row['reference']), { day, path, signed });
    }
    return proven;
  }

  return {
    async make(by) {
      const now = clock.now();
      const over = now - closesAfter;
      const last = over - (over % dayMs) - dayMs;
      const closed = await sql.run(close, { last, dueAt: now + settles });
      const claimed = await sql.all(claim, { now, again: now + lease });
      const [first] = claimed;
      if (first === undefined) return closed;
      const day = Number(first['day']);
      const trees = await treesOf(sql, day);
      for (const { center } of claimed) {
        const tree = trees.get(String(center)) ?? treeBuilder().end();
        await makeOne(day, String(center), tree, by);
      }
      return claimed.length;
    },
    async list(center, part) {
      const rows = await sql.all(list, { center, ...part });
      return rows.flatMap((row) => {
        const signed = readSigned(row);
        return signed === undefined ? [] : { day: Number(row['day']), signed };
      });
    },
    proofs,
    async standings({ records, 'sayso:center': { id: center } }) {
      const days = records.flatMap(({ 'sayso:path': path }) => (path === undefined ? [] : dayOf(path.day)));
      const rows = days.length === 0 ? [] : await sql.all(roots, { center, days: [...new Set(days)] });
      const made = new Map(rows.map((row) => [Number(row['day']), readSigned(row)]));
      const without = records.filter((each) => each['sayso:path'] === undefined);
      const later = await proofs(
        center,
        without.map((each) => each.record_id),
      );
      return records.map((record): RootStanding => {
        const leaf = leafOfCopy(record);
        const { record_id: reference, 'sayso:path': own } = record;
        const proof = later.get(reference);
        const path: readonly PathStep[] | undefined = own?.steps ?? proof?.path;
        if (leaf === undefined || path === undefined) return 'not-yet';
        const signed = own === undefined ? proof?.signed : made.get(dayOf(own.day));
        return signed !== undefined && rootBy(leaf, path) === rootIn(signed).root ? 'in-root' : 'not-in-root';
      });
    },
  };
}

function dayOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}
