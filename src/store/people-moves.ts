import { joined } from '../core/consent/joined-person.ts';
import type { ClaimedPerson, Lease } from '../ports/people.ts';
import type { KeyedHash, Seal } from '../ports/seal.ts';
import { hashesOf } from './journal-seal.ts';
import type { PersonRow } from './people-schema.ts';
import { openPerson, sealPerson } from './people-seal.ts';
import { type Dialect, reading, type Sql, writing } from './sql.ts';

const statements = (dialect: Dialect) => ({
  lockAll: writing<PersonRow>(
    `UPDATE person SET touched_at = touched_at WHERE ${dialect.isIn('subject', 'subjects')} RETURNING *`,
  ),
  move: writing(
    `INSERT INTO person (subject, version, document, due_at, withdraws, owner, lease_until, touched_at)
     VALUES (:subject, :version, :document, :dueAt, :withdraws, :owner, :until, :touchedAt)
     ON CONFLICT (subject) DO UPDATE SET version = person.version + 1, document = excluded.document,
       due_at = excluded.due_at, withdraws = excluded.withdraws, owner = excluded.owner,
       lease_until = excluded.lease_until, touched_at = excluded.touched_at`,
  ),
  forget: writing(`DELETE FROM person WHERE ${dialect.isIn('subject', 'subjects')}`),
});

export const heldRow = reading<PersonRow>('SELECT * FROM person WHERE subject = :id AND owner = :owner');
// A record meanwhile is not put off.
export const postpone = writing(
  `UPDATE person SET owner = NULL, lease_until = 0,
     due_at = CASE WHEN version <> :version AND due_at < :dueAt THEN due_at ELSE :dueAt END
   WHERE subject = :id AND owner = :owner`,
);

/** What a claim gives of a row. */
export const claimedBy =
  (seal: Seal) =>
  (row: PersonRow, owner: string): ClaimedPerson => ({
    ...{ id: row.subject, owner, version: row.version },
    person: openPerson(seal, row),
  });

/** Joins the rows of a person that was claimed. */
export function peopleMoves({ dialect, clock, forWithdrawals }: Sql, seal: Seal & KeyedHash) {
  const { lockAll, move, forget } = statements(dialect);
  const claimedOf = claimedBy(seal);

  /**
   * While secrets are rotated a person may have several rows. All that they hold goes into the one of the newest secret,
   * with the lease. Gives its row; undefined: somebody else holds another one, and works for the person.
   */
  return async function movedOf(claimed: ClaimedPerson, lease: Lease): Promise<ClaimedPerson | undefined> {
    const subjects = claimed.person === undefined ? [] : hashesOf(seal, claimed.person.subject);
    const [subject = ''] = subjects;
    if (subjects.length < 2) return claimed;
    return forWithdrawals.transaction(async (transaction) => {
      await transaction.hold(subjects.toSorted().slice(0, 1), 'alone');
      const rows = await transaction.all(lockAll, { subjects });
      const own = rows.find((row) => row.subject === claimed.id && row.owner === lease.owner);
      if (own === undefined) return undefined;
      if (rows.length === 1 && claimed.id === subject) return claimedOf(own, lease.owner);
      const age = (row: PersonRow) => subjects.indexOf(row.subject);
      // A row that no key opens stays.
      const opened = rows
        .toSorted((one, two) => age(two) - age(one))
        .flatMap((row) => {
          const person = openPerson(seal, row);
          return person === undefined ? [] : [{ row, person }];
        });
      const other = opened.find(({ row }) => row !== own && row.lease_until > lease.now);
      if (other !== undefined) {
        const { id, owner, version } = claimed;
        await transaction.run(postpone, { id, owner, version, dueAt: other.row.lease_until });
        return undefined;
      }
      const [first, ...later] = opened;
      if (first === undefined) return claimed;
      const person = later.reduce((all, each) => joined(all, each.person), first.person);
      const older = opened.map(({ row }) => row.subject).filter((id) => id !== subject);
      const values = {
        version: Math.max(...rows.map((row) => row.version)) + 1,
        dueAt: lease.now,
        withdraws: Math.max(...rows.map((row) => row.withdraws)),
        ...{ owner: lease.owner, until: lease.until, touchedAt: clock.now() },
      };
      await transaction.run(move, { subject, document: sealPerson(seal, subject, person), ...values });
      await transaction.run(forget, { subjects: older });
      const moved = await transaction.get(heldRow, { id: subject, owner: lease.owner });
      return moved && claimedOf(moved, lease.owner);
    });
  };
}
