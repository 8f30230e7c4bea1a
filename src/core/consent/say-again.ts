import type { Intent } from '../model/submission/intent.ts';
import { keysOff } from './change-keys.ts';
import {
  type Asked,
  askedBy,
  type DesiredCenter,
  type DesiredEverything,
  type DesiredItem,
  type DesiredState,
  type Limits,
  purposeOf,
  reaches,
} from './desired-state.ts';

/** A bounded submission: it only withdraws. `reach`: the purposes that its center offers now. */
type Again = Pick<Asked, 'isOneClick' | 'isObjection'> &
  Pick<DesiredEverything, 'reach'> & { readonly intent: Intent };

interface SaidAt {
  readonly order: number;
  readonly now: number;
  readonly limits: Limits;
}

/**
 * Returns the effect of a submission that says only what an earlier one, `by`, said; undefined: it says more.
 * Calls and readings from before it prove nothing for it: the purpose may have been granted elsewhere since.
 */
export function sayEverythingAgain(
  desired: DesiredState,
  center: DesiredCenter,
  { isOneClick, reach }: Again,
  { order, now, limits }: SaidAt,
) {
  const { everything, items } = center;
  if (everything === undefined) return undefined;
  // The center may offer more purposes than at the time of the earlier submission.
  const isNew = (purpose: string) => reaches({ reach }, purpose) && !reaches(everything, purpose);
  if (isGranted(desired, (word) => word.order >= everything.order || isNew(purposeOf(word.key))))
    return undefined;
  // Mailbox providers may send one click twice: one more reading is enough.
  const isSame = isOneClick && everything.phase !== 'open' && now - everything.at < limits.lag;
  const { by } = everything;
  const floor = { by, reach, phase: isSame ? 'sent' : 'open', order, at: now } as const;
  const kept = items.map((item): DesiredItem => (item.by === by ? { ...item, isSaidAgain: true } : item));
  return { by, center: { ...center, items: kept, everything: floor } };
}

/** Returns the same for a submission that does not withdraw everything. */
export function sayWordsAgain(
  desired: DesiredState,
  center: DesiredCenter,
  { intent, isObjection }: Again,
  { order, now }: SaidAt,
) {
  const { items } = center;
  const keys = new Set(intent.purposes.flatMap(keysOff));
  // A word can be off without a withdrawal, such as a failed grant: then there is no withdrawal to repeat.
  const said = new Set(
    items.filter((item) => {
      const isSaid = keys.has(item.key) && item.phase !== 'over' && item.withdrawn === item.order;
      return isSaid && (isObjection || !isByObjection(center, item));
    }),
  );
  const [first] = said;
  if (first === undefined || said.size < keys.size) return undefined;
  const since = Math.min(...[...said].map((word) => word.order));
  if (isGranted(desired, (word) => keys.has(word.key) && word.order >= since)) return undefined;
  const repeated = items.map((item): DesiredItem => {
    if (!said.has(item)) return item;
    const { call: _, seen: __, seenAs: ___, ...word } = item;
    // `sent` stays: if the next reading shows off, the earlier call did it; if on, the word is sent again.
    const phase = item.phase === 'sent' ? 'sent' : 'open';
    return { ...word, at: now, order, phase, withdrawn: order, isSaidAgain: true };
  });
  return { by: first.by, center: { ...center, items: repeated } };
}

/**
 * True if a center has a grant that this withdrawal must end, and the earlier one did not: then it is no
 * repetition.
 */
function isGranted({ centers }: DesiredState, isMissed: (word: DesiredItem) => boolean): boolean {
  return centers.some(({ items }) =>
    items.some((word) => word.want === 'on' && word.phase !== 'over' && isMissed(word)),
  );
}

/**
 * True if an objection said the word. An objection leaves on the purposes that the person agreed to, so no
 * other withdrawal may count as said by it.
 */
export function isByObjection(center: DesiredCenter, { by }: DesiredItem): boolean {
  return askedBy(center, by)?.isObjection === true;
}
