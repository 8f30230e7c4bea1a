import { compose } from '../../src/store/drivers/postgres/together.ts';
import type { Sql, Statement } from '../../src/store/sql.ts';

export interface Noted {
  readonly sql: Sql;
  /** By their name. */
  readonly asked: Map<string, Statement>;
  /** How many were asked, without the ends of transactions. */
  count(): number;
}

/** The same database, and each statement that it is asked. */
export function noted(sql: Sql, asked = new Map<string, Statement>()): Noted {
  let count = 0;
  const noting = <Q extends Pick<Sql, 'all' | 'get' | 'run' | 'together'>>(queries: Q): Q => {
    const note = (statement: Statement) => {
      count += 1;
      return asked.set(statement.name, statement);
    };
    return {
      ...queries,
      all: (statement, values) => note(statement) && queries.all(statement, values),
      get: (statement, values) => note(statement) && queries.get(statement, values),
      run: (statement, values) => note(statement) && queries.run(statement, values),
      together(writes) {
        const { statement } = compose(writes);
        count += 1;
        for (const each of sql.dialect.isLocal ? writes.map((write) => write.statement) : [statement])
          asked.set(each.name, each);
        return queries.together(writes);
      },
    };
  };
  return {
    asked,
    count: () => count,
    sql: { ...noting(sql), transaction: (work) => sql.transaction((queries) => work(noting(queries))) },
  };
}
