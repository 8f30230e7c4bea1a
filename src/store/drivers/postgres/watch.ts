import type { Breaker } from './breaker.ts';
import type { DatabaseClock } from './clock.ts';
import { answered, hung } from './deadline.ts';
import { awayFault } from './fault.ts';
import { Connection, type Target } from './target.ts';

/** Milliseconds between two looks at the database's clock, which show too whether it is there. */
const everyMs = 2_000;
/** What is announced within this time goes in one statement. Milliseconds. */
const gatherMs = 5;
/** A notification holds 8,000 bytes; what is announced is a few words. */
const mostText = 4_000;
/** One channel for all of ours: what listens is one connection for each node. */
const ours = 'sayso';

/** The one connection that listens, tells, takes the time, and notices when the database is away. */
export function createWatch({
  target,
  clock,
  breaker,
  deadlineMs,
}: {
  readonly target: Target;
  readonly clock: DatabaseClock;
  readonly breaker: Breaker;
  readonly deadlineMs: number;
}) {
  const listeners = new Map<string, Set<(text: string | undefined) => void>>();
  let connection: Connection | undefined;
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
      made.on('notification', ({ payload = '' }) => hear(payload));
      await answered(made.limit({ statementMs: deadlineMs }), deadlineMs);
      await answered(made.query(`LISTEN ${ours}`), deadlineMs);
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
        connection?.cut();
        connection = undefined;
        if (thrown === hung) {
          breaker.open(hung);
          throw thrown;
        }
      }
    }
    // One that was lost says little; one that cannot be made says all.
    try {
      connection = await connect();
      await measure(connection);
    } catch (thrown) {
      connection?.cut();
      connection = undefined;
      if (!isClosed) breaker.open(awayFault(thrown));
      throw thrown;
    }
    missed();
  }

  function lookLater(ms: number): void {
    if (isClosed) return;
    timer = setTimeout(() => {
      look().then(
        () => lookLater(everyMs),
        () => lookLater(everyMs / 4),
      );
    }, ms);
    timer.unref();
  }

  function hear(payload: string): void {
    for (const line of payload.split('\n')) {
      const at = line.indexOf(' ');
      for (const heard of listeners.get(line.slice(0, at)) ?? []) heard(line.slice(at + 1));
    }
  }

  function missed(): void {
    for (const heard of [...listeners.values()].flatMap((each) => [...each])) heard(undefined);
  }

  function tell(): void {
    gathering = undefined;
    const payload = announcing.join('\n');
    announcing = [];
    // A process that does not hear of it looks by itself, a little later.
    connection?.query('SELECT pg_notify($1, $2)', [ours, payload]).catch(() => undefined);
  }

  return {
    /** Resolves once the time is known and it listens. */
    async start(): Promise<void> {
      await look();
      lookLater(everyMs);
    },
    announce(channel: string, text: string): void {
      if (announcing.length > 0 && announcing.join('\n').length + text.length > mostText) tell();
      announcing.push(`${channel} ${text}`);
      gathering ??= setTimeout(tell, gatherMs);
    },
    listen(channel: string, heard: (text: string | undefined) => void): () => void {
      const all = listeners.get(channel) ?? new Set();
      listeners.set(channel, all.add(heard));
      return () => all.delete(heard);
    },
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      clearTimeout(gathering);
      connection?.cut();
    },
  };
}
