import type { LeavingReason } from '../../core/model/submission-request.ts';
import type { JournalReports } from '../../ports/journal-reports.ts';
import type { Seal } from '../../ports/seal.ts';
import { bite, type Database, type Row } from '../drivers/sqlite/file.ts';
import { openReason, sealReason } from '../journal-seal.ts';

const day = 24 * 60 * 60 * 1000;

/** Only what people wrote in their own words is sealed: a center's own words are no secret. */
function textOf(seal: Seal, { sequence, id, text }: Row): string {
  return id === null ? openReason(seal, Number(sequence), text) : String(text);
}

/** Why people left, apart from who they are. */
export function journalReasons(
  { prepare, together }: Database,
  seal: Seal,
): Pick<JournalReports, 'reasons'> & {
  add(center: string, at: number, reasons: readonly LeavingReason[]): void;
  /** Deletes some that were given before the day of `before`; returns how many. */
  sweep(before: number): number;
  /** Throws unless a row can be written now. */
  check(): void;
} {
  const insert = prepare(
    'INSERT INTO reason (center, day, id, text) VALUES (:center, :day, :id, :text) RETURNING sequence',
  );
  const keep = prepare('UPDATE reason SET text = :text WHERE sequence = :sequence');
  const list = prepare(
    `SELECT sequence, center, day, id, text FROM reason
     WHERE (:center IS NULL OR center = :center) AND (:from IS NULL OR day >= :from) AND (:to IS NULL OR day < :to)
       AND sequence > :after
     ORDER BY sequence LIMIT :limit`,
  );
  const sweep = prepare(
    `DELETE FROM reason WHERE sequence IN
       (SELECT sequence FROM reason WHERE day < :before ORDER BY day LIMIT ${bite})`,
  );
  const writes = prepare(`INSERT INTO reason (center, day, text) VALUES ('', 0, '')`);
  const unwrites = prepare(`DELETE FROM reason WHERE center = ''`);

  return {
    add(center, at, reasons) {
      for (const { id, text } of reasons) {
        const given = { center, day: at - (at % day), id: id ?? null, text: id === undefined ? '' : text };
        const sequence = insert.get(given)?.['sequence'];
        // Only now it is known for which row it is sealed.
        if (id === undefined)
          keep.run({ sequence: Number(sequence), text: sealReason(seal, Number(sequence), text) });
      }
    },
    async reasons({ center, from, to }, { limit, after = 0 }) {
      const filter = { center: center ?? null, from: from ?? null, to: to ?? null };
      const rows = list.all({ ...filter, after, limit });
      return {
        reasons: rows.map((row) => ({
          center: String(row['center']),
          day: Number(row['day']),
          id: row['id'] === null ? undefined : String(row['id']),
          text: textOf(seal, row),
        })),
        next: rows.length < limit ? undefined : Number(rows.at(-1)?.['sequence']),
      };
    },
    sweep: (before) => sweep.run({ before: before - (before % day) }),
    check() {
      together(() => {
        writes.run();
        unwrites.run();
      });
    },
  };
}
