import type { StatementSync } from 'node:sqlite';
import type { Clock } from '../../../ports/clock.ts';
import {
  type Lead,
  type Prepared,
  plainRow,
  preparer,
  reading,
  type Sql,
  type Statement,
  type Transaction,
  type Transactions,
  type Values,
  valuesOf,
} from '../../sql.ts';
import type { Layout } from '../layout.ts';
import { sqliteDialect } from './dialect.ts';
import { openFile, type Survives } from './file.ts';

export interface SqliteOptions {
  readonly file: string;
  readonly layout: Layout;
  readonly clock: Clock;
  /** `power-loss` by default. */
  readonly survives?: Survives | undefined;
}

const inWords = preparer(sqliteDialect);
// This statement reads the file, which `SELECT 1` does not.
const answers = reading`SELECT name FROM sqlite_schema LIMIT 1`;

/**
 * The most transactions of a group, and the milliseconds after which it takes no more: the process stands
 * still.
 */
const mostInGroup = 100;
const mostMs = 20;

interface Waiting {
  readonly work: (queries: Transaction) => Promise<unknown>;
  readonly resolve: (result: never) => void;
  readonly reject: (fault: unknown) => void;
}

/**
 * One SQLite file behind `Sql`. All writes of one turn of the event loop go in one transaction (group
 * commit), since most of the cost of a row is making it durable. Each caller hears of its write after the
 * commit; a caller whose work fails does not make others fail. A read waits for a group that is being
 * written.
 */
export function openSqlite({ file, layout, clock, survives = 'power-loss' }: SqliteOptions): Sql {
  const { use, begin, emptyLog } = openFile(file, layout, survives);
  const prepared = new Map<string, StatementSync>();
  let waiting: Waiting[] = [];
  let group: Promise<void> | undefined;

  const execute = (sql: string) => use((database) => database.exec(sql));

  async function ask<T>(
    statement: Statement,
    given: Values,
    how: (asked: StatementSync, values: Bound) => T,
  ) {
    const asked = inWords(statement);
    const { sql } = asked;
    const values = bound(asked, given);
    return use((database) => {
      const found = prepared.getOrInsertComputed(sql, () => database.prepare(sql));
      return how(found, values);
    });
  }

  const queries: Transaction = {
    all: <Row>(statement: Statement<Row>, values: Values = {}) =>
      ask(statement, values, (asked, given) => asked.all(given).map(plainRow) as Row[]),
    async get<Row>(statement: Statement<Row>, values: Values = {}) {
      const row = await ask(statement, values, (asked, given) => asked.get(given));
      return row && (plainRow(row) as Row);
    },
    run: (statement, values = {}) =>
      ask(statement, values, (asked, given) => Number(asked.run(given).changes)),
    async together([lead, ...rest]) {
      if (lead === undefined) return [];
      const rows = await queries.all(lead.statement as Statement<Lead>, lead.values);
      const made: Record<string, string> = { lead: JSON.stringify(rows) };
      for (const { name, statement, values } of rows.length === 0 ? [] : rest)
        made[name] = JSON.stringify(await queries.all(statement, { ...values, ...made }));
      return rows;
    },
    async hold() {},
  };

  /** Gives the function that tells the caller once all is durable. */
  async function one({ work, resolve, reject }: Waiting): Promise<() => void> {
    execute('SAVEPOINT one');
    try {
      const result = await work(queries);
      execute('RELEASE one');
      return () => resolve(result as never);
    } catch (fault) {
      // A full disk has ended the transaction of the whole group.
      if (!use((database) => database.isTransaction)) throw fault;
      execute('ROLLBACK TO one; RELEASE one');
      return () => reject(fault);
    }
  }

  async function writeGroup(): Promise<void> {
    const now = waiting.slice(0, mostInGroup);
    const until = performance.now() + mostMs;
    let ended: (() => void)[] = [];
    try {
      begin();
      for (const each of now) {
        ended.push(await one(each));
        if (performance.now() >= until) break;
      }
      execute('COMMIT');
    } catch (fault) {
      use((database) => {
        if (database.isOpen && database.isTransaction) database.exec('ROLLBACK');
      });
      ended = now.map(({ reject }) => reject.bind(undefined, fault));
    }
    waiting = waiting.slice(ended.length);
    for (const tell of ended) tell();
  }

  function flush(): void {
    group = writeGroup().then(() => {
      group = undefined;
      if (waiting.length > 0) setImmediate(flush);
    });
  }

  function transaction<T>(work: (queries: Transaction) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      waiting.push({ work, resolve, reject });
      // A transaction that comes while a group is written goes with the next one.
      if (waiting.length === 1 && group === undefined) setImmediate(flush);
    });
  }

  async function read<T>(work: (queries: Transaction) => Promise<T>): Promise<T> {
    while (group !== undefined) await group;
    return work(queries);
  }

  const by = ({ isRead }: Statement) => (isRead ? read : transaction);
  const transactions: Transactions = {
    all: (statement, values) => by(statement)((asked) => asked.all(statement, values)),
    get: (statement, values) => by(statement)((asked) => asked.get(statement, values)),
    run: (statement, values) => by(statement)((asked) => asked.run(statement, values)),
    together: (writes) => transaction((asked) => asked.together(writes)),
    transaction,
  };
  return {
    ...transactions,
    forWithdrawals: transactions,
    dialect: sqliteDialect,
    clock,
    isUnanswered: () => false,
    isLost: () => false,
    announce() {},
    listen: () => () => undefined,
    async proveWrite(write, values) {
      await transactions.run(write, values);
    },
    emptyLog: () => read(async () => emptyLog()),
    check: async () => void (await transactions.get(answers)),
    async close() {
      // All waiting transactions are written first.
      if (waiting.length > 0) await transaction(async () => undefined).catch(() => undefined);
      await read(async () => use((database) => database[Symbol.dispose]()));
    },
  };
}

type Bound = Record<string, string | number | null>;

function bound(statement: Prepared, given: Values): Bound {
  const values: Bound = {};
  for (const [index, value] of valuesOf(statement, given).entries()) {
    values[statement.values[index] ?? ''] =
      typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
  }
  return values;
}
