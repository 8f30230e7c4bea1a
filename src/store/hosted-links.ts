import type { HostedCount } from '../core/model/person/hosted-link.ts';
import { type SubjectId, sealedSubjectId } from '../core/model/person/subject.ts';
import type { HostedLinks } from '../ports/hosted-links.ts';
import { isIn, rows } from './dialect.ts';
import { rowSeal } from './sealed-row.ts';
import { type Columns, deleteSome, reading, rowsValue, type StoreParts, writing } from './sql.ts';

const day = 24 * 60 * 60_000;
/** Days for which counts are kept for staff. */
const countedDays = 400;

/** The person of a token, sealed for the token's hash. */
const sealedSubject = rowSeal<SubjectId>('hosted link subject');

const note = writing`
  INSERT INTO hosted_link_count AS c (day, center, outcome, count) VALUES (:day, :center, :outcome, 1)
  ON CONFLICT (day, center, outcome) DO UPDATE SET count = c.count + 1`;
const counts = reading<HostedCount>`
  SELECT day, center, outcome, count FROM hosted_link_count WHERE day >= :since
  ORDER BY day DESC, center, outcome`;
const add = writing`INSERT INTO hosted_link (token, person, subject, made_at, ends_at)
  SELECT r.token, r.person, r.subject, r.made_at, r.ends_at
  FROM ${rows('r', { token: 'text', person: 'text', subject: 'text', made_at: 'whole', ends_at: 'whole' })}
  WHERE true ON CONFLICT (token) DO UPDATE SET person = excluded.person, subject = excluded.subject,
    made_at = excluded.made_at, ends_at = excluded.ends_at`;
const find = reading<Columns<'token' | 'sealed', string> & Columns<'madeAt' | 'endsAt', number>>`
  SELECT token, subject AS sealed, made_at AS "madeAt", ends_at AS "endsAt" FROM hosted_link
  WHERE ${isIn('token', 'tokens')}`;
const sweep = deleteSome('hosted_link', 'ends_at');
const sweepCounts = deleteSome('hosted_link_count', 'day');

/** Keeps tokens of hosted pages as keyed hashes, each with its sealed person. */
export function openHostedLinks({ sql, seal }: StoreParts): HostedLinks {
  return {
    async add(tokens) {
      const made = tokens.map(({ token: text, subject, madeAt, endsAt }) => {
        const token = seal.hash('hosted link', text);
        const person = seal.hash('hosted link person', subject);
        const sealed = sealedSubject.seal(seal, token, subject);
        return { token, person, subject: sealed, made_at: madeAt, ends_at: endsAt };
      });
      // Keeps the last of several rows with one token: a statement cannot write a row twice.
      const rows = [...new Map(made.map((row) => [row.token, row])).values()];
      if (rows.length > 0) await sql.run(add, { r: rowsValue(rows) });
    },
    async find(text) {
      const row = await sql.get(find, { tokens: seal.hashes('hosted link', text) });
      if (row === undefined) return undefined;
      const { token, sealed, ...times } = row;
      const subject = sealedSubjectId(sealedSubject.open(seal, token, sealed));
      return subject && { subject, ...times };
    },
    async note(center, outcome) {
      const now = sql.clock.now();
      await sql.run(note, { day: now - (now % day), center, outcome });
    },
    counts: (since) => sql.all(counts, { since }),
    async sweep() {
      const now = sql.clock.now();
      const swept = await sql.run(sweep, { before: now });
      return swept > 0 ? swept : sql.run(sweepCounts, { before: now - countedDays * day });
    },
  };
}
