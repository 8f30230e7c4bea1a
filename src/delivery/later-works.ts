import { askedBy, changesOf, granting, itemOf } from '../core/consent/last-word.ts';
import type { JournalEntry, Work } from '../core/model/journal-entry.ts';
import { isSettled, keyOf, lastCallMade, regrantedBy } from './work.ts';

/** What later submissions of the person in the same center switched on or chose again, and saw on record. */
export function regrantedAfter(entries: readonly JournalEntry[], entry: Place): readonly string[] {
  return worksAfter(entries, entry).flatMap(regrantedBy);
}

/** What such submissions have sent, and not seen on record yet. */
export function sentAfter(entries: readonly JournalEntry[], entry: Place): readonly string[] {
  return worksAfter(entries, entry).flatMap((work) =>
    changesOf(work).flatMap((change) => {
      const item = itemOf(work, change.purpose, granting);
      const isSent = item !== undefined && !isSettled(item) && lastCallMade(work, keyOf(item)) !== undefined;
      return isSent ? askedBy(change) : [];
    }),
  );
}

type Place = Pick<JournalEntry, 'reference' | 'center'>;

function worksAfter(entries: readonly JournalEntry[], { reference, center }: Place): readonly Work[] {
  const at = entries.findIndex((entry) => entry.reference === reference);
  const later = at === -1 ? [] : entries.slice(at + 1).filter((entry) => entry.center === center);
  return later.flatMap(({ work }) => work ?? []);
}
