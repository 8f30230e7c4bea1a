import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../config/environment.ts';
import { faultForLog } from '../core/model/logged-fault.ts';
import type { Clock } from '../ports/clock.ts';
import type { Journal } from '../ports/journal.ts';
import type { Maintained } from '../ports/maintained.ts';
import type { Logger } from '../web/log.ts';

const day = 24 * 60 * 60_000;
const every = 10 * 60_000;
/** Between two batches others have their turn. Milliseconds. */
const breath = 10;
/** Done this long ago, a submission is neither retried nor undone any more. */
const workLife = 30 * day;

export function sweptJournal(
  journal: Journal,
  { evidenceDays, reasonDays }: Config,
  clock: Clock,
): Maintained {
  return {
    async sweep() {
      const now = clock.now();
      return journal.sweep({
        now,
        workBefore: now - workLife,
        evidenceBefore: now - evidenceDays * day,
        reasonsBefore: now - reasonDays * day,
      });
    },
  };
}

/** Deletes from every store what is over, also from log files: at the start, and every ten minutes. */
export function startSweeping(
  stores: readonly Maintained[],
  { log, emptyLogs }: { readonly log: Logger; readonly emptyLogs: () => Promise<void> },
): { close(): Promise<void> } {
  let isClosing = false;
  let running: Promise<void> = Promise.resolve();

  async function sweepAll(): Promise<void> {
    let isAny = false;
    const noteFault = (fault: unknown) =>
      log.warn({ fault: faultForLog(fault) }, 'a store could not be swept');
    for (const store of stores) {
      try {
        while (!isClosing && (await store.sweep()) > 0) {
          isAny = true;
          await pause(breath);
        }
      } catch (fault) {
        noteFault(fault);
      }
    }
    if (isAny) await emptyLogs().catch(noteFault);
  }

  const sweep = () => {
    running = running.then(sweepAll);
  };
  const sweeping = setInterval(sweep, every);
  sweeping.unref();
  sweep();
  return {
    async close() {
      isClosing = true;
      clearInterval(sweeping);
      await running;
    },
  };
}
