import type { JournalEntry } from '../model/submission/journal-entry.ts';
import { type ItemResult, itemsAbout, type Submission } from '../model/submission/submission.ts';
import type { SubmissionEntry, SubmissionWork } from './person.ts';
import { type Kept, type Told, told } from './told.ts';
import { recordBefore } from './undo.ts';

/** A kept submission in the form in which a person, or the staff, reads it. */
export function viewOf(entry: SubmissionEntry, now: number): Submission {
  const { work, evidence, dueAt: _, ...columns } = entry;
  const view = work && told(keptIn(entry, work), work.desired, now);
  const ended = work === undefined ? evidence?.ended : undefined;
  const noted = work?.progress.lines ?? ended?.items;
  return {
    ...columns,
    // Without its work a submission is shown by its evidence alone: the columns have no digest.
    doneAt: ended?.endedAt ?? columns.doneAt,
    state: view?.state ?? ended?.state ?? columns.state,
    items: view === undefined ? (ended?.items ?? []) : itemsOf(view),
    receipts:
      noted === undefined ? columns.receipts : [...new Set(noted.flatMap(({ receipt }) => receipt ?? []))],
    aftermath: view === undefined ? ended?.aftermath : view.aftermath,
  };
}

/** The items of a submission. A side effect on a purpose is left out if an item names it already. */
export function itemsOf({ items }: Told): readonly ItemResult[] {
  return items.filter((item) => {
    const named = itemsAbout(items, item.id).find(({ outcome }) => outcome === item.outcome);
    return item.change !== 'keep' || named === item;
  });
}

/** A submission in the form in which the staff read it. `now` in epoch milliseconds. */
export function journalEntryOf(entry: SubmissionEntry, now: number): JournalEntry {
  const { work, evidence, dueAt = now } = entry;
  const { items, aftermath: _, ...view } = viewOf(entry, now);
  return {
    ...view,
    evidence,
    dueAt,
    work: work && {
      request: work.request,
      before: recordBefore({ intent: work.request.intent, lines: work.progress.lines }),
      items,
      calls: work.progress.calls,
      attempts: work.tries?.attempts ?? 0,
      problem: work.tries?.problem,
    },
  };
}

/** Returns undefined if the work of the submission is not kept any more. */
export function keptOf(entry: SubmissionEntry): Kept | undefined {
  return entry.work && keptIn(entry, entry.work);
}

function keptIn({ reference, center }: SubmissionEntry, { request, progress }: SubmissionWork): Kept {
  return { reference, center, intent: request.intent, lines: progress.lines };
}
