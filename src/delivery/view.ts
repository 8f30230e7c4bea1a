import type { JournalEntry, Work } from '../core/model/journal-entry.ts';
import type { ItemResult, Submission } from '../core/model/submission.ts';
import { isWatched } from './watch.ts';
import { isGrantOver, isPerhapsSent, isWithdrawal, keyOf, lastCall, settle } from './work.ts';

/**
 * What the person is told. A grant whose minute is over is not saved, or in doubt while its last answer is unread.
 * What is only looked at again is done.
 */
export function viewOf(entry: JournalEntry, now: number): Submission {
  const { work } = entry;
  const shown = work !== undefined && isGrantOver(entry.submittedAt, now) ? withoutProgress(work) : work;
  return {
    reference: entry.reference,
    center: entry.center,
    channel: entry.channel,
    state:
      work !== undefined && entry.state === 'pending' && isWatched(work)
        ? finalState(work.items)
        : entry.state,
    everything: entry.everything,
    items: shown === undefined ? (entry.evidence?.items ?? []) : shown.items.map((item) => seen(shown, item)),
    receipts: entry.receipts,
    submittedAt: entry.submittedAt,
    doneAt: entry.doneAt,
    undoes: entry.undoes,
    undoneBy: entry.undoneBy,
    globalPrivacyControl: entry.globalPrivacyControl,
    aftermath: work && aftermathOf(entry, work),
  };
}

/** A grant that the platform accepted and that is not read back yet, be it for want of quota. */
function seen(work: Work, item: ItemResult): ItemResult {
  const isOpen = item.outcome === 'in-progress' || item.outcome === 'in-doubt';
  return isOpen && lastCall(work, keyOf(item))?.answer !== undefined ? { ...item, isAccepted: true } : item;
}

function withoutProgress(work: Work): Work {
  const isOpen = (item: ItemResult) => item.outcome === 'in-progress';
  const doubted = settle(work, (item) => isOpen(item) && isPerhapsSent(work, item), 'in-doubt');
  return settle(doubted, isOpen, 'not-saved');
}

function aftermathOf({ state }: JournalEntry, work: Work): Submission['aftermath'] {
  if (work.isRepeated === true) return 'repeated';
  const isLeaving =
    work.request.intent.everything === 'withdraw' || work.items.some(({ change }) => isWithdrawal(change));
  const isForLateCalls = work.watch !== undefined && work.watch.carried.length > 0;
  return state === 'pending' && isWatched(work) && isForLateCalls && isLeaving ? 'watched' : undefined;
}

/** `failed`: nothing came of it at all. */
export function finalState(items: readonly ItemResult[]): 'done' | 'failed' {
  const came = items.some(({ outcome }) => {
    return outcome !== 'not-saved' && outcome !== 'in-doubt' && outcome !== 'reworded';
  });
  return came || items.length === 0 ? 'done' : 'failed';
}
