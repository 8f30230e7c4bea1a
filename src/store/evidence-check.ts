import { hash } from 'node:crypto';
import type { DayRoot } from '../core/model/evidence/day-root.ts';
import type { SignedRecord } from '../core/model/evidence/record-copy.ts';
import { isoDay } from '../core/model/utc-time.ts';
import type { RecordSigner } from '../ports/signed-records.ts';
import type { KeptText } from '../ports/wordings.ts';
import { digestOf, readSigned, treesOf } from './day-roots.ts';
import { isIn } from './dialect.ts';
import { bySequence, eachRow } from './each-row.ts';
import { leafOf, openEvidence } from './evidence-seal.ts';
import { type Tree, treeBuilder } from './merkle.ts';
import type { SubmissionRow } from './people-schema.ts';
import { type Columns, reading, type StoreParts } from './sql.ts';
import { everyWording, textsOf } from './wordings.ts';

export type EvidenceFinding =
  /**
   * `unreadable`: no key opens the submission. `changed`: its row and its digests differ. `words`: it points
   * at other words than were shown.
   */
  | { readonly what: 'unreadable' | 'changed' | 'words'; readonly center: string; readonly reference: string }
  | { readonly what: 'text-changed' | 'text-missing'; readonly digest: string }
  | ({ readonly what: 'dropped' | 'added'; readonly count: number } & CenterDay)
  /**
   * `day-changed`: the number of submissions is right, their content is not. `no-root`: the day is closed,
   * and has no root. `root-before`: the root names another previous root.
   */
  | ({ readonly what: 'day-changed' | 'no-root' | 'root-replaced' | 'root-before' } & CenterDay);

interface CenterDay {
  readonly center: string;
  /** `yyyy-MM-dd`. */
  readonly day: string;
}

type RootRow = Columns<'center', string> & Partial<Columns<'parts' | 'signed', string>>;

const limit = 500;

type CheckedRow = SubmissionRow & Partial<Columns<'shown' | 'undone', string>> & Columns<'left_done', number>;

const submissions = reading<CheckedRow>`SELECT s.*, w.digest AS shown, u.undoes AS undone,
    (SELECT count(*) FROM submission o WHERE o.reference = s.undoes AND o.undone_by IS NULL) AS left_done
  FROM submission s
  LEFT JOIN wording w ON w.sequence = s.words LEFT JOIN submission u ON u.reference = s.undone_by
  WHERE s.sequence > :after ORDER BY s.sequence LIMIT :limit`;
const texts = reading<KeptText>`
  SELECT digest, content FROM wording_text WHERE digest > :after ORDER BY digest LIMIT :limit`;
const known = reading<Pick<KeptText, 'digest'>>`
  SELECT digest FROM wording_text WHERE ${isIn('digest', 'digests')}`;
const byDigest = [{ after: '', limit }, ({ digest }: KeptText) => ({ after: digest })] as const;
const erased = reading<Columns<'count', number>>`
  SELECT count(*) AS count FROM submission WHERE subject = '' AND asked IS NULL`;
const closed = reading<{ readonly day?: number }>`SELECT max(day) AS day FROM day_root`;
const nextDay = reading<{ readonly day?: number }>`SELECT min(day) AS day FROM (
  SELECT min(day) AS day FROM day_root WHERE day > :after
  UNION ALL SELECT min(ended_day) FROM submission WHERE ended_day > :after) AS days`;
const roots = reading<RootRow>`SELECT center, parts, signed FROM day_root WHERE day = :day ORDER BY center`;

const isLeaf = (kept: Uint8Array | undefined, leaf: Buffer) => kept !== undefined && leaf.equals(kept);

/**
 * Finds changes in the store that the product did not make. It checks submissions, the words that they point
 * at, and the roots of days. Findings name no person. A few rows are held in memory at a time.
 */
export function evidenceChecks({ sql, seal }: StoreParts, signer: Pick<RecordSigner, 'open'>) {
  function faultOf(row: CheckedRow): 'unreadable' | 'changed' | 'words' | undefined {
    const { asked, ended } = openEvidence(seal, row) ?? {};
    if (asked === undefined || (row.ended !== undefined && ended === undefined)) return 'unreadable';
    if (!isLeaf(row.asked_leaf, leafOf(asked))) return 'changed';
    for (const kept of [row.ended_leaf, row.ended_day])
      if ((ended === undefined) !== (kept === undefined)) return 'changed';
    const { reference } = asked;
    if (ended !== undefined && !isLeaf(row.ended_leaf, leafOf({ ...ended, reference }))) return 'changed';
    // The leaf of the submission that undoes this one covers the reference.
    if (row.undone_by !== undefined && row.undone !== reference) return 'changed';
    if (row.state === 'done' && row.left_done > 0) return 'changed';
    return asked.shown?.words === row.shown ? undefined : 'words';
  }

  async function* ofSubmissions(): AsyncGenerator<EvidenceFinding> {
    for await (const row of eachRow(sql, submissions, bySequence(limit))) {
      // Only the leaves of an erased submission are kept, so there is nothing to compare.
      const what = row.subject === '' && row.asked === undefined ? undefined : faultOf(row);
      if (what !== undefined) yield { what, center: row.center, reference: row.reference };
    }
  }

  const isChanged = ({ digest, content }: KeptText) => hash('sha256', content, 'base64url') !== digest;

  async function* ofWords(): AsyncGenerator<EvidenceFinding> {
    for await (const row of eachRow(sql, texts, byDigest))
      if (isChanged(row)) yield { what: 'text-changed', digest: row.digest };
    for await (const row of eachRow(sql, everyWording, bySequence(limit))) {
      if (isChanged(row)) {
        yield { what: 'text-changed', digest: row.digest };
        continue;
      }
      const named = new Set(textsOf(row.content));
      for (const { digest } of await sql.all(known, { digests: [...named] })) named.delete(digest);
      for (const digest of named) yield { what: 'text-missing', digest };
    }
  }

  /** The content of a root, or what is wrong with it. `last`: the digest of the center's previous root. */
  async function rootOf(signed: SignedRecord, at: CenterDay, last: string | undefined) {
    const root = (await signer.open(signed)) as DayRoot | undefined;
    const isOwn = root?.['@type'] === 'sayso:DayRoot' && root.center === at.center && root.day === at.day;
    if (!isOwn) return 'root-replaced';
    return root.previous === last ? root : 'root-before';
  }

  async function* ofRoots(since: number): AsyncGenerator<EvidenceFinding> {
    const closedUntil = (await sql.get(closed))?.day ?? -1;
    const last = new Map<string, string>();
    for (let after = -1; ; ) {
      const next = (await sql.get(nextDay, { after }))?.day;
      if (next === undefined || next > closedUntil) return;
      after = next;
      const rootRows = new Map((await sql.all(roots, { day: after })).map((row) => [row.center, row]));
      // Some submissions of days before `since` are deleted, so these trees cannot be built.
      const trees = after < since ? undefined : await treesOf(sql, after);
      for (const center of new Set([...rootRows.keys(), ...(trees?.keys() ?? [])])) {
        const at = { center, day: isoDay(after) };
        const row = rootRows.get(center);
        const tree = trees?.get(center) ?? treeBuilder().end();
        if (row === undefined) yield { what: 'no-root', ...at };
        // The root is not made yet.
        if (row?.signed === undefined) continue;
        const signed = readSigned(row.signed);
        const root = await rootOf(signed, at, last.get(center));
        last.set(center, digestOf(signed));
        if (typeof root === 'string') yield { what: root, ...at };
        else if (trees !== undefined) yield* compare(root, tree, row, at);
      }
    }
  }

  return {
    ofSubmissions,
    /** Checks the words that people were shown. */
    ofWords,
    /** Checks each closed day. Submissions of days before `since`, epoch milliseconds, may be deleted. */
    ofRoots,
    /**
     * Counts submissions of which only digests are left: an operator may have blanked more than were erased.
     */
    erased: async () => (await sql.get(erased))?.count ?? 0,
  };
}

function* compare(root: DayRoot, tree: Tree, { parts }: RootRow, at: CenterDay): Generator<EvidenceFinding> {
  const more = tree.size - root.size;
  if (more < 0) yield { what: 'dropped', ...at, count: -more };
  else if (more > 0) yield { what: 'added', ...at, count: more };
  else if (tree.root !== root.root) yield { what: 'day-changed', ...at };
  else if (JSON.stringify(tree.parts) !== parts) yield { what: 'root-replaced', ...at };
}
