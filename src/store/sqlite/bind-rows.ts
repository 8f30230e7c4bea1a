import type { Seal } from '../../ports/seal.ts';
import { sealRow } from '../sealed-row.ts';
import type { Migration } from './database.ts';

const batch = 1_000;

/**
 * A migration: seals for its row what earlier versions sealed for none. Once, since whoever can write to the file
 * would else have bound what they put there. What no key opens stays as it is.
 */
export function bindRows(
  seal: Seal,
  where: {
    readonly purpose: string;
    readonly table: string;
    readonly id: string;
    readonly column: string;
  },
): Migration {
  const { purpose, table, id, column } = where;
  return ({ prepare }) => {
    const next = prepare(
      `SELECT rowid AS number, ${id} AS id, ${column} AS sealed FROM ${table}
       WHERE ${column} IS NOT NULL AND rowid > :after ORDER BY rowid LIMIT ${batch}`,
    );
    const bind = prepare(`UPDATE ${table} SET ${column} = :sealed WHERE rowid = :number`);
    let after = 0;
    let found = batch;
    while (found === batch) {
      const rows = next.all({ after });
      found = rows.length;
      for (const { number, id: row, sealed } of rows) {
        after = Number(number);
        const value = seal.open(purpose, String(sealed));
        if (value === undefined) continue;
        bind.run({ number: after, sealed: sealRow(seal, { purpose, row: String(row) }, value) });
      }
    }
  };
}
