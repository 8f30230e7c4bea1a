import { createHash } from 'node:crypto';

/** The tables of a database, as SQL; each is made once, in this order, when the database is new. */
export type Layout = readonly string[];

/** A digest that tells layouts apart: 256 bits as hexadecimal digits. */
export function digestOf(layout: Layout): string {
  return createHash('sha256').update(layout.join('\n')).digest('hex');
}

/** The fault of a folder or a database that another version or another program has made. For an operator. */
export class UnknownLayout extends Error {
  override readonly name = 'UnknownLayout';

  constructor(where: string) {
    super(
      `${where} holds data of another version, which this one cannot read: give an empty one. Nothing was changed`,
    );
  }
}
