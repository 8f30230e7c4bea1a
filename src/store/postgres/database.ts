import type { Clock } from '../../ports/clock.ts';
import { createDatabaseClock } from './clock.ts';
import { DatabaseFault, type FaultKind, isSlow, unavailable, wordOf } from './fault.ts';
import { migrate } from './migrate.ts';
import type { Lane } from './places.ts';
import { createPool, type Taken } from './pool.ts';
import type { Row, Statement, Values } from './statement.ts';
import { createStatistics } from './statistics.ts';
import { readTarget } from './target.ts';
import { createWatch } from './watch.ts';

/** Every fault is `store-unavailable`. */
export interface Queries {
  all(statement: Statement, values?: Values): Promise<readonly Row[]>;
  /** The first row. */
  get(statement: Statement, values?: Values): Promise<Row | undefined>;
  /** How many rows it wrote. */
  run(statement: Statement, values?: Values): Promise<number>;
}

export interface Transactions extends Queries {
  /** All or nothing, and once more when it met another one: `work` must be fit for that. */
  together<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
}

export interface Database extends Transactions {
  /** By any connection, those included that are kept for withdrawals. */
  readonly forWithdrawals: Transactions;
  /** It is not away, and something was written within so many milliseconds, and nothing was refused since. */
  hasWritten(withinMs: number): boolean;
  /** The database's time. */
  readonly clock: Clock;
  /** Tells all nodes, this one included; soon, and not for sure. */
  announce(channel: string, text: string): void;
  /** `undefined`: something may have been missed. Gives what ends it. */
  listen(channel: string, heard: (text: string | undefined) => void): () => void;
  isAway(): boolean;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly url: string;
  /** How many connections it may use, beside the one that listens. */
  readonly poolSize: number;
  /** Milliseconds that a statement may take, and a connection be waited for. */
  readonly deadlineMs: number;
  /** How long a start waits for a database that is just starting, too. Milliseconds. */
  readonly patienceMs?: number;
  readonly onChange?: (state: 'away' | 'back', code: string | undefined) => void;
  readonly onStatement?: (statement: Statement | string) => void;
  /** Hears of a statement that can never go well, as it is written, without its values. */
  readonly onWrong?: (text: string, fault: Error) => void;
}

/** Tries of a transaction, or a statement, that met another one or lost its connection. */
const mostTries = 4;

/** Connects, brings the schema to where this release has it, and takes the time. Throws words for an operator. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, poolSize, deadlineMs, patienceMs = 5_000, onChange, onStatement, onWrong } = options;
  const target = readTarget(url);
  await migrate(target, { patienceMs }).catch((thrown: unknown) => {
    throw new Error(wordOf(thrown, target.place));
  });
  const clock = createDatabaseClock();
  const noteStatement = createStatistics(async (statement) => by('ordinary').all(statement));
  const pool = createPool({
    target,
    size: poolSize,
    deadlineMs,
    onStatement(statement) {
      onStatement?.(statement);
      noteStatement(statement);
    },
    onChange: (state, fault) => onChange?.(state, fault.code),
    onWrong: (text, fault) => onWrong?.(text, fault),
  });
  const watch = createWatch({ target, clock, breaker: pool.breaker, deadlineMs });

  /** Whoever was in the way has gone on by the next try; what only reads may go by another connection. */
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
  /** What finds nothing to write proves nothing. */
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
    const ask = (statement: Statement, values?: Values) => {
      const { isRead } = statement;
      const answer = again(isRead ? ['again', 'lost'] : ['again'], () =>
        pool.use(lane, (taken) => taken.run(statement, values)),
      );
      return isRead ? answer : noteWrite(answer, ({ count }) => count > 0);
    };
    return {
      all: async (statement, values) => (await ask(statement, values)).rows,
      get: async (statement, values) => (await ask(statement, values)).rows[0],
      run: async (statement, values) => (await ask(statement, values)).count,
      together: (work) =>
        noteWrite(
          again(['again'], () => pool.use(lane, (taken) => transaction(taken, work))),
          () => true,
        ),
    };
  }

  try {
    await watch.start();
  } catch (thrown) {
    await pool.close();
    throw new Error(wordOf(thrown, target.place));
  }
  return {
    clock,
    ...by('ordinary'),
    forWithdrawals: by('withdrawals'),
    hasWritten: (withinMs) => !pool.breaker.isOpen() && performance.now() - writtenAt < withinMs,
    announce: watch.announce,
    listen: watch.listen,
    isAway: pool.breaker.isOpen,
    async close() {
      await watch.close();
      await pool.close();
    },
  };
}

async function transaction<T>(taken: Taken, work: (queries: Queries) => Promise<T>): Promise<T> {
  await taken.run('BEGIN');
  let result: T;
  try {
    result = await work(queriesOf(taken));
  } catch (fault) {
    const isLost = fault instanceof DatabaseFault && fault.kind === 'lost';
    if (!isLost) await taken.run('ROLLBACK');
    throw fault;
  }
  try {
    await taken.run('COMMIT');
  } catch (fault) {
    // A lost connection says nothing of whether it was written.
    const isKnown = fault instanceof DatabaseFault && fault.kind !== 'lost';
    throw isKnown ? fault : unavailable(fault, true);
  }
  return result;
}

function queriesOf(taken: Taken): Queries {
  return {
    all: async (statement, values) => (await taken.run(statement, values)).rows,
    get: async (statement, values) => (await taken.run(statement, values)).rows[0],
    run: async (statement, values) => (await taken.run(statement, values)).count,
  };
}
