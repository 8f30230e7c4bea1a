import { type HostedCount, hostedOutcomes } from '../core/model/person/hosted-link.ts';
import { sealedSubjectId } from '../core/model/person/subject.ts';
import type { HostedLinks } from '../ports/hosted-links.ts';
import type { KeyedHash, Seal } from '../ports/seal.ts';
import { openRow, sealRow } from './sealed-row.ts';
import { type Dialect, type Row, reading, type StoreParts, writing } from './sql.ts';

const day = 24 * 60 * 60_000;
/** Days that are counted for staff. */
const countedDays = 400;

const note = writing(
  `INSERT INTO hosted_link_count AS c (day, center, outcome, count) VALUES (:day, :center, :outcome, 1)
   ON CONFLICT (day, center, outcome) DO UPDATE SET count = c.count + 1`,
);
const counts = reading(
  'SELECT day, center, outcome, count FROM hosted_link_count WHERE day >= :since ORDER BY day DESC, center, outcome',
);
const statements = ({ isIn, deleteSome, items }: Dialect) => ({
  add: writing(
    `INSERT INTO hosted_link (token, person, subject, made_at, ends_at)
     SELECT item ->> 0, item ->> 1, item ->> 2, CAST(item ->> 3 AS bigint), CAST(item ->> 4 AS bigint) FROM ${items('rows')} WHERE true
     ON CONFLICT (token) DO UPDATE SET person = excluded.person, subject = excluded.subject, made_at = excluded.made_at, ends_at = excluded.ends_at`,
  ),
  find: reading(`SELECT token, subject, made_at, ends_at FROM hosted_link WHERE ${isIn('token', 'tokens')}`),
  sweep: deleteSome('hosted_link', 'ends_at'),
  sweepCounts: deleteSome('hosted_link_count', 'day'),
});

/** Tokens of hosted pages as keyed hashes, each with its person, sealed. */
export function openHostedLinks({
  sql,
  seal,
  clock = sql.clock,
}: StoreParts & { readonly seal: Seal & KeyedHash }): HostedLinks {
  const { add, find, sweep, sweepCounts } = statements(sql.dialect);
  return {
    async add(tokens) {
      // The last of two rows with one token: a statement cannot write a row twice.
      const rows = new Map<string, string>();
      for (const { token, subject, madeAt, endsAt } of tokens) {
        const hash = seal.hash('hosted link', token);
        const person = seal.hash('hosted link person', subject);
        const sealed = sealRow(seal, sealedWith(hash), subject);
        rows.set(hash, JSON.stringify([hash, person, sealed, madeAt, endsAt]));
      }
      if (rows.size > 0) await sql.run(add, { rows: [...rows.values()] });
    },
    async find(token) {
      const row = await sql.get(find, { tokens: seal.hashes('hosted link', token) });
      const subject = row && sealedSubjectId(openRow(seal, sealedWith(row['token']), row['subject']));
      if (row === undefined || subject === undefined) return undefined;
      return { subject, madeAt: Number(row['made_at']), endsAt: Number(row['ends_at']) };
    },
    async note(center, outcome) {
      const now = clock.now();
      await sql.run(note, { day: now - (now % day), center, outcome });
    },
    counts: async (since) => (await sql.all(counts, { since })).flatMap((row) => readCount(row) ?? []),
    async sweep() {
      const now = clock.now();
      const swept = await sql.run(sweep, { before: now });
      return swept > 0 ? swept : sql.run(sweepCounts, { before: now - countedDays * day });
    },
  };
}

/** A row with another token does not open. */
function sealedWith(token: unknown) {
  return { purpose: 'hosted link subject', row: String(token) };
}

function readCount(row: Row): HostedCount | undefined {
  const outcome = hostedOutcomes.find((each) => each === row['outcome']);
  if (outcome === undefined) return undefined;
  return { day: Number(row['day']), center: String(row['center']), outcome, count: Number(row['count']) };
}
