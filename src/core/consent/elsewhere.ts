import type { ConsentRecord, Subject } from '../model/person/subject.ts';
import type { ItemResult, Submission } from '../model/submission/submission.ts';
import { consentStatus, isShownOn } from './status.ts';

/** The state in which a person's submissions left each purpose; `unclear`: not certain yet. */
export type LeftAs = Map<string, 'on' | 'off' | 'unclear'>;

/** A reading may not show a submission that ended less than this time ago. Milliseconds. */
const settlesIn = 60_000;
const anyPurpose = '';

/** Adds submissions to `left`, newest first: only the newest one about a purpose counts. */
export function noteLeft(left: LeftAs, newestFirst: readonly Submission[], now: number): void {
  for (const { items, everything, state, doneAt } of newestFirst) {
    const isSettled = state !== 'pending' && now - (doneAt ?? now) >= settlesIn;
    if (everything && !isSettled) left.set(anyPurpose, 'unclear');
    for (const item of items) {
      if (item.what === 'purpose' && !left.has(item.id))
        left.set(item.id, isSettled ? leftBy(item) : 'unclear');
    }
  }
}

function leftBy({ change, outcome }: ItemResult): 'on' | 'off' | 'unclear' {
  if (outcome === 'withdrawn-elsewhere') return 'off';
  if (outcome !== 'saved' && outcome !== 'unchanged') return 'unclear';
  return change === 'off' ? 'off' : 'on';
}

/**
 * Records that differ from what the person's submissions left: changed elsewhere, or before the first
 * submission.
 */
export function knownFromElsewhere({ purposes }: Pick<Subject, 'purposes'>, left: LeftAs) {
  return purposes.filter((record: ConsentRecord) => {
    const as = left.get(record.purpose) ?? left.get(anyPurpose);
    if (as === undefined) return record.status !== 'no-consent';
    const isOn = isShownOn(consentStatus(undefined, record));
    const isOver = record.status === 'off' || record.status === 'hard-opt-out';
    return (as === 'on' && isOver) || (as === 'off' && isOn && record.status !== 'always-active');
  });
}
