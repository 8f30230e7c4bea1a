import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../config/environment.ts';
import { faultForLog } from '../core/model/logged-fault.ts';
import type { Clock } from '../ports/clock.ts';
import type { Journal } from '../ports/journal.ts';
import type { Maintained } from '../ports/maintained.ts';
import { erasedFileOf, syncErasedList } from './erased-list.ts';
import type { ProductParts } from './parts.ts';

const day = 24 * 60 * 60_000;
const every = 10 * 60_000;
/** Milliseconds between two batches, so that other work runs. */
const batchPause = 10;
/** This long after its end, a submission can be neither retried nor undone. */
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

/** Deletes expired rows from every store and its log files, at the start and every ten minutes. */
export function startSweeping({ config, log, stores, publicUrl, signer }: ProductParts) {
  const swept: readonly Maintained[] = [
    sweptJournal(stores.journal, config, stores.clock),
    ...stores.maintained,
    // This also appends the erasures of other nodes and of commands.
    { sweep: () => syncErasedList(stores.personData, erasedFileOf(config)) },
    { sweep: () => stores.dayRoots.make({ issuer: publicUrl.origin, signer }) },
  ];
  let isClosing = false;
  let running: Promise<void> = Promise.resolve();

  async function sweepAll(): Promise<void> {
    let isAny = false;
    const noteFault = (fault: unknown) =>
      log.warn({ fault: faultForLog(fault) }, 'a store could not be swept');
    for (const store of swept) {
      try {
        while (!isClosing && (await store.sweep()) > 0) {
          isAny = true;
          await pause(batchPause);
        }
      } catch (fault) {
        noteFault(fault);
      }
    }
    if (isAny) await stores.emptyLogs().catch(noteFault);
  }

  const sweep = () => {
    running = running.then(sweepAll);
  };
  const sweeping = setInterval(sweep, every);
  sweeping.unref();
  sweep();
  return {
    async close(): Promise<void> {
      isClosing = true;
      clearInterval(sweeping);
      await running;
    },
  };
}
