import { type Lead, type Statement, type Value, type Write, writing } from '../../sql.ts';

/** Each set of writes is prepared once. */
const composed = new Map<string, Statement<Lead>>();

/** One statement of several writes, and its values. */
export function compose(writes: readonly Write[]) {
  const key = writes.map(({ statement }) => statement.name).join(' ');
  const parts = () => writes.map(({ name, statement }) => `${name} AS (${statement.sql})`);
  const statement = composed.get(key) ?? writing<Lead>(`WITH ${parts().join(', ')} SELECT * FROM lead`);
  composed.set(key, statement);
  const values: Record<string, Value> = {};
  for (const { values: own } of writes) Object.assign(values, own);
  return { statement, values };
}
