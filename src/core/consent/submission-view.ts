import { type ItemResult, itemsAbout, type Submission } from '../model/submission/submission.ts';
import type { SubmissionEntry, SubmissionWork } from './person.ts';
import { type Kept, type Told, told } from './told.ts';

/** A kept submission as the person, or the staff, is told of it. */
export function viewOf(entry: SubmissionEntry, now: number): Submission {
  const { reference, center, channel, state, everything, receipts, submittedAt, doneAt, work } = entry;
  const { undoes, undoneBy, globalPrivacyControl } = entry;
  const view = work && told(keptIn(entry, work), work.desired, now);
  const ended = work === undefined ? entry.evidence?.ended : undefined;
  const noted = work?.progress.lines ?? ended?.items;
  return {
    reference,
    center,
    channel,
    everything,
    submittedAt,
    undoes,
    undoneBy,
    globalPrivacyControl,
    // Without its work a submission is told by its evidence alone: the columns have no digest.
    doneAt: ended?.endedAt ?? doneAt,
    state: view?.state ?? ended?.state ?? state,
    items: view === undefined ? (ended?.items ?? []) : itemsOf(view),
    receipts: noted === undefined ? receipts : [...new Set(noted.flatMap(({ receipt }) => receipt ?? []))],
    aftermath: view === undefined ? ended?.aftermath : view.aftermath,
  };
}

/** A purpose beside what was asked is left out where an item names it already. */
export function itemsOf({ items }: Told): readonly ItemResult[] {
  return items.filter((item) => {
    const named = itemsAbout(items, item.id).find(({ outcome }) => outcome === item.outcome);
    return item.change !== 'keep' || named === item;
  });
}

/** undefined if what was asked is not kept any more. */
export function keptOf(entry: SubmissionEntry): Kept | undefined {
  return entry.work && keptIn(entry, entry.work);
}

function keptIn({ reference, center }: SubmissionEntry, { request, progress }: SubmissionWork): Kept {
  return { reference, center, intent: request.intent, lines: progress.lines };
}
