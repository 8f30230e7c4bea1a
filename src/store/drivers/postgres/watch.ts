import type { DatabaseClock } from './clock.ts';
import { answered, awayFault, DatabaseFault, hung } from './fault.ts';
import { Connection, type Target } from './target.ts';

/** Milliseconds between two looks at the database's clock, which show too whether it is there. */
const everyMs = 2_000;
/** The same while it is away. */
const awayEveryMs = 250;
/** What is announced within this time goes in one statement. Milliseconds. */
const gatherMs = 5;
/** A notification holds 8,000 bytes; what is announced is a few words. */
const mostText = 4_000;
/** What listens is one connection for each node. */
const channel = 'sayso';

export interface WatchOptions {
  readonly target: Target;
  readonly clock: DatabaseClock;
  readonly deadlineMs: number;
  readonly onChange: (state: 'away' | 'back', fault: DatabaseFault) => void;
}

export type Watch = ReturnType<typeof createWatch>;

/**
 * The one connection that listens, tells, takes the time, and notices when the database is away. Who finds that spares
 * all others the finding out: nothing is asked any more until this connection is made anew, and no request is used for
 * that.
 */
export function createWatch({ target, clock, deadlineMs, onChange }: WatchOptions) {
  const listeners = new Set<(text: string | undefined) => void>();
  let connection: Connection | undefined;
  let away: DatabaseFault | undefined;
  let looking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let announcing: string[] = [];
  let gathering: NodeJS.Timeout | undefined;

  async function connect(): Promise<Connection> {
    const made = new Connection({
      ...target.config,
      application_name: 'sayso watch',
      connectionTimeoutMillis: deadlineMs,
      keepAlive: true,
    });
    try {
      await made.connect();
      made.on('notification', ({ payload = '' }) => payload.split('\n').forEach(hear));
      await answered(made.limit({ statementMs: deadlineMs }), deadlineMs);
      await answered(made.query(`LISTEN ${channel}`), deadlineMs);
      // A connection made after the end would keep the process alive.
      if (isClosed) throw new Error('the store is closed');
    } catch (thrown) {
      made.cut();
      throw thrown;
    }
    made.once('end', () => {
      if (connection === made) connection = undefined;
    });
    return made;
  }

  function cut(): void {
    connection?.cut();
    connection = undefined;
  }

  async function measure(asked: Connection): Promise<void> {
    const from = performance.now();
    const { rows } = await answered(
      asked.query<{ at: string }>('SELECT extract(epoch FROM clock_timestamp()) * 1000 AS at'),
      deadlineMs,
    );
    clock.measure({ at: Number(rows[0]?.at), from, to: performance.now() });
  }

  async function look(): Promise<void> {
    if (connection !== undefined) {
      try {
        return await measure(connection);
      } catch (thrown) {
        cut();
        if (thrown === hung) throw thrown;
      }
    }
    // One that was lost says little; one that cannot be made says all.
    connection = await connect();
    await measure(connection);
    if (isClosed) return cut();
    const fault = away;
    away = undefined;
    if (fault !== undefined) onChange('back', fault);
    hear(undefined);
  }

  /** Rejects where it is away. */
  async function lookOnce(): Promise<void> {
    clearTimeout(timer);
    try {
      await look();
    } catch (thrown) {
      open(awayFault(thrown));
      throw thrown;
    } finally {
      looking = undefined;
      lookLater();
    }
  }

  function lookLater(): void {
    clearTimeout(timer);
    if (isClosed) return;
    timer = setTimeout(lookNow, away === undefined ? everyMs : awayEveryMs);
    timer.unref();
  }

  function lookNow(): void {
    looking ??= lookOnce();
    looking.catch(() => undefined);
  }

  /** Nothing is asked any more until it is back. */
  function open(fault: DatabaseFault): void {
    if (away !== undefined || isClosed) return;
    away = fault;
    cut();
    onChange('away', fault);
    if (looking === undefined) lookLater();
  }

  function hear(text: string | undefined): void {
    for (const heard of listeners) heard(text);
  }

  function tell(): void {
    gathering = undefined;
    const payload = announcing.join('\n');
    announcing = [];
    // A process that does not hear of it looks by itself, a little later.
    connection?.query('SELECT pg_notify($1, $2)', [channel, payload]).catch(() => undefined);
  }

  return {
    /** Resolves once the time is known and it listens. */
    start: lookOnce,
    /** Throws at once while the database is away. */
    pass(): void {
      if (away !== undefined) throw new DatabaseFault(away.message, { code: away.code, kind: 'away' });
    },
    isAway: () => away !== undefined,
    open,
    /** Something was lost: whether all is, no request finds out. */
    suspect(): void {
      if (away === undefined && !isClosed) lookNow();
    },
    announce(text: string): void {
      if (announcing.length > 0 && announcing.join('\n').length + text.length > mostText) tell();
      announcing.push(text);
      gathering ??= setTimeout(tell, gatherMs);
    },
    listen(heard: (text: string | undefined) => void): () => void {
      listeners.add(heard);
      return () => listeners.delete(heard);
    },
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      clearTimeout(gathering);
      cut();
    },
  };
}
