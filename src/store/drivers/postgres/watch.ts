import type { DatabaseClock } from './clock.ts';
import { answered, awayFault, DatabaseFault, hung } from './fault.ts';
import { Connection, type Target } from './target.ts';

/**
 * Milliseconds between two readings of the database's clock, which also show whether the database is there.
 */
const everyMs = 2_000;
/** The same while the database is away. */
const awayEveryMs = 250;
/** Milliseconds within which announcements go in one statement. */
const gatherMs = 5;
/** The most characters of a notification, which holds 8,000 bytes; an announcement is a few words. */
const mostText = 4_000;
/** The channel to which one connection of each node listens. */
const channel = 'sayso';

export interface WatchOptions {
  readonly target: Target;
  readonly clock: DatabaseClock;
  readonly deadlineMs: number;
  readonly onChange: (state: 'away' | 'back', fault: DatabaseFault) => void;
}

export type Watch = ReturnType<typeof createWatch>;

/**
 * The one connection that listens, announces, reads the time, and notices when the database is away. It
 * spares all others from finding that out: nothing is asked until this connection is made anew, and no
 * request is used for that.
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
  let lastAsked: Promise<unknown> = Promise.resolve();

  /** The driver takes one statement at a time: the next one waits for the end of the last. */
  function inTurn<T>(ask: () => Promise<T>): Promise<T> {
    const asked = lastAsked.then(ask);
    lastAsked = asked.catch(() => undefined);
    return asked;
  }

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
    let from = 0;
    const now = inTurn(() => {
      from = performance.now();
      return asked.query<{ at: string }>('SELECT extract(epoch FROM clock_timestamp()) * 1000 AS at');
    });
    const { rows } = await answered(now, deadlineMs);
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
    // A lost connection says little; a connection that cannot be made says all.
    connection = await connect();
    await measure(connection);
    if (isClosed) return cut();
    const fault = away;
    away = undefined;
    if (fault !== undefined) onChange('back', fault);
    hear(undefined);
  }

  /** Reads the clock now, and regularly from then on. Rejects if the database is away. */
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

  /** Lets nothing be asked until the database is back. */
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
    // A process that misses it looks by itself, a little later.
    const told = inTurn(async () => connection?.query('SELECT pg_notify($1, $2)', [channel, payload]));
    told.catch(() => undefined);
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
    /** A connection was lost: finds out whether the database is away, so that no request has to. */
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
