import { compose } from '../../src/store/drivers/postgres/together.ts';
import type { Queries, Sql, Statement, Transactions } from '../../src/store/sql.ts';

/** The same database, which notes by their names the statements that it is asked. `count`: without ends of transactions. */
export function noted(sql: Sql, asked = new Map<string, Statement>()) {
  let count = 0;
  function note<S extends Statement>(statement: S): S {
    count += 1;
    asked.set(statement.name, statement);
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
