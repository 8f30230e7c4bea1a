import { granting, itemOf } from '../core/consent/last-word.ts';
import { has } from '../core/model/by-key.ts';
import type { PurposeChange } from '../core/model/intent.ts';
import type { JournalEntry, Work } from '../core/model/journal-entry.ts';
import type { Underway } from '../core/model/underway.ts';
import { isGrantOver, isLeaving, takenBackBy } from './work.ts';

/** Of a person's pending entries in one center, in the order of submission. */
export function underwayOf(
  entries: readonly Pick<JournalEntry, 'work' | 'submittedAt'>[],
  now: number,
): Underway {
  const changes = new Map<string, PurposeChange[]>();
  let everything: Underway['everything'];
  for (const { work, submittedAt } of entries) {
    if (work === undefined) continue;
    const takenBefore = new Set(changes.keys());
    if (isLeaving(work)) {
      changes.clear();
      everything = { but: work.superseded };
    }
    for (const change of takenBackBy(work)) {
      const { kind, purpose } = change;
      if (kind === 'off' && has(work.superseded, purpose)) continue;
      changes.set(purpose, kind === 'off' ? [change] : [...(changes.get(purpose) ?? []), change]);
    }
    if (isGrantOver(submittedAt, now)) continue;
    for (const change of grantsIn(work)) {
      const { kind, purpose } = change;
      const isTaken = takenBefore.has(purpose);
      if (kind === 'on' && (isTaken || everything !== undefined)) changes.set(purpose, [change]);
      else if (isTaken) changes.get(purpose)?.push(change);
    }
  }
  return { changes: [...changes.values()].flat(), everything };
}

function grantsIn(work: Work): readonly PurposeChange[] {
  return work.request.intent.purposes.filter(
    ({ purpose }) => itemOf(work, purpose, granting)?.outcome === 'in-progress',
  );
}
