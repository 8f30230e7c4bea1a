import { setImmediate } from 'node:timers/promises';

/** A clock that only `advance` moves, for a sandbox that a test starts itself (`now` and `wait`). */
export interface SandboxClock {
  now(): Date;
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Moves the clock, and ends each wait that is due by then at its own time. */
  advance(milliseconds: number): Promise<void>;
}

export function createSandboxClock(start = new Date('2026-05-04T10:00:00Z')): SandboxClock {
  let time = start.getTime();
  let waiting: { due: number; end: () => void }[] = [];

  return {
    now: () => new Date(time),
    wait: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const entry = { due: time + milliseconds, end: resolve };
        waiting.push(entry);
        signal.addEventListener('abort', () => {
          waiting = waiting.filter((each) => each !== entry);
          reject(signal.reason);
        });
      }),
    async advance(milliseconds) {
      const last = time + milliseconds;
      for (;;) {
        const next = waiting.filter(({ due }) => due <= last).sort((a, b) => a.due - b.due)[0];
        if (next === undefined) break;
        waiting = waiting.filter((each) => each !== next);
        time = next.due;
        next.end();
        await setImmediate();
      }
      time = last;
    },
  };
}
