import type { KeyedHash } from '../../ports/keyed-hash.ts';
import type { Seal } from '../../ports/seal.ts';
import { hashesOf } from '../journal-seal.ts';
import type { Database } from './database.ts';
import { readEntry, text } from './journal-row.ts';
import { statement } from './statement.ts';

const pending = statement(
  `SELECT * FROM submission WHERE state = 'pending' AND sequence > :after ORDER BY sequence LIMIT 200`,
);
// Whoever works on it goes on under the new hash.
const adopt = statement(
  `WITH person AS (
     INSERT INTO journal_person AS p (subject, touched_at, leased, lease_until)
     SELECT :subject, submitted_at, CASE WHEN lease_until > 0 THEN reference END, lease_until
     FROM (SELECT * FROM submission WHERE sequence = :sequence FOR UPDATE) AS s
     ON CONFLICT (subject) DO UPDATE SET version = p.version + 1,
       leased = CASE WHEN excluded.lease_until > p.lease_until THEN excluded.leased ELSE p.leased END,
       lease_until = greatest(p.lease_until, excluded.lease_until)
     RETURNING p.subject)
   UPDATE submission SET subject = :subject FROM person WHERE sequence = :sequence`,
);

/** After a rotation: what is open must queue under the hash that new submissions get. */
export async function adoptCurrentKey(database: Database, seal: Seal & KeyedHash): Promise<void> {
  if (seal.hashes('journal subject', '').length < 2) return;
  let after = 0;
  for (;;) {
    const rows = await database.all(pending, { after });
    if (rows.length === 0) return;
    for (const row of rows) {
      after = Number(row['sequence']);
      const { work } = readEntry(seal, row);
      const subject = work === undefined ? undefined : hashesOf(seal, work.request.subject)[0];
      if (subject === undefined || subject === text(row, 'subject')) continue;
      await database.run(adopt, { subject, sequence: after });
    }
  }
}
