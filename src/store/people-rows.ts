import { joined } from '../core/consent/joined-person.ts';
import type { Person } from '../core/consent/person.ts';
import type { SubjectId } from '../core/model/person/subject.ts';
import type { ClaimedPerson, Lease, NewSubmission, Written } from '../ports/people.ts';
import type { KeyedHash, Seal } from '../ports/seal.ts';
import { isIn } from './dialect.ts';
import type { sealAsked } from './evidence-seal.ts';
import { hashesOf, openRows, sealedPerson } from './journal-seal.ts';
import type { PersonRow } from './people-schema.ts';
import { type Queries, reading, type Sql, type Transaction, writing } from './sql.ts';

export const personRows = reading<PersonRow>`SELECT * FROM person WHERE ${isIn('subject', 'subjects')}`;

const lock = writing<PersonRow>`
  UPDATE person SET touched_at = touched_at WHERE ${isIn('subject', 'subjects')} RETURNING *`;
const move = writing`
  INSERT INTO person (subject, version, document, due_at, withdraws, owner, lease_until, touched_at)
  VALUES (:subject, :version, :document, :dueAt, :withdraws, :owner, :until, :touchedAt)
  ON CONFLICT (subject) DO UPDATE SET version = person.version + 1, document = excluded.document,
    due_at = excluded.due_at, withdraws = excluded.withdraws, owner = excluded.owner,
    lease_until = excluded.lease_until, touched_at = excluded.touched_at`;
const forget = writing`DELETE FROM person WHERE ${isIn('subject', 'subjects')}`;

export const heldRow = reading<PersonRow>`SELECT * FROM person WHERE subject = :id AND owner = :owner`;
// A due time that a submission has set meanwhile stays, if it is earlier.
export const postpone = writing`UPDATE person SET owner = NULL, lease_until = 0,
    due_at = CASE WHEN version <> :version AND due_at < :dueAt THEN due_at ELSE :dueAt END
  WHERE subject = :id AND owner = :owner`;

/** The claimed person of a row. */
export function claimedOf(seal: Seal, row: PersonRow): ClaimedPerson {
  const { subject: id, owner = '', version, document } = row;
  return { id, owner, version, person: sealedPerson.open(seal, id, document) };
}

/** A submission that is to be written. */
export interface Given {
  readonly submission: NewSubmission;
  readonly write: (person: Person | undefined) => Written;
  readonly lease: Lease | undefined;
  /** The id of the person's row: the person's hash under the newest secret. */
  readonly row: string;
  /** The person's hashes under every secret, the newest first. */
  readonly subjects: readonly string[];
  /** The request, sealed. */
  readonly request: string;
  readonly asked: ReturnType<typeof sealAsked>;
}

const rowsOf = (group: readonly Given[]) => [...new Set(group.map(({ row }) => row))];

/** People as they were read, by their hash under the newest secret. */
export type FoundPeople = ReadonlyMap<string, Pick<ClaimedPerson, 'version' | 'person'>>;

type HeldRows = ReturnType<typeof openRows<PersonRow>>;

export function peopleRows({ clock }: Pick<Sql, 'clock'>, seal: Seal & KeyedHash) {
  /**
   * Locks the rows of a person, who may have several while secrets are rotated, and gives those under older
   * secrets first. A row that no key opens stays as it is.
   */
  async function held(transaction: Transaction, subject: SubjectId): Promise<HeldRows> {
    const subjects = hashesOf(seal, subject);
    await transaction.hold(subjects.toSorted().slice(0, 1));
    return openRows(seal, await transaction.all(lock, { subjects }));
  }

  /** Joins the rows of a person into the row under the newest secret, with a lease. */
  async function join(
    transaction: Transaction,
    rows: HeldRows,
    { owner, until }: { readonly owner: string | undefined; readonly until: number },
  ): Promise<void> {
    const [first, ...later] = rows;
    if (first === undefined) return;
    const person = later.reduce((all, each) => joined(all, each.person), first.person);
    const [subject = ''] = hashesOf(seal, person.subject);
    const values = {
      version: Math.max(...rows.map(({ row }) => row.version)) + 1,
      dueAt: earliest(rows.map(({ row }) => row.due_at)),
      withdraws: Math.max(...rows.map(({ row }) => row.withdraws)),
      owner,
      until,
      touchedAt: clock.now(),
    };
    await transaction.run(move, { subject, document: sealedPerson.seal(seal, subject, person), ...values });
    const subjects = rows.map(({ row }) => row.subject).filter((each) => each !== subject);
    await transaction.run(forget, { subjects });
  }

  return {
    async found(queries: Queries, group: readonly Given[]): Promise<FoundPeople> {
      const rows = await queries.all(personRows, { subjects: rowsOf(group) });
      return new Map(rows.map((row) => [row.subject, claimedOf(seal, row)]));
    },
    /** Locks the rows of people until the transaction ends. */
    async locked(transaction: Transaction, group: readonly Given[]): Promise<void> {
      await transaction.run(lock, { subjects: rowsOf(group) });
    },
    /**
     * Joins the rows of a person into one, which keeps the latest lease. A worker that holds an older row
     * loses it, and ends before another worker begins.
     */
    async joinOlder(transaction: Transaction, subject: SubjectId): Promise<void> {
      const rows = await held(transaction, subject);
      const [leased] = rows.toSorted((one, other) => other.row.lease_until - one.row.lease_until);
      if (leased !== undefined && rows.some(({ age }) => age > 0))
        await join(transaction, rows, { owner: leased.row.owner, until: leased.row.lease_until });
    },
    /**
     * Joins the rows of a person who was claimed. undefined: the claimed row is gone, or another process
     * holds another row, and works for the person.
     */
    async joinClaimed(
      transaction: Transaction,
      { id, version, person }: ClaimedPerson,
      lease: Lease,
    ): Promise<ClaimedPerson | undefined> {
      const { owner, now } = lease;
      const rows = person === undefined ? [] : await held(transaction, person.subject);
      const own = rows.find(({ row }) => row.subject === id && row.owner === owner);
      if (own === undefined) return undefined;
      const other = rows.find(({ row }) => row.subject !== id && row.lease_until > now);
      if (other !== undefined) {
        await transaction.run(postpone, { id, owner, version, dueAt: other.row.lease_until });
        return undefined;
      }
      if (rows.length === 1 && own.age === 0) return claimedOf(seal, own.row);
      await join(transaction, rows, lease);
      const [newest = ''] = hashesOf(seal, own.person.subject);
      const row = await transaction.get(heldRow, { id: newest, owner });
      return row && claimedOf(seal, row);
    },
  };
}

export function earliest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.flatMap((each) => each ?? []);
  return known.length === 0 ? undefined : Math.min(...known);
}
