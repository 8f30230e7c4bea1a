import { compose } from '../../src/store/drivers/postgres/database.ts';
import {
  type Prepared,
  preparer,
  type Queries,
  type Sql,
  type Statement,
  type Transactions,
} from '../../src/store/sql.ts';

/**
 * The same database, which notes its statements by name. `count`: statements without the ends of
 * transactions.
 */
export function noted(sql: Sql, asked = new Map<string, Prepared>()) {
  let count = 0;
  const inWords = preparer(sql.dialect);
  function note<S extends Statement>(statement: S): S {
    count += 1;
    const prepared = inWords(statement);
    asked.set(prepared.name, prepared);
    return statement;
  }
  const noting = <Q extends Queries>(queries: Q): Q => ({
    ...queries,
    all: (statement, values) => queries.all(note(statement), values),
    get: (statement, values) => queries.get(note(statement), values),
    run: (statement, values) => queries.run(note(statement), values),
    together(writes) {
      if (sql.dialect.isLocal) for (const { statement } of writes) note(statement);
      else note(compose(writes).statement);
      return queries.together(writes);
    },
  });
  const notingAll = <T extends Transactions>(transactions: T): T => ({
    ...noting(transactions),
    transaction: (work) => transactions.transaction((queries) => work(noting(queries))),
  });
  return {
    count: () => count,
    sql: {
      ...notingAll(sql),
      forWithdrawals: notingAll(sql.forWithdrawals),
      proveWrite: (write, values) => sql.proveWrite(note(write), values),
    } satisfies Sql as Sql,
  };
}
