import assert from 'node:assert/strict';
import { rows } from '../../../src/store/dialect.ts';
import { bytesValue, reading, rowsValue, type Sql, writing } from '../../../src/store/sql.ts';

/** Marks a statement of a test itself, whose plan is not judged. */
export const byHand = '/* by hand */';

/** Exchanges a value between two rows, as a person with access to the database could. */
export async function exchanged(sql: Sql, table: string, key: string, column: string): Promise<void> {
  const read = reading<Readonly<Record<'id' | 'value', unknown>>>`
    SELECT ${key} AS id, ${column} AS value FROM ${table} ORDER BY ${key} ${byHand}`;
  const [first, second] = await sql.all(read);
  const values = [first, second].map((row) => row?.value);
  const isBytes = values.every((value) => value instanceof Uint8Array);
  // A value that must be unique belongs to one row at a time.
  if (!isBytes) await sql.run(writing`UPDATE ${table} SET ${column} = 'x' || ${column} ${byHand}`);
  const [one, other] = values.map((value) => (value instanceof Uint8Array ? bytesValue(value) : `${value}`));
  const types = { id: 'text', value: isBytes ? 'bytes' : 'text' } as const;
  const write = writing`UPDATE ${table} SET ${column} = r.value FROM ${rows('r', types)}
    WHERE CAST(${table}.${key} AS text) = r.id ${byHand}`;
  const r = rowsValue([
    { id: `${first?.id}`, value: other ?? '' },
    { id: `${second?.id}`, value: one ?? '' },
  ]);
  assert.equal(await sql.run(write, { r }), 2);
}
