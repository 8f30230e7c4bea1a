import { type Lead, type Statement, type Value, type Values, type Write, writing } from '../../sql.ts';

/** One statement of several writes, and its values. Each set of them is prepared once. */
export function createTogether() {
  const composed = new Map<string, Statement<Lead>>();

  function compose(writes: readonly Write[]): Statement<Lead> {
    const parts = writes.map(({ name, statement }) => `${name} AS (${statement.sql})`);
    return writing(`WITH ${parts.join(', ')} SELECT * FROM lead`);
  }

  return (writes: readonly Write[]): { readonly statement: Statement<Lead>; readonly values: Values } => {
    const key = writes.map(({ statement }) => statement.name).join(' ');
    const statement = composed.get(key) ?? compose(writes);
    composed.set(key, statement);
    const values: Record<string, Value> = {};
    for (const { values: own } of writes) Object.assign(values, own);
    return { statement, values };
  };
}
