import { hash } from 'node:crypto';
import type { DayRoot, PathStep, RootStanding } from '../core/model/evidence/day-root.ts';
import type { ConsentRecordCopy, RootProof, SignedRecord } from '../core/model/evidence/record-copy.ts';
import type { RootEvent } from '../core/model/submission/center-event.ts';
import { isoDay } from '../core/model/utc-time.ts';
import type { DayRoots, RootMaker } from '../ports/day-roots.ts';
import { endTurn } from '../turn.ts';
import { isIn } from './dialect.ts';
import { bySequence, eachRow } from './each-row.ts';
import { leafOf } from './evidence-seal.ts';
import { leafHash, type Part, partOf, pathThrough, rootBy, type Tree, treeBuilder } from './merkle.ts';
import { dayMs, type SubmissionRow } from './people-schema.ts';
import { type Columns, type Queries, reading, type Sql, type Write, writing } from './sql.ts';

const minute = 60_000;
/** Milliseconds from the end of a day until it is closed, since clocks differ. */
const closesAfter = 60 * minute;
/**
 * Milliseconds from the closing of a day until its roots are made: by then no write that began before is
 * running.
 */
const settles = 5 * minute;
/** Milliseconds after which another process makes the roots that a lost process has claimed. */
const lease = 10 * minute;
const rowsAtOnce = 1_000;

type Claimed = Columns<'day', number> & Columns<'center', string>;
type Leaves = Pick<SubmissionRow, 'sequence' | 'asked_leaf' | 'ended_leaf'>;

// Closes the days up to `:last` on which submissions ended. A day that is closed gets no further center.
const close = writing`INSERT INTO day_root (day, center, due_at)
  SELECT DISTINCT ended_day, center, CAST(:dueAt AS bigint) FROM submission
  WHERE ended_day > coalesce((SELECT max(day) FROM day_root), -1) AND ended_day <= :last
  ON CONFLICT DO NOTHING`;
// A root names the previous one, so a day is claimed only when all roots of earlier days are made.
const claim = writing<Claimed>`UPDATE day_root SET due_at = :again
  WHERE signed IS NULL AND due_at <= :now AND day = (SELECT min(day) FROM day_root WHERE signed IS NULL)
  RETURNING day, center`;
const keep = writing`
  UPDATE day_root SET parts = :parts, signed = :signed
  WHERE day = :day AND center = :center AND signed IS NULL
  RETURNING center AS subject`;
const previous = reading<Partial<Columns<'signed', string>>>`
  SELECT signed FROM day_root WHERE center = :center AND day < :day ORDER BY day DESC LIMIT 1`;
const list = reading<Columns<'day', number> & Columns<'signed', string>>`
  SELECT day, signed FROM day_root WHERE center = :center AND day < :before AND signed IS NOT NULL
  ORDER BY day DESC LIMIT :limit`;
const leaves = reading<Leaves & { readonly center: string }>`
  SELECT sequence, center, asked_leaf, ended_leaf FROM submission
  WHERE ended_day = :day AND sequence > :after ORDER BY sequence LIMIT :limit`;
const partLeaves = reading<Leaves>`SELECT sequence, asked_leaf, ended_leaf FROM submission
  WHERE ended_day = :day AND sequence >= :first AND sequence < :before AND center = :center
  ORDER BY sequence`;
const found = reading<
  Columns<'reference', string> & Columns<'sequence', number> & Partial<Columns<'day', number>>
>`
  SELECT reference, sequence, ended_day AS day FROM submission
  WHERE ${isIn('reference', 'references')} AND center || '' = :center`;
const roots = reading<Columns<'day', number> & Columns<'parts' | 'signed', string>>`
  SELECT day, parts, signed FROM day_root
  WHERE center = :center AND ${isIn('day', 'days')} AND signed IS NOT NULL`;

/** The trees of all centers on a day, built in one pass. */
export async function treesOf(queries: Queries, day: number): Promise<ReadonlyMap<string, Tree>> {
  const builders = new Map<string, ReturnType<typeof treeBuilder>>();
  for await (const row of eachRow(queries, leaves, bySequence(rowsAtOnce, { day })))
    builders.getOrInsertComputed(row.center, treeBuilder).add(row.sequence, leafIn(row));
  return new Map([...builders].map(([center, builder]) => [center, builder.end()]));
}

/** A missing digest gives another leaf, so that the root no longer matches. */
function leafIn({ asked_leaf: asked, ended_leaf: ended }: Leaves): Buffer {
  return leafHash(asked ?? Buffer.of(), ended ?? Buffer.of());
}

export function readSigned(signed: string): SignedRecord {
  return JSON.parse(signed) as SignedRecord;
}

/** The content of a signed root that comes from the own store, or whose signature was verified. */
export function rootIn({ payload }: SignedRecord): DayRoot {
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as DayRoot;
}

export function digestOf({ payload }: SignedRecord): string {
  return hash('sha256', Buffer.from(payload, 'base64url'), 'base64url');
}

/** The leaf of a record in a copy; undefined while the record has no end. */
export function leafOfCopy(record: ConsentRecordCopy): Buffer | undefined {
  const { 'sayso:asked': asked, 'sayso:ended': ended } = record;
  if (asked === undefined || ended === undefined) return undefined;
  return leafHash(leafOf(asked), leafOf(ended));
}

/** `news`: makes the writes that keep the event of a root, together with the root. */
export function openDayRoots(sql: Sql, news: (event: RootEvent) => readonly Write[]): DayRoots {
  async function makeOne({ day, center }: Claimed, tree: Tree, { issuer, signer }: RootMaker) {
    const before = (await sql.get(previous, { center, day }))?.signed;
    const root: DayRoot = {
      '@type': 'sayso:DayRoot',
      iss: issuer,
      center,
      day: isoDay(day),
      size: tree.size,
      root: tree.root,
      ...(before === undefined ? {} : { previous: digestOf(readSigned(before)) }),
    };
    const signed = await signer.sign(JSON.stringify(root));
    const values = { day, center, parts: JSON.stringify(tree.parts), signed: JSON.stringify(signed) };
    const event: RootEvent = {
      id: `root-${digestOf(signed)}`,
      type: 'root.signed',
      at: sql.clock.now(),
      center,
      day: root.day,
      root: signed,
    };
    // If another process has made the root meanwhile, `keep` writes no row, and no event is kept.
    await sql.together([{ name: 'lead', statement: keep, values }, ...news(event)]);
  }

  async function rootsOf(center: string, days: readonly number[]) {
    const rows = days.length === 0 ? [] : await sql.all(roots, { center, days: [...new Set(days)] });
    return new Map(rows.map((row) => [row.day, row]));
  }

  async function proofs(center: string, references: readonly string[]) {
    const rows = references.length === 0 ? [] : await sql.all(found, { references, center });
    const days = rows.flatMap(({ day }) => day ?? []);
    const made = await rootsOf(center, days);
    const proven = new Map<string, RootProof>();
    for (const { reference, sequence, day = -1 } of rows) {
      const root = made.get(day);
      if (root === undefined) continue;
      await endTurn();
      const signed = readSigned(root.signed);
      const parts = JSON.parse(root.parts) as readonly Part[];
      const { place, first, before } = partOf(parts, sequence);
      const part = await sql.all(partLeaves, { day, first, before, center });
      const inPart = part.findIndex((each) => each.sequence === sequence);
      const path = pathThrough(parts, place, part.map(leafIn), inPart);
      const leaf = part[inPart];
      // A path does not lead to the root if other leaves of the part were deleted or changed: no proof then.
      if (leaf !== undefined && rootBy(leafIn(leaf), path) === rootIn(signed).root)
        proven.set(reference, { day, path, signed });
    }
    return proven;
  }

  return {
    async make(maker) {
      const now = sql.clock.now();
      const closable = now - closesAfter;
      const last = closable - (closable % dayMs) - dayMs;
      const closed = await sql.run(close, { last, dueAt: now + settles });
      const claimed = await sql.all(claim, { now, again: now + lease });
      const [first] = claimed;
      if (first === undefined) return closed;
      const { day } = first;
      const trees = await treesOf(sql, day);
      for (const each of claimed) await makeOne(each, trees.get(each.center) ?? treeBuilder().end(), maker);
      return claimed.length;
    },
    async list(center, part) {
      const rows = await sql.all(list, { center, ...part });
      return rows.map(({ day, signed }) => ({ day, signed: readSigned(signed) }));
    },
    proofs,
    async standings({ records, 'sayso:center': { id: center } }) {
      const days = records.flatMap(({ 'sayso:path': path }) => (path === undefined ? [] : dayOf(path.day)));
      const made = await rootsOf(center, days);
      const withoutPath = records.filter((each) => each['sayso:path'] === undefined);
      const references = withoutPath.map((each) => each.record_id);
      const proven = await proofs(center, references);
      return records.map((record): RootStanding => {
        const leaf = leafOfCopy(record);
        const { record_id: reference, 'sayso:path': own } = record;
        const proof = proven.get(reference);
        const path: readonly PathStep[] | undefined = own?.steps ?? proof?.path;
        if (leaf === undefined || path === undefined) return 'not-yet';
        const kept = own && made.get(dayOf(own.day))?.signed;
        const signed = own === undefined ? proof?.signed : kept && readSigned(kept);
        return signed && rootBy(leaf, path) === rootIn(signed).root ? 'in-root' : 'not-in-root';
      });
    },
  };
}

function dayOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}
