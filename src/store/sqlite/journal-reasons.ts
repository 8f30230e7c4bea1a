import type { LeavingReason } from '../../core/model/submission-request.ts';
import type { JournalReports } from '../../ports/journal-reports.ts';
import type { Seal } from '../../ports/seal.ts';
import { bite, type Database, type Row } from '../drivers/sqlite/file.ts';
import { sealReason } from '../journal-seal.ts';
import { endOfTime, readReason } from '../reason-row.ts';

const day = 24 * 60 * 60 * 1000;

/** Why people left, apart from who they are. */
export function journalReasons(
  { prepare, together }: Database,
  seal: Seal,
): Pick<JournalReports, 'reasons' | 'ownWords'> & {
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
  // So many are read, whatever of them is asked for.
  const list = prepare(
    `SELECT sequence, center, day, id, iif(chosen, text, '') AS text, chosen FROM (
       SELECT *, (:center IS NULL OR center = :center) AND day >= :from AND day < :to AS chosen
       FROM reason WHERE sequence > :after ORDER BY sequence LIMIT :limit)
     ORDER BY sequence`,
  );
  const words = prepare(
    `SELECT sequence, center, day, id, text FROM reason
     WHERE center = :center AND id IS NULL AND day >= :from AND day < :to
     ORDER BY day DESC, sequence DESC LIMIT :limit`,
  );
  const sweep = prepare(
    `DELETE FROM reason WHERE sequence IN
       (SELECT sequence FROM reason WHERE day < :before ORDER BY day LIMIT ${bite})`,
  );
  const writes = prepare(`INSERT INTO reason (center, day, text) VALUES ('', 0, '') RETURNING sequence`);
  const unwrites = prepare('DELETE FROM reason WHERE sequence = :sequence');

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
    async ownWords({ from = 0, to = endOfTime }, { centers, limit }) {
      const newestFirst = (one: Row, other: Row) =>
        Number(other['day']) - Number(one['day']) || Number(other['sequence']) - Number(one['sequence']);
      return centers
        .flatMap((center) => words.all({ center, from, to, limit }))
        .toSorted(newestFirst)
        .slice(0, limit)
        .map((row) => readReason(seal, row));
    },
    async reasons({ center = null, from = 0, to = endOfTime }, { limit, after = 0 }) {
      const rows = list.all({ center, from, to, after, limit });
      return {
        reasons: rows.filter(({ chosen }) => chosen === 1).map((row) => readReason(seal, row)),
        next: rows.length < limit ? undefined : Number(rows.at(-1)?.['sequence']),
      };
    },
    sweep: (before) => sweep.run({ before: before - (before % day) }),
    check() {
      together(() => {
        unwrites.run({ sequence: Number(writes.get()?.['sequence']) });
      });
    },
  };
}
