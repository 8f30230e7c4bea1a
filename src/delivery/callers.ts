import type { Timer } from '../ports/clock.ts';
import type { People } from '../ports/people.ts';
import { failed, type Log } from './log.ts';
import type { Result } from './person-loop.ts';

/** Milliseconds between look-ups of submissions that callers here wait for, in case their news is lost. */
const lookEveryMs = 1_000;

/** Callers that wait for the results of submissions. */
export function createCallers({
  people,
  timer,
  log,
  onDue,
}: {
  readonly people: Pick<People, 'keep' | 'finishedOf' | 'onNews'>;
  readonly timer: Timer;
  readonly log: Log;
  /** Called when a person has become due. */
  readonly onDue: () => void;
}) {
  const waiting = new Map<string, Set<(result?: Result) => void>>();
  /** References whose news this process caused. */
  const own = new Set<string>();
  let isStopping = false;
  let cancelLook: (() => void) | undefined;

  const ignoreNews = people.onNews((news) => {
    if (news.kind === 'due') onDue();
    else if (!own.has(news.reference)) tell(news.reference);
  });

  function tell(reference: string, result?: Result): void {
    for (const resolve of waiting.get(reference) ?? []) resolve(result);
  }

  /** Looks up again later. Runs while a caller waits. */
  function lookLater(): void {
    cancelLook ??= timer.after(lookEveryMs, () => void look());
  }

  async function look(): Promise<void> {
    try {
      for (const reference of await people.finishedOf([...waiting.keys()])) tell(reference);
    } catch (fault) {
      log.error(failed(fault), 'finished submissions cannot be read');
    }
    cancelLook = undefined;
    if (waiting.size > 0 && !isStopping) lookLater();
  }

  function stopLooking(): void {
    cancelLook?.();
    cancelLook = undefined;
  }

  return {
    tell,
    /**
     * The same as `People.keep`. Meanwhile the news of the submissions that this process tells itself are
     * ignored.
     */
    async keep(...[held, change, lease]: Parameters<People['keep']>): ReturnType<People['keep']> {
      for (const reference of change.told) own.add(reference);
      try {
        return await people.keep(held, change, lease);
      } finally {
        for (const reference of change.told) own.delete(reference);
      }
    },
    /**
     * Resolves when the submission has a result, or after `waitMs`; with the result, if this process knows
     * it.
     */
    waitFor(reference: string, waitMs: number): Promise<Result | undefined> {
      return new Promise((resolve) => {
        const end = (result?: Result) => {
          cancel();
          const others = waiting.get(reference);
          others?.delete(end);
          if (others?.size === 0) waiting.delete(reference);
          if (waiting.size === 0) stopLooking();
          resolve(result);
        };
        const cancel = timer.after(waitMs, () => end());
        waiting.set(reference, (waiting.get(reference) ?? new Set()).add(end));
        lookLater();
      });
    },
    /** Ends the wait of every caller. */
    stop(): void {
      isStopping = true;
      ignoreNews();
      stopLooking();
      for (const reference of waiting.keys()) tell(reference);
    },
  };
}
