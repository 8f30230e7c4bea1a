import { has } from '../model/by-key.ts';
import { type ReadRecord, recordOf } from '../model/person/subject.ts';
import { updateOf } from '../model/submission/consent-update.ts';
import {
  askedBy,
  type Call,
  callsInDoubt,
  carriedBy,
  type DesiredItem,
  doubtedGrant,
  floorUnderway,
  grantedAt,
  isPurpose,
  isUnsettled,
  itemAt,
  itemsOf,
  keyOf,
  purposeOf,
  reaches,
  takenOutAt,
} from './desired-state.ts';
import { isSingle } from './merge-set.ts';
import { isOn, type Standing, standing, standingOfPurpose } from './standing.ts';
import type { Draft } from './step-draft.ts';

/** One word, and the facts about its key: the input of a row. */
export type Facts = Readonly<ReturnType<ReturnType<typeof factsOf>>>;

/** The facts about each word of a center, by a reading. */
export function factsOf(draft: Draft, { subject, at }: ReadRecord) {
  const { center, desired, purposes, now, limits } = draft;
  const { everything } = center;
  const inDoubt = callsInDoubt(desired);
  return (item: DesiredItem) => {
    const purpose = purposeOf(item.key);
    const record = recordOf(subject, purpose);
    const call = center.calls.find(({ order }) => order === item.call);
    const whole = standingOfPurpose(record, purposes.get(purpose));
    const asked = askedBy(center, item.by);
    const newestGrant = grantedAt(desired, item.key);
    const takenOut = takenOutAt(item, everything);
    return {
      item,
      stands: standing(item, subject, purposes),
      /** Standing of the purpose that the key names or belongs to; "absent" for a value. */
      whole,
      record,
      isInCenter: purposes.has(purpose),
      /** When the reading was asked for. */
      readAt: at,
      now,
      limits,
      asked,
      /** The call that was made for the word, as long as it is kept. */
      call,
      isRefused: call?.answer !== undefined && has(call.answer.refused, purpose),
      /**
       * A call in doubt carries the key, and may still switch it on. A call of a lag after it was seen off carries what
       * was granted elsewhere since.
       */
      isCarried: inDoubt.some((each) => {
        const until = (item.seen ?? Number.POSITIVE_INFINITY) + limits.lag;
        return each.at < until && has(carriedBy(each), item.key);
      }),
      /** Any call of the person is in doubt. */
      isDoubtful: inDoubt.length > 0,
      /** Order of the newest evidence that a grant of the key landed; Infinity while one may still land. */
      grantedAt: newestGrant,
      /** That grant was answered or seen, and none may still land. */
      isGrantSure: desired.centers.some((each) => {
        const granted = itemAt(each, item.key)?.granted;
        return granted?.isSure === true && granted.order === newestGrant;
      }),
      /** Order of the call in doubt that may still grant the key. */
      doubted: doubtedGrant(center, item.key)?.order,
      /** A later call of ours left the purpose out, and may have removed it. */
      isLeftOutSince: center.calls.some(({ order, update }) => {
        const isCarrying = update !== undefined && updateOf(update, purpose) !== undefined;
        return call !== undefined && order > call.order && !isCarrying;
      }),
      /** The person said the opposite in another center since. */
      isSaidSince: isSaidSince(draft, item),
      /** Order of our last call that removed the key; 0: none did. */
      takenOut,
      /** That call is in doubt: the key may be off by it, or by a withdrawal elsewhere. */
      isTakingOut: inDoubt.some(({ order }) => order === takenOut),
      /** "Everything" of the center is to be withdrawn, and its DELETE is not made yet. */
      isFloorOpen: everything?.phase === 'open' && item.order <= everything.order,
      /** An older withdrawal of the same purpose is unfinished. */
      isHeldUp: purpose !== '' && isHeldUp(draft, item.order, purpose),
      /** The key is a choice of a purpose that is off and not being granted. */
      isPurposeOff: isPurposeOff(draft, item.key, whole),
      /** The key's purpose is being granted. */
      isPurposeAsked: isPurposeAsked(draft, purpose),
      /** The key is a single choice that another one was to replace. */
      isSwapped: isSwapped(draft, item),
      schema: schemaFor(draft, asked?.form?.revision, asked?.form?.at ?? item.at),
    };
  };
}

/** An older withdrawal of the purpose is unfinished, in any center: two centers may share one consent. */
export function isHeldUp({ desired, center: own }: Draft, order: number, purpose: string): boolean {
  return desired.centers.some((center) => {
    const floor = floorUnderway(center);
    const word = itemAt(center, keyOf.purpose(purpose));
    if (word?.want === 'off' && isUnsettled(word) && word.order < order) return true;
    if (floor === undefined || floor.order > order) return false;
    // The DELETE of this center was answered: purposes that stayed on have withdrawals of their own. One of another center
    // must be read back first: its reading would take a newer grant for a purpose that stayed on.
    const isAwaited =
      floor.call === undefined || callsInDoubt(desired).some((each) => each.order === floor.call);
    return center === own ? isAwaited : reaches(floor, purpose);
  });
}

/**
 * A newer word in another center says the opposite: two centers may share one consent. A renewal only agrees to what is
 * on: it does not count while an older call in doubt may have switched the purpose on.
 */
function isSaidSince({ desired, center: own, limits }: Draft, item: DesiredItem): boolean {
  const { key, order, want, seen = 0 } = item;
  return desired.centers.some((center) => {
    const word = itemAt(center, key);
    if (word === undefined || word.order <= order || word.want === want || word.phase === 'over')
      return false;
    // A failed grant is off, too, and withdraws nothing.
    if (isPurpose(key) && word.want === 'off' && (word.withdrawn ?? 0) < word.order) return false;
    // Another record: seen off here a lag after it was granted there, or never on record there, and here a lag before.
    const isMissing = word.before === null && has(own.known, purposeOf(key));
    if (want === 'off' && isMissing && word.at >= own.lookedAt + limits.lag) return false;
    if (want === 'off' && seen >= (word.granted?.at ?? Number.POSITIVE_INFINITY) + limits.lag) return false;
    const isOlder = (call: Call) => call.order <= word.order && has(carriedBy(call), key);
    return word.renews !== true || !callsInDoubt(desired).some(isOlder);
  });
}

function isPurposeOff({ center }: Draft, key: string, stands: Standing): boolean {
  const purpose = purposeOf(key);
  if (purpose === '' || isPurpose(key)) return false;
  const word = itemAt(center, keyOf.purpose(purpose));
  if (word?.want === 'on' && word.phase !== 'over') return false;
  return !isOn(stands) && stands !== 'on-by-default';
}

function isPurposeAsked({ center }: Draft, purpose: string): boolean {
  const word = itemAt(center, keyOf.purpose(purpose));
  return word?.want === 'on' && isUnsettled(word);
}

function isSwapped({ center, purposes }: Draft, { key, by }: DesiredItem): boolean {
  const purpose = purposeOf(key);
  const end = key.lastIndexOf(' ');
  const preference = key.slice(`option ${purpose} `.length, end);
  const others = itemsOf(center, purpose).filter((each) => each.by === by && each.key !== key);
  const isOther = (each: DesiredItem) => each.key.startsWith(key.slice(0, end + 1));
  return isSingle(purposes.get(purpose), preference) && others.some(isOther);
}

/**
 * A grant holds only for the words that were shown: its schema must be read after the form was shown, and lately.
 * `stale`: too old for a grant. `absent`: could not be read. `gone`: the platform has no such center.
 */
function schemaFor(
  { known, now, limits }: Draft,
  revision: string | undefined,
  shownAt: number,
): 'fresh' | 'reworded' | 'stale' | 'absent' | 'gone' {
  const { schema } = known;
  if (typeof schema === 'string') return schema;
  if (schema === undefined || schema.readAt < shownAt || now - schema.readAt >= limits.schemaFresh)
    return 'stale';
  return revision !== undefined && schema.center.revision !== revision ? 'reworded' : 'fresh';
}
