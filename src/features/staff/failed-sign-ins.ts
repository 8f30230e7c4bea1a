import type { Clock } from '../../ports/clock.ts';
import type { StaffLog } from '../../ports/staff-log.ts';
import type { Timer } from '../../ports/timer.ts';

export interface FailedSignIn {
  readonly does: string;
  readonly about: string;
  /** The network of the client. */
  readonly from: string;
}

export interface FailedSignIns {
  /** Of somebody whom nobody knows. */
  stranger(failed: FailedSignIn): void;
  /** Of somebody whom the organization knows, and who has no role here. */
  known(member: { readonly id: string; readonly name: string }, failed: FailedSignIn): void;
  /** Writes down what was only counted yet. */
  close(): void;
}

const hour = 60 * 60 * 1000;
/** Lines within an hour; what comes after them is one more line, with their number. */
const mostLines = 20;
/** Milliseconds after which a number that has grown is written down. */
const writeAfter = 1_000;

/**
 * Every failed sign-in is in the audit log, but whoever has the address can fail as often as they like: it must not
 * fill the disk, nor bury what staff did. Of both kinds twenty lines an hour, and the rest as a number.
 */
export function createFailedSignIns(parts: {
  readonly log: Pick<StaffLog, 'begin' | 'settle'>;
  readonly clock: Clock;
  readonly timer: Timer;
}): FailedSignIns {
  const strangers = createWindow(parts, 'nobody');
  const known = createWindow(parts, 'people without a role');
  return {
    stranger: (failed) => strangers.note({ staff: undefined, name: 'nobody' }, failed),
    known: ({ id, name }, failed) => known.note({ staff: id, name }, failed),
    close() {
      strangers.writeIfPossible();
      known.writeIfPossible();
    },
  };
}

interface Counting {
  readonly sequence: number;
  count: number;
  written: number;
  from: string;
}

function createWindow({ log, clock, timer }: Parameters<typeof createFailedSignIns>[0], many: string) {
  let startedAt = Number.NEGATIVE_INFINITY;
  let lines = 0;
  let counting: Counting | undefined;
  let cancel: (() => void) | undefined;

  function write(): void {
    cancel?.();
    cancel = undefined;
    if (counting === undefined || counting.written === counting.count) return;
    const { sequence, count, from } = counting;
    log.settle(sequence, { outcome: 'refused', about: aboutMany(count, from) });
    counting.written = count;
  }

  function writeIfPossible(): void {
    try {
      write();
    } catch {
      // The store is away: the next one is counted with these.
    }
  }

  function begin(at: number): void {
    writeIfPossible();
    startedAt = at;
    lines = 0;
    counting = undefined;
  }

  return {
    writeIfPossible,
    note(who: { readonly staff: string | undefined; readonly name: string }, failed: FailedSignIn): void {
      const at = clock.now();
      if (Math.abs(at - startedAt) >= hour) begin(at);
      const { does, about, from } = failed;
      if (lines < mostLines) {
        lines += 1;
        log.begin({ ...who, at, does, about: `${about} (${from})`, outcome: 'refused' });
        return;
      }
      if (counting === undefined) {
        const line = {
          at,
          staff: undefined,
          name: many,
          does: 'tried to sign in',
          about: aboutMany(1, from),
        };
        counting = { sequence: log.begin({ ...line, outcome: 'refused' }), count: 1, written: 1, from };
        return;
      }
      counting.count += 1;
      counting.from = from;
      cancel ??= timer.after(writeAfter, writeIfPossible);
    },
  };
}

function aboutMany(count: number, from: string): string {
  return `${count} more within the hour (the last from ${from})`;
}
