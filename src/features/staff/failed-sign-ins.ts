import { type FailedSignIn, failedSignInLimits } from '../../core/model/staff/failed-sign-in.ts';
import type { Clock, Timer } from '../../ports/clock.ts';
import type { StaffLog } from '../../ports/staff-log.ts';

type Failure = Pick<FailedSignIn, 'does' | 'about' | 'from'>;

export type FailedSignIns = ReturnType<typeof createFailedSignIns>;

/** Milliseconds after which a number that has grown is written down: a flood is no flood of writes. */
const writeAfter = 1_000;

/** Every failed sign-in gets into the audit log: the first of an hour by themselves, the others as a number. */
interface Parts {
  readonly log: Pick<StaffLog, 'addFailedSignIn'>;
  readonly clock: Clock;
  readonly timer: Timer;
}

export function createFailedSignIns(parts: Parts) {
  const strangers = createWindow(parts);
  const known = createWindow(parts);
  return {
    /** Of an unknown person. */
    stranger: (failed: Failure) =>
      strangers.note({ kind: 'stranger', staff: undefined, name: 'nobody', ...failed }),
    /** Of somebody whom the organization knows, and who has no role here. */
    known: ({ id, name }: { readonly id: string; readonly name: string }, failed: Failure) =>
      known.note({ kind: 'no-role', staff: id, name, ...failed }),
    /** Writes down what was only counted yet. */
    async close() {
      await Promise.all([strangers.close(), known.close()]);
    },
  };
}

function createWindow({ log, clock, timer }: Parts) {
  /** There are no more lines until then, and what is counted meanwhile waits to be written. */
  let fullUntil = Number.NEGATIVE_INFINITY;
  let waiting: { readonly last: FailedSignIn; readonly times: number } | undefined;
  let cancel: (() => void) | undefined;
  let turn: Promise<void> = Promise.resolve();

  /** One after another, so that what comes at once with the last line is not written by itself, too. */
  function inTurn(act: () => Promise<void>): Promise<void> {
    const mine = turn.then(act);
    turn = mine.catch(() => undefined);
    return mine;
  }

  async function write(): Promise<void> {
    cancel?.();
    cancel = undefined;
    if (waiting === undefined) return;
    const { last, times } = waiting;
    const { kind, until } = await log.addFailedSignIn(last, times);
    waiting = undefined;
    fullUntil = kind === 'number' ? until : Number.NEGATIVE_INFINITY;
  }

  // The store is away: the next one is counted with these.
  const writeIfPossible = () => inTurn(write).catch(() => undefined);

  return {
    close: writeIfPossible,
    note: (failed: FailedSignIn) =>
      inTurn(async () => {
        waiting = { last: failed, times: (waiting?.times ?? 0) + 1 };
        const left = fullUntil - clock.now();
        // A clock that was set back makes no hour longer: the store knows.
        if (left <= 0 || left > failedSignInLimits.withinMs) return write();
        cancel ??= timer.after(writeAfter, () => void writeIfPossible());
      }),
  };
}
