import { type FailedSignIn, failedSignInLimits } from '../../core/model/staff/failed-sign-in.ts';
import type { Clock, Timer } from '../../ports/clock.ts';
import type { StaffLog } from '../../ports/staff-log.ts';

type Failure = Pick<FailedSignIn, 'does' | 'about' | 'from'>;

export type FailedSignIns = ReturnType<typeof createFailedSignIns>;

/** Milliseconds after which a grown number is written, so that a flood of sign-ins causes few writes. */
const writeAfter = 1_000;

/**
 * Writes every failed sign-in to the audit log: the first ones of an hour as lines, the others as a number.
 */
interface Parts {
  readonly log: Pick<StaffLog, 'addFailedSignIn'>;
  readonly clock: Clock;
  readonly timer: Timer;
}

export function createFailedSignIns(parts: Parts) {
  const strangers = createWindow(parts);
  const known = createWindow(parts);
  return {
    /** Notes a failed sign-in of an unknown person. */
    stranger: (failed: Failure) =>
      strangers.note({ kind: 'stranger', staff: undefined, name: 'nobody', ...failed }),
    /** Notes a failed sign-in of a person whom the organization knows, but who has no role here. */
    known: ({ id, name }: { readonly id: string; readonly name: string }, failed: Failure) =>
      known.note({ kind: 'no-role', staff: id, name, ...failed }),
    /** Writes the failed sign-ins that were only counted so far. */
    async close() {
      await Promise.all([strangers.close(), known.close()]);
    },
  };
}

function createWindow({ log, clock, timer }: Parts) {
  /**
   * Time until which no more lines are allowed; until then, failed sign-ins are counted and written later.
   */
  let fullUntil = Number.NEGATIVE_INFINITY;
  let waiting: { readonly last: FailedSignIn; readonly times: number } | undefined;
  let cancel: (() => void) | undefined;
  let turn: Promise<void> = Promise.resolve();

  /**
   * Runs tasks one after another, so that a sign-in during the last line's write does not get a line, too.
   */
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

  // If the store is away, the count is kept and the next sign-in is added to it.
  const writeIfPossible = () => inTurn(write).catch(() => undefined);

  return {
    close: writeIfPossible,
    note: (failed: FailedSignIn) =>
      inTurn(async () => {
        waiting = { last: failed, times: (waiting?.times ?? 0) + 1 };
        const left = fullUntil - clock.now();
        // A clock that was set back must not make the hour longer: then the store decides.
        if (left <= 0 || left > failedSignInLimits.withinMs) return write();
        cancel ??= timer.after(writeAfter, () => void writeIfPossible());
      }),
  };
}
