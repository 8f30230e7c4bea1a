import { type FailedSignIn, failedSignInLimits } from '../../core/model/staff/failed-sign-in.ts';
import type { Clock, Timer } from '../../ports/clock.ts';
import type { StaffLog } from '../../ports/staff-log.ts';

type Failure = Pick<FailedSignIn, 'does' | 'about' | 'from'>;

export interface FailedSignIns {
  /** Of an unknown person. */
  stranger(failed: Failure): Promise<void>;
  /** Of somebody whom the organization knows, and who has no role here. */
  known(member: { readonly id: string; readonly name: string }, failed: Failure): Promise<void>;
  /** Writes down what was only counted yet. */
  close(): Promise<void>;
}

/** Milliseconds after which a number that has grown is written down: a flood is no flood of writes. */
const writeAfter = 1_000;

/** Every failed sign-in gets into the audit log: the first of an hour by themselves, the others as a number. */
export function createFailedSignIns(parts: {
  readonly log: Pick<StaffLog, 'addFailedSignIn'>;
  readonly clock: Clock;
  readonly timer: Timer;
}): FailedSignIns {
  const strangers = createWindow(parts);
  const known = createWindow(parts);
  return {
    stranger: (failed) => strangers.note({ kind: 'stranger', staff: undefined, name: 'nobody', ...failed }),
    known: ({ id, name }, failed) => known.note({ kind: 'no-role', staff: id, name, ...failed }),
    async close() {
      await Promise.all([strangers.close(), known.close()]);
    },
  };
}

function createWindow({ log, clock, timer }: Parameters<typeof createFailedSignIns>[0]) {
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

  function wait(failed: FailedSignIn): void {
    waiting = { last: failed, times: (waiting?.times ?? 0) + 1 };
  }

  // The store is away: the next one is counted with these.
  const writeIfPossible = () => inTurn(write).catch(() => undefined);

  return {
    close: writeIfPossible,
    note: (failed: FailedSignIn) =>
      inTurn(async () => {
        wait(failed);
        const left = fullUntil - clock.now();
        // A clock that was set back makes no hour longer: the store knows.
        if (left <= 0 || left > failedSignInLimits.withinMs) return write();
        cancel ??= timer.after(writeAfter, () => void writeIfPossible());
      }),
  };
}
