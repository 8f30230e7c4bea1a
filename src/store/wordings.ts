import type { Wording } from '../core/model/evidence/wording.ts';
import type { KeptText, WordingStore } from '../ports/wordings.ts';
import { isAmong, isIn, part, rows } from './dialect.ts';
import { bySequence, eachRow } from './each-row.ts';
import { dayMs } from './people-schema.ts';
import { batchRows, type Queries, reading, rowsValue, type Sql, writing } from './sql.ts';

/** Milliseconds after which a wording is over, if it was not shown since and no submission points at it. */
const unusedMs = 30 * dayMs;

const keeping = (table: 'wording' | 'wording_text') =>
  writing`INSERT INTO ${table} (digest, content, kept_at)
    SELECT r.digest, r.content, r.now FROM ${rows('r', { digest: 'text', content: 'text', now: 'whole' })}
    WHERE true ORDER BY r.digest ON CONFLICT (digest) DO UPDATE SET kept_at = excluded.kept_at`;

const keep = keeping('wording');
const keepTexts = keeping('wording_text');
const wordings = reading<KeptText>`SELECT digest, content FROM wording WHERE ${isIn('digest', 'digests')}`;
const texts = reading<KeptText>`SELECT digest, content FROM wording_text WHERE ${isIn('digest', 'digests')}`;
const over = writing`DELETE FROM wording WHERE ${isAmong(
  'sequence',
  part`SELECT sequence FROM wording AS w WHERE kept_at < :before
     AND NOT EXISTS (SELECT 1 FROM submission AS s WHERE s.words = w.sequence) LIMIT ${batchRows}`,
)}`;
const oldTexts = reading<Pick<KeptText, 'digest'>>`SELECT digest FROM wording_text WHERE kept_at < :before`;
const overTexts = writing`DELETE FROM wording_text WHERE ${isIn('digest', 'digests')} AND kept_at < :before`;

export const everyWording = reading<KeptText & { readonly sequence: number }>`
  SELECT sequence, digest, content FROM wording WHERE sequence > :after ORDER BY sequence LIMIT :limit`;

/** Digests of the texts of a wording. */
export function textsOf(content: string): readonly string[] {
  const { around, purposes, elements } = JSON.parse(content) as Wording;
  return [around, ...[...purposes, ...elements].map(({ text }) => text)];
}

/** The words that people were shown. They are not sealed, since anyone could read them. */
export function openWordings({ sql }: { readonly sql: Sql }): WordingStore {
  async function named(queries: Queries): Promise<ReadonlySet<string>> {
    const digests = new Set<string>();
    for await (const { content } of eachRow(queries, everyWording, bySequence(batchRows)))
      for (const digest of textsOf(content)) digests.add(digest);
    return digests;
  }

  async function byDigest(statement: typeof texts, digests: readonly string[]) {
    const rows = digests.length === 0 ? [] : await sql.all(statement, { digests });
    return new Map(rows.map(({ digest, content }) => [digest, content]));
  }

  return {
    async keep(wording, texts) {
      const now = sql.clock.now();
      const rows = (all: readonly KeptText[]) => rowsValue(all.map((each) => ({ ...each, now })));
      await sql.transaction(async (transaction) => {
        const sorted = texts.toSorted((one, other) => (one.digest < other.digest ? -1 : 1));
        for (let at = 0; at < sorted.length; at += batchRows)
          await transaction.run(keepTexts, { r: rows(sorted.slice(at, at + batchRows)) });
        await transaction.run(keep, { r: rows([wording]) });
      });
    },
    wordings: (digests) => byDigest(wordings, digests),
    texts: (digests) => byDigest(texts, digests),
    async sweep() {
      const before = sql.clock.now() - unusedMs;
      const gone = await sql.run(over, { before });
      if (gone === 0) return 0;
      const rows = await sql.all(oldTexts, { before });
      const isNamed = await named(sql);
      const digests = rows.map(({ digest }) => digest).filter((digest) => !isNamed.has(digest));
      for (let at = 0; at < digests.length; at += batchRows)
        await sql.run(overTexts, { before, digests: digests.slice(at, at + batchRows) });
      return gone;
    },
  };
}
