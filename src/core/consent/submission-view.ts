import type { EndedEvidence } from '../model/evidence/evidence.ts';
import { type ItemResult, itemsAbout, type Submission } from '../model/submission/submission.ts';
import type { SubmissionEntry } from './person.ts';
import { type Kept, type Told, told } from './told.ts';

/** A kept submission as the person, or the staff, is told of it. */
export function viewOf(entry: SubmissionEntry, now: number): Submission {
  const { reference, center, channel, state, everything, receipts, submittedAt, doneAt, work } = entry;
  const { undoes, undoneBy, globalPrivacyControl } = entry;
  const kept = keptOf(entry);
  const view = kept && work && told(kept, work.desired, now);
  const ended = work === undefined ? entry.evidence?.ended : undefined;
  return {
    ...{ reference, center, channel, everything, submittedAt },
    ...{ undoes, undoneBy, globalPrivacyControl },
    // Without its work a submission is told by its evidence alone: the columns have no digest.
    doneAt: ended?.endedAt ?? doneAt,
    state: view?.state ?? ended?.state ?? state,
    items: view === undefined ? (ended?.items ?? []) : itemsOf(view),
    receipts:
      work === undefined
        ? (receiptsOf(ended) ?? receipts)
        : [...new Set(work.progress.lines.flatMap(({ receipt }) => receipt ?? []))],
    aftermath: view === undefined ? ended?.aftermath : view.aftermath,
  };
}

function receiptsOf(ended: EndedEvidence | undefined): readonly string[] | undefined {
  return ended && [...new Set(ended.items.flatMap(({ receipt }) => receipt ?? []))];
}

/** A purpose beside what was asked is left out where an item names it already. */
export function itemsOf({ items }: Told): readonly ItemResult[] {
  return items.filter((item) => {
    const named = itemsAbout(items, item.id).find(({ outcome }) => outcome === item.outcome);
    return item.change !== 'keep' || named === item;
  });
}

/** undefined if what was asked is not kept any more. */
export function keptOf({ reference, center, work }: SubmissionEntry): Kept | undefined {
  return work && { reference, center, intent: work.request.intent, lines: work.progress.lines };
}
