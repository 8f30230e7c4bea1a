import type { Seal } from '../../ports/seal.ts';
import type { Migration } from './database.ts';

/** Marks what is sealed for its row; a seal never makes a token with a dot. */
const mark = 'row.';
const batch = 1_000;

/** Sealed so that it opens in this row alone: what is moved into another one says nothing there. */
export function sealRow(
  seal: Seal,
  where: { readonly purpose: string; readonly row: string },
  value: unknown,
): string {
  return mark + seal.seal(where, value);
}

export function isSealedRow(sealed: unknown): boolean {
  return typeof sealed === 'string' && sealed.startsWith(mark);
}

/** undefined for what was sealed for another row, or for none. */
export function openRow(
  seal: Seal,
  where: { readonly purpose: string; readonly row: string },
  sealed: unknown,
): unknown {
  if (typeof sealed !== 'string' || !sealed.startsWith(mark)) return undefined;
  return seal.open(where, sealed.slice(mark.length));
}

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
