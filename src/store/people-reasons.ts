import type { LeavingReason } from '../core/model/submission/submission-request.ts';
import type { NewSubmission } from '../ports/people.ts';
import type { Seal } from '../ports/seal.ts';
import { sealedReason } from './journal-seal.ts';
import { dayMs } from './people-schema.ts';
import { type Dialect, rowsValue, type Transaction, writing } from './sql.ts';

const statements = ({ rows, lookUp }: Dialect) => ({
  addReasons: writing<{ readonly sequence: number; readonly id?: string; readonly text: string }>(
    `INSERT INTO reason (center, day, id, text)
     SELECT r.center, r.day, r.id, r.text
     FROM ${rows('r', { place: 'whole', center: 'text', day: 'whole', id: 'text', text: 'text' })}
     WHERE true ORDER BY r.place RETURNING sequence, id, text`,
  ),
  sealReasons: writing(
    `UPDATE reason SET text = r.text FROM ${rows('r', { sequence: 'whole', text: 'text' })}
     WHERE reason.sequence = r.sequence AND ${lookUp('reason.sequence', 'numbers')}`,
  ),
});

/** Why people left, without a link to them. */
export function reasonWriter(dialect: Dialect, seal: Seal) {
  const { addReasons, sealReasons } = statements(dialect);

  /** An own word is sealed for its row, and only the database knows its number. */
  return async function writeReasons(
    transaction: Transaction,
    given: readonly { readonly reason: LeavingReason; readonly submission: NewSubmission }[],
  ): Promise<void> {
    const rows = given.map(({ reason: { id, text }, submission: { now, request } }, place) => {
      const day = now - (now % dayMs);
      return {
        place,
        center: request.center,
        day,
        id,
        text: id === undefined ? `${place}` : text,
      };
    });
    const made = await transaction.all(addReasons, { r: rowsValue(rows) });
    const own = made.flatMap(({ sequence, id, text: place }) => {
      const text = given[Number(place)]?.reason.text ?? '';
      return id === undefined ? { sequence, text: sealedReason.seal(seal, `${sequence}`, text) } : [];
    });
    const numbers = own.map(({ sequence }) => sequence);
    if (own.length > 0) await transaction.run(sealReasons, { r: rowsValue(own), numbers });
  };
}
