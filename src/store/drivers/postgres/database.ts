import {
  type Lead,
  type Prepared,
  type Queries,
  reading,
  type Sql,
  type Statement,
  type Transaction,
  type Transactions,
  type Values,
  type Write,
  writing,
} from '../../sql.ts';
import type { Layout } from '../layout.ts';
import { createDatabaseClock } from './clock.ts';
import { inWords, postgresDialect } from './dialect.ts';
import { DatabaseFault, type FaultKind, isLost, isSlow, isUnanswered, unavailable, wordOf } from './fault.ts';
import { makeLayout } from './layout.ts';
import { type Answer, createPool, type Lane, type Taken } from './pool.ts';
import { createStatistics } from './statistics.ts';
import { readTarget } from './target.ts';
import { createWatch } from './watch.ts';

export interface Database extends Sql {
  /**
   * True if the database is not away, a write succeeded within so many milliseconds, and none failed since.
   */
  hasWritten(withinMs: number): boolean;
  isAway(): boolean;
}

export interface DatabaseOptions {
  readonly url: string;
  /** The layout of a new database; an existing database must have the same. */
  readonly layout?: Layout;
  /** Connections of the pool; one more connection listens. */
  readonly poolSize: number;
  /** Milliseconds for a statement, and for a connection. */
  readonly deadlineMs: number;
  /** Milliseconds for which a start waits for a database that is starting, too. */
  readonly longestWaitMs?: number;
  readonly onChange?: (state: 'away' | 'back', code: string | undefined) => void;
  readonly onStatement?: (statement: Prepared | string) => void;
  /** Called with the text of a statement that can never succeed, without its values. */
  readonly onWrong?: (text: string, fault: Error) => void;
}

const answers = reading`SELECT 1`;

/** Milliseconds for which a write proves that another one can succeed. */
const provenForMs = 2_000;
/**
 * Milliseconds for which a database that answers too late counts as slow: all nodes see the same then, and
 * none is better.
 */
const slowForMs = 10_000;

/** Tries of a transaction, or a statement, after a conflict or a lost connection. */
const mostTries = 4;

/** Connects, makes the tables of a new database, and reads its time. Throws words for an operator. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, layout = [], poolSize, deadlineMs, longestWaitMs = 5_000 } = options;
  const target = readTarget(url);
  await makeLayout(target, { longestWaitMs, layout }).catch((thrown: unknown) => {
    throw new Error(wordOf(thrown, target.place));
  });
  const clock = createDatabaseClock();
  const noteStatement = createStatistics(async (asked) => by('ordinary').all(asked));
  const watch = createWatch({
    target,
    clock,
    deadlineMs,
    onChange(state, { code }) {
      if (state === 'away') pool.renew();
      options.onChange?.(state, code);
    },
  });
  const pool = createPool({
    target,
    watch,
    size: poolSize,
    deadlineMs,
    onStatement(statement) {
      options.onStatement?.(statement);
      noteStatement(statement);
    },
    onWrong: (text, fault) => options.onWrong?.(text, fault),
  });

  /**
   * Tries work again after faults of these kinds. A conflict is over by the next try; a statement that only
   * reads may use another connection.
   */
  async function again<T>(repeatable: readonly FaultKind[], work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await work();
      } catch (fault) {
        const isAgain = fault instanceof DatabaseFault && repeatable.includes(fault.kind);
        if (!isAgain || tries === mostTries) throw unavailable(fault);
      }
    }
  }

  let writtenAt = Number.NEGATIVE_INFINITY;
  /** Notes the time of a write. A write that changes no row proves nothing. */
  async function noteWrite<T>(write: Promise<T>, isWritten: (result: T) => boolean): Promise<T> {
    try {
      const result = await write;
      if (isWritten(result)) writtenAt = performance.now();
      return result;
    } catch (fault) {
      if (!isSlow(fault)) writtenAt = Number.NEGATIVE_INFINITY;
      throw fault;
    }
  }

  function by(lane: Lane): Transactions {
    const ask: Ask = (statement, values) => {
      const { isRead } = statement;
      const answer = again(isRead ? ['again', 'lost'] : ['again'], () =>
        pool.use(lane, (taken) => taken.run(statement, values)),
      );
      return isRead ? answer : noteWrite(answer, ({ count }) => count > 0);
    };
    return {
      ...queriesBy(ask),
      transaction: (work) =>
        noteWrite(
          again(['again'], () => pool.use(lane, (taken) => transaction(taken, work))),
          () => true,
        ),
    };
  }

  const ordinary = by('ordinary');
  const forWithdrawals = by('withdrawals');
  async function close(): Promise<void> {
    await watch.close();
    await pool.close();
  }
  const hasWritten = (withinMs: number) => !watch.isAway() && performance.now() - writtenAt < withinMs;
  try {
    await watch.start();
  } catch (thrown) {
    await close();
    throw new Error(wordOf(thrown, target.place));
  }
  return {
    clock,
    dialect: postgresDialect,
    // PostgreSQL removes deleted rows by itself.
    emptyLog: async () => true,
    check: async () => void (await ordinary.get(answers)),
    ...ordinary,
    forWithdrawals,
    hasWritten,
    async proveWrite(write, values) {
      if (hasWritten(provenForMs)) return;
      try {
        await forWithdrawals.run(write, values);
      } catch (fault) {
        if (!isSlow(fault) || !hasWritten(slowForMs)) throw fault;
      }
    },
    isUnanswered,
    isLost,
    announce: watch.announce,
    listen: watch.listen,
    isAway: watch.isAway,
    close,
  };
}

async function transaction<T>(taken: Taken, work: (queries: Transaction) => Promise<T>): Promise<T> {
  await taken.run('BEGIN');
  let result: T;
  try {
    result = await work({
      ...queriesBy(taken.run),
      hold: async (names, how) => void (await taken.run(holds[how ?? 'alone'], { names })),
    });
  } catch (fault) {
    const isLost = fault instanceof DatabaseFault && fault.kind === 'lost';
    if (!isLost) await taken.run('ROLLBACK');
    throw fault;
  }
  try {
    await taken.run('COMMIT');
  } catch (fault) {
    // After a lost connection it is not known whether the transaction was committed.
    const isKnown = fault instanceof DatabaseFault && fault.kind !== 'lost';
    throw isKnown ? fault : unavailable(fault, true);
  }
  return result;
}

const holding = (mode: '' | '_shared') =>
  writing`SELECT pg_advisory_xact_lock${mode}(hashtextextended(name, 0))
    FROM (SELECT unnest(:names::text[]) AS name ORDER BY 1) AS sorted`;
const holds = { alone: holding(''), shared: holding('_shared') } as const;

/** One statement for each set of writes, so that it is prepared once. */
const composed = new Map<string, Statement<Lead>>();

/** Several writes as one statement, with its values. */
export function compose(writes: readonly Write[]) {
  const key = writes.map(({ statement }) => inWords(statement).name).join(' ');
  const parts = () => writes.map(({ name, statement }) => `${name} AS (${inWords(statement).sql})`);
  const statement = composed.getOrInsertComputed(
    key,
    () => writing`WITH ${parts().join(', ')} SELECT * FROM lead`,
  );
  const values: Values = Object.fromEntries(writes.flatMap(({ values }) => Object.entries(values)));
  return { statement, values };
}

type Ask = <Row>(statement: Statement<Row>, values?: Values) => Promise<Answer<Row>>;

function queriesBy(ask: Ask): Queries {
  return {
    all: async (statement, values) => (await ask(statement, values)).rows,
    get: async (statement, values) => (await ask(statement, values)).rows[0],
    run: async (statement, values) => (await ask(statement, values)).count,
    async together(writes) {
      const { statement, values } = compose(writes);
      return (await ask(statement, values)).rows;
    },
  };
}
