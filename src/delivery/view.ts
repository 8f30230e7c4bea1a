import type { JournalEntry } from '../core/journal-entry.ts';
import type { ItemResult, Submission } from '../core/submission-result.ts';
import { isGrantOver, settle } from './work.ts';

/** What the person is told. A grant whose minute is over is not saved, even while its last answer is still unread. */
export function viewOf(entry: JournalEntry, now: number): Submission {
  const { work } = entry;
  const isOver = isGrantOver(entry.submittedAt, now);
  const shown =
    work !== undefined && isOver ? settle(work, (item) => item.outcome === 'in-progress', 'not-saved') : work;
  return {
    reference: entry.reference,
    center: entry.center,
    door: entry.door,
    state: entry.state,
    everything: entry.everything,
    items: shown?.items ?? entry.evidence?.items ?? [],
    receipts: entry.receipts,
    submittedAt: entry.submittedAt,
    doneAt: entry.doneAt,
    undoes: entry.undoes,
    undoneBy: entry.undoneBy,
    globalPrivacyControl: entry.globalPrivacyControl,
  };
}

/** `failed`: nothing came of it at all. */
export function finalState(items: readonly ItemResult[]): 'done' | 'failed' {
  const came = items.some((item) => item.outcome !== 'not-saved');
  return came || items.length === 0 ? 'done' : 'failed';
}
