import { joined } from '../core/consent/joined-person.ts';
import type { Person } from '../core/consent/person.ts';
import type { AskedEvidence } from '../core/model/evidence/evidence.ts';
import type { Lease, NewSubmission, Written } from '../ports/people.ts';
import type { KeyedHash, Seal } from '../ports/seal.ts';
import type { SealedEvidence } from './evidence-seal.ts';
import { hashesOf } from './journal-seal.ts';
import type { PersonRow } from './people-schema.ts';
import { openPerson } from './people-seal.ts';
import { type Dialect, type Queries, reading, type Transaction, writing } from './sql.ts';

const statements = ({ isIn }: Dialect) => ({
  find: reading<PersonRow>(
    `SELECT subject, version, document FROM person WHERE ${isIn('subject', 'subjects')}`,
  ),
  lock: writing(`UPDATE person SET touched_at = touched_at WHERE ${isIn('subject', 'subjects')}`),
  lockOlder: writing<PersonRow>(
    `UPDATE person SET touched_at = touched_at WHERE ${isIn('subject', 'older')} RETURNING *`,
  ),
  forgetOlder: writing(`DELETE FROM person WHERE ${isIn('subject', 'older')}`),
  takeLease: writing(
    `UPDATE person SET owner = :owner, lease_until = :until WHERE subject = :subject AND lease_until < :until`,
  ),
});

/** A submission that is to be written. */
export interface Given {
  readonly submission: NewSubmission;
  readonly write: (person: Person | undefined) => Written;
  readonly lease: Lease | undefined;
  /** Under every secret, the newest first. */
  readonly subjects: readonly string[];
  /** Sealed. */
  readonly request: string;
  readonly frozen: AskedEvidence;
  readonly asked: SealedEvidence;
}

/** A person's row as it was read, or guessed. `version` is absent where there is no row. */
export interface FoundPerson {
  readonly version: number | undefined;
  readonly person: Person | undefined;
}

/** By the newest hash. */
export type FoundPeople = ReadonlyMap<string, FoundPerson>;

export function peopleRows(dialect: Dialect, seal: Seal & KeyedHash) {
  const { find, lock, lockOlder, forgetOlder, takeLease } = statements(dialect);

  async function found(queries: Queries, group: readonly Given[]): Promise<Map<string, FoundPerson>> {
    const subjects = [...new Set(group.flatMap(({ subjects: [subject = ''] }) => subject))];
    const rows = await queries.all(find, { subjects });
    return new Map(rows.map((row) => [row.subject, { version: row.version, person: openPerson(seal, row) }]));
  }

  return {
    found,
    /** No other transaction writes of them until this one ends. */
    async locked(transaction: Transaction, group: readonly Given[]) {
      await transaction.run(lock, { subjects: group.flatMap(({ subjects: [subject = ''] }) => subject) });
    },
    /**
     * While secrets are rotated: one person, with the rows under older secrets, which are held. `forget` leaves one row,
     * once that one has all.
     */
    async joinedRows(transaction: Transaction, given: Given) {
      const [subject = '', ...older] = given.subjects;
      await transaction.hold([given.subjects.toSorted()[0] ?? ''], 'alone');
      const people = await found(transaction, [given]);
      const rows = await transaction.all(lockOlder, { older });
      const opened = rows.flatMap((row) => {
        const person = openPerson(seal, row);
        const isTheirs = person !== undefined && hashesOf(seal, person.subject)[0] === subject;
        return isTheirs ? [{ row, person }] : [];
      });
      for (const { person } of opened) {
        const { version, person: newer } = people.get(subject) ?? {};
        people.set(subject, { version, person: newer === undefined ? person : joined(person, newer) });
      }
      const leased = opened.filter(({ row }) => row.lease_until > 0);
      return {
        people,
        isLeased: leased.length > 0,
        async forget() {
          if (opened.length === 0) return;
          const gone = opened.map(({ row }) => row.subject);
          await transaction.run(forgetOlder, { older: gone });
          // A worker that holds an older row ends before another one begins.
          for (const { row } of leased)
            await transaction.run(takeLease, { subject, owner: row.owner, until: row.lease_until });
        },
      };
    },
  };
}
