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

/** A bounded submission: it only withdraws. `reach`: what its center offers now. */
type Again = Pick<Asked, 'isOneClick' | 'isObjection'> &
  Pick<DesiredEverything, 'reach'> & { readonly intent: Intent };

/**
 * The center after a submission that says what an earlier one (`by`) said; undefined: it says more. Calls and readings
 * from before it prove nothing for it: the purpose may have been granted elsewhere since.
 */
export function sayAgain(
  desired: DesiredState,
  center: DesiredCenter,
  again: Again,
  { order, now, limits }: { readonly order: number; readonly now: number; readonly limits: Limits },
): { readonly center: DesiredCenter; readonly by: string } | undefined {
  if (isGrantedElsewhere(desired, center, again)) return undefined;
  const { intent, isOneClick, isObjection, reach } = again;
  const { everything, items } = center;
  if (intent.everything === 'withdraw') {
    if (everything === undefined) return undefined;
    const isGrantedSince = items.some((item) => item.want === 'on' && item.order > everything.order);
    if (isGrantedSince) return undefined;
    // Mailbox providers may send one click twice: one more reading is enough.
    const isSame = isOneClick && everything.phase !== 'open' && now - everything.at < limits.lag;
    const phase = isSame ? 'sent' : 'open';
    const { by } = everything;
    const floor = { by, reach, phase, order, at: now } as const;
    const kept = items.map((item): DesiredItem => {
      return item.by === by && item.want === 'off' ? { ...item, isSaidAgain: true } : item;
    });
    return { by, center: { ...center, items: kept, everything: floor } };
  }
  const keys = new Set(intent.purposes.flatMap(keysOff));
  // A word can be off without a withdrawal, such as a failed grant: there is nothing to repeat.
  const said = new Set(
    items.filter((item) => {
      const { key, want, phase, withdrawn, order: saidIn } = item;
      const isSaid = keys.has(key) && want === 'off' && phase !== 'over' && withdrawn === saidIn;
      return isSaid && (isObjection || !isByObjection(center, item));
    }),
  );
  const by = [...said][0]?.by;
  if (by === undefined || said.size < keys.size) return undefined;
  const repeated = items.map((item): DesiredItem => {
    if (!said.has(item)) return item;
    const { call: _, seen: __, seenAs: ___, ...word } = item;
    // `sent` stays: if the next reading shows off, the earlier call did it; if on, the word is sent again.
    const phase = item.phase === 'sent' ? 'sent' : 'open';
    return { ...word, at: now, order, phase, withdrawn: order, isSaidAgain: true };
  });
  return { by, center: { ...center, items: repeated } };
}

/** Another center has a grant that this withdrawal must end, and the one before it did not: it is no repetition. */
function isGrantedElsewhere(
  { centers }: DesiredState,
  { center: own, everything, items }: DesiredCenter,
  { intent, reach }: Again,
): boolean {
  const isAll = intent.everything === 'withdraw';
  const keys = new Set(intent.purposes.flatMap(keysOff));
  const words = items.filter(({ key, want }) => keys.has(key) && want === 'off');
  const since = isAll ? (everything?.order ?? 0) : Math.min(...words.map(({ order }) => order));
  // The center may offer more than at the time of the one before.
  const isNew = (purpose: string) =>
    isAll && everything !== undefined && reaches({ reach }, purpose) && !reaches(everything, purpose);
  return centers.some(
    ({ center, items: others }) =>
      center !== own &&
      others.some(({ key, want, phase, order }) => {
        const purpose = purposeOf(key);
        const isAsked = isAll ? purpose !== undefined : keys.has(key);
        const isLater = order > since || isNew(purpose ?? '');
        return isAsked && want === 'on' && phase !== 'over' && isLater;
      }),
  );
}

/** An objection leaves on what the person agreed to: no other withdrawal may count as said by it. */
export function isByObjection(center: DesiredCenter, { by }: DesiredItem): boolean {
  return askedBy(center, by)?.isObjection === true;
}
