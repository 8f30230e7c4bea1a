import type { JournalEntry } from '../model/submission/journal-entry.ts';
import type { SubmissionEntry } from './person.ts';
import { viewOf } from './submission-view.ts';
import { recordBefore } from './undo.ts';

/** A submission as the staff reads it. `now` in epoch milliseconds. */
export function journalEntryOf(entry: SubmissionEntry, now: number): JournalEntry {
  const { work } = entry;
  const view = viewOf(entry, now);
  return {
    ...entry,
    state: view.state,
    doneAt: view.doneAt,
    dueAt: entry.dueAt ?? now,
    receipts: view.receipts,
    work: work && {
      request: work.request,
      before: recordBefore({ intent: work.request.intent, lines: work.progress.lines }),
      items: view.items,
      calls: work.progress.calls,
      attempts: work.tries?.attempts ?? 0,
      problem: work.tries?.problem,
    },
  };
}
