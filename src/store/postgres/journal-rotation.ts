import type { KeyedHash } from '../../ports/keyed-hash.ts';
import type { Seal } from '../../ports/seal.ts';
import type { Database } from '../drivers/postgres/database.ts';
import { text } from '../journal-entry.ts';
import { hashesOf } from '../journal-seal.ts';
import { whileRotating } from '../rotating.ts';
import { statement } from '../sql.ts';
import { entryOf, own, pendingRows } from './journal-row.ts';

// All of a person at once; whoever works on it goes on under the new hash.
const adopt = statement(
  `WITH open AS MATERIALIZED (
     SELECT * FROM submission WHERE state = 'pending' AND ${own} AND subject <> :subject FOR UPDATE),
   person AS (
     INSERT INTO journal_person AS p (subject, touched_at, leased, lease_until)
     SELECT :subject, submitted_at, CASE WHEN lease_until > 0 THEN reference END, lease_until
     FROM open ORDER BY lease_until DESC LIMIT 1
     ON CONFLICT (subject) DO UPDATE SET version = p.version + 1,
       leased = CASE WHEN excluded.lease_until > p.lease_until THEN excluded.leased ELSE p.leased END,
       lease_until = greatest(p.lease_until, excluded.lease_until)
     RETURNING p.subject)
   UPDATE submission s SET subject = person.subject FROM open, person WHERE s.sequence = open.sequence`,
);

/** After a rotation: what is open must queue under the hash that new submissions get. */
export async function adoptCurrentKey(database: Database, seal: Seal & KeyedHash): Promise<void> {
  if (seal.hashes('journal subject', '').length < 2) return;
  for await (const row of pendingRows(database)) {
    const { work } = entryOf(seal, row);
    const subjects = work === undefined ? [] : hashesOf(seal, work.request.subject);
    const [subject] = subjects;
    if (subject === undefined || subject === text(row, 'subject')) continue;
    await whileRotating(database, subjects, (queries) => queries.run(adopt, { subject, subjects }));
  }
}
