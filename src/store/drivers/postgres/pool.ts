import pg from 'pg';
import { isWrongStatement } from '../../../core/model/logged-fault.ts';
import { type Prepared, plainRow, type Statement, type Values, valuesOf } from '../../sql.ts';
import { inWords } from './dialect.ts';
import { answered, awayFault, changedTable, DatabaseFault, faultOf, hung, readOnly } from './fault.ts';
import { Connection, type Limits, type Target } from './target.ts';
import type { Watch } from './watch.ts';

export interface Answer<Row = unknown> {
  readonly rows: readonly Row[];
  readonly count: number;
}

/** A connection that is lent to a caller. */
export interface Taken {
  run<Row>(statement: Statement<Row> | string, values?: Values): Promise<Answer<Row>>;
}

/**
 * The connections that a caller may use. Withdrawals may use all: some are left for them, whatever others
 * ask.
 */
export type Lane = 'ordinary' | 'withdrawals';

export interface PoolOptions {
  readonly target: Target;
  readonly size: number;
  /** Milliseconds for a connection, and for a statement. */
  readonly deadlineMs: number;
  readonly watch: Pick<Watch, 'pass' | 'open' | 'suspect'>;
  readonly onStatement: (statement: Prepared | string) => void;
  /** Called if a statement is refused that can never succeed: the fault is not the database's. */
  readonly onWrong: (text: string, fault: DatabaseFault) => void;
}

const allInUse = 'every connection of the pool is in use';
/**
 * The share of our deadline after which the server gives up a statement: else a slow server would count as
 * hung.
 */
const serverShare = 0.8;
const idleMs = 60_000;
/**
 * Seconds after which a connection is replaced, so that connections move after a failover or behind a
 * balancer.
 */
const lifeSeconds = 1_800;
/** Milliseconds of silence after which a transaction ends, so that a node that hangs loses its locks. */
const silentMs = 3_000;

export function createPool(options: PoolOptions) {
  const { target, size, deadlineMs, watch, onStatement, onWrong } = options;
  const config = { ...target.config, connectionTimeoutMillis: deadlineMs, keepAlive: true };
  const limits: Limits = { statementMs: Math.max(1, Math.floor(deadlineMs * serverShare)), silentMs };
  const connections = new Set<Connection>();
  const takePlace = createPlaces(size - keptForWithdrawals(size));
  let pool = fresh();
  /**
   * A part of the names of prepared statements: after a table has changed, all statements are prepared anew.
   */
  let shape = 0;

  function fresh(): pg.Pool {
    const made = new pg.Pool({
      ...config,
      max: size,
      idleTimeoutMillis: idleMs,
      maxLifetimeSeconds: lifeSeconds,
      Client: class extends Connection {
        constructor() {
          super(config);
          connections.add(this);
          this.once('end', () => connections.delete(this));
        }
      },
      onConnect: (client) => answered((client as Connection).limit(limits), deadlineMs),
    });
    made.on('error', () => undefined);
    return made;
  }

  async function take(): Promise<pg.PoolClient> {
    watch.pass();
    const from = pool;
    try {
      return await from.connect();
    } catch (thrown) {
      if (thrown instanceof Error && thrown.message.startsWith('timeout exceeded'))
        throw new DatabaseFault(allInUse, { kind: 'refused' });
      const fault = awayFault(thrown);
      if (from === pool) watch.open(fault);
      throw fault;
    }
  }

  async function run<Row>(client: pg.PoolClient, asked: Statement<Row> | string, values: Values = {}) {
    const statement = typeof asked === 'string' ? asked : inWords(asked);
    onStatement(statement);
    const preparedFor = shape;
    const query =
      typeof statement === 'string'
        ? client.query(statement)
        : client.query({
            name: `${statement.name}${preparedFor}`,
            text: statement.text,
            values: valuesOf(statement, values),
          });
    try {
      const { rows, rowCount } = await answered(query, deadlineMs);
      return { rows: rows.map(plainRow) as Row[], count: rowCount ?? 0 };
    } catch (thrown) {
      if (thrown === hung) {
        watch.open(hung);
        throw new DatabaseFault(hung.message, { kind: 'lost' });
      }
      const fault = faultOf(thrown);
      if (isWrongStatement(fault.code ?? ''))
        onWrong(typeof statement === 'string' ? statement : statement.text, fault);
      if (fault.code === changedTable) shape = Math.max(shape, preparedFor + 1);
      if (fault.kind === 'lost') watch.suspect();
      throw fault;
    }
  }

  return {
    /**
     * Lends a connection. It is not used again if it is lost, if its transaction did not end, or if it may
     * only read.
     */
    async use<T>(lane: Lane, work: (taken: Taken) => Promise<T>): Promise<T> {
      watch.pass();
      const leave = lane === 'ordinary' ? await takePlace(deadlineMs) : undefined;
      let client: pg.PoolClient | undefined;
      let isOver = false;
      try {
        const taken = await take();
        client = taken;
        return await work({ run: (asked, values) => run(taken, asked, values) });
      } catch (fault) {
        isOver = fault instanceof DatabaseFault && (fault.kind === 'lost' || fault.code === readOnly);
        throw fault;
      } finally {
        client?.release(isOver);
        leave?.();
      }
    },
    /** Gives up all connections, so that none waits for a database that is gone. */
    renew(): void {
      const old = pool;
      pool = fresh();
      old.end().catch(() => undefined);
      for (const connection of connections) connection.cut();
      connections.clear();
    },
    async close(): Promise<void> {
      const ended = pool.end();
      const cut = setTimeout(() => {
        for (const connection of connections) connection.cut();
      }, deadlineMs);
      await ended.finally(() => clearTimeout(cut));
    },
  };
}

/** The number of connections that only withdrawals get. */
function keptForWithdrawals(size: number): number {
  return size < 2 ? 0 : Math.max(1, Math.floor(size / 4));
}

/** Lends places in the order in which they are asked for. */
function createPlaces(size: number) {
  let free = size;
  const waiting = new Set<() => void>();

  function giveBack(): void {
    const [next] = waiting;
    if (next === undefined) free += 1;
    else next();
  }

  /** Resolves with the function that gives the place back. Rejects when none is free within `waitMs`. */
  return async (waitMs: number): Promise<() => void> => {
    if (free > 0) {
      free -= 1;
      return giveBack;
    }
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const get = () => {
      clearTimeout(timer);
      waiting.delete(get);
      resolve(giveBack);
    };
    const timer = setTimeout(() => {
      waiting.delete(get);
      reject(new DatabaseFault(allInUse, { kind: 'refused' }));
    }, waitMs);
    waiting.add(get);
    return promise;
  };
}
