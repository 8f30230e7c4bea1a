import type { Seal } from '../ports/seal.ts';

/** Marks what is sealed for its row; a seal never makes a token with a dot. */
const mark = 'row.';

/** Sealed so that it opens in this row alone: what is moved into another one says nothing there. */
export function sealRow(
  seal: Seal,
  where: { readonly purpose: string; readonly row: string },
  value: unknown,
): string {
  return mark + seal.seal(where, value);
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
