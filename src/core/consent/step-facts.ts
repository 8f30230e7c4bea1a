import { has } from '../model/by-key.ts';
import { type ReadRecord, recordOf } from '../model/person/subject.ts';
import { updateOf } from '../model/submission/consent-update.ts';
import {
  askedBy,
  type Call,
  callsInDoubt,
  carriedBy,
  type DesiredItem,
  floorUnderway,
  isPurpose,
  isUnsettled,
  itemAt,
  itemsOf,
  keyOf,
  purposeOf,
  reaches,
} from './desired-state.ts';
import { doubtedGrant, grantedAt, takenOutAt } from './grant-history.ts';
import { isSingle } from './merge-set.ts';
import { isOn, type Standing, standing, standingOfPurpose } from './standing.ts';
import type { Draft } from './step-draft.ts';
import type { Facts } from './step-rows.ts';

/** The facts about each word of a center, by a reading. */
export function factsOf(draft: Draft, { subject, at }: ReadRecord): (item: DesiredItem) => Facts {
  const { center, desired, purposes, now, limits } = draft;
  const { everything } = center;
  const inDoubt = callsInDoubt(desired);
  return (item) => {
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
      record,
      whole,
      isInCenter: purposes.has(purpose),
      readAt: at,
      now,
      limits,
      asked,
      call,
      isRefused: call?.answer !== undefined && has(call.answer.refused, purpose),
      isCarried: inDoubt.some((each) => {
        const until = (item.seen ?? Number.POSITIVE_INFINITY) + limits.lag;
        return each.at < until && has(carriedBy(each), item.key);
      }),
      isDoubtful: inDoubt.length > 0,
      grantedAt: newestGrant,
      isGrantSure: desired.centers.some((each) => {
        const granted = itemAt(each, item.key)?.granted;
        return granted?.isSure === true && granted.order === newestGrant;
      }),
      doubted: doubtedGrant(center, item.key)?.order,
      isLeftOutSince: center.calls.some(({ order, update }) => {
        const isCarrying = update !== undefined && updateOf(update, purpose) !== undefined;
        return call !== undefined && order > call.order && !isCarrying;
      }),
      isSaidSince: isSaidSince(draft, item),
      takenOut,
      isTakingOut: inDoubt.some(({ order }) => order === takenOut),
      isFloorOpen: everything?.phase === 'open' && item.order <= everything.order,
      isHeldUp: purpose !== '' && isHeldUp(draft, item.order, purpose),
      isPurposeOff: isPurposeOff(draft, item.key, whole),
      isPurposeAsked: isPurposeAsked(draft, purpose),
      isSwapped: isSwapped(draft, item),
      schema: schemaFor(draft, asked?.form?.revision, asked?.form?.at ?? item.at),
    };
  };
}

/**
 * True if an older withdrawal of the purpose is unfinished, in any center: two centers may share one consent.
 */
export function isHeldUp({ desired, center: own }: Draft, order: number, purpose: string): boolean {
  return desired.centers.some((center) => {
    const floor = floorUnderway(center);
    const word = itemAt(center, keyOf.purpose(purpose));
    if (word?.want === 'off' && isUnsettled(word) && word.order < order) return true;
    if (floor === undefined || floor.order > order) return false;
    // If the DELETE of this center was answered, purposes that stayed on have withdrawals of their own. The
    // DELETE of another center must be read back first: its reading would take a newer grant for a purpose
    // that stayed on.
    const isAwaited =
      floor.call === undefined || callsInDoubt(desired).some((each) => each.order === floor.call);
    return center === own ? isAwaited : reaches(floor, purpose);
  });
}

/**
 * True if a newer word in another center says the opposite: two centers may share one consent. A renewal only
 * agrees to a purpose that is on: it does not count while an older call in doubt may have switched the
 * purpose on.
 */
function isSaidSince({ desired, center: own, limits }: Draft, item: DesiredItem): boolean {
  const { key, order, want, seen = 0 } = item;
  return desired.centers.some((center) => {
    const word = itemAt(center, key);
    if (word === undefined || word.order <= order || word.want === want || word.phase === 'over')
      return false;
    // A failed grant is off, too, and withdraws nothing.
    if (isPurpose(key) && word.want === 'off' && (word.withdrawn ?? 0) < word.order) return false;
    // The other center has another record if the key was seen off here a lag after it was granted there, or
    // if it was never on record there and was on record here a lag before.
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
 * The state of the schema for a grant. A grant holds only for the words that were shown: its schema must be
 * read after the form was shown, and lately.
 */
function schemaFor(
  { known, now, limits }: Draft,
  revision: string | undefined,
  shownAt: number,
): Facts['schema'] {
  const { schema } = known;
  if (typeof schema === 'string') return schema;
  if (schema === undefined || schema.readAt < shownAt || now - schema.readAt >= limits.schemaFresh)
    return 'stale';
  return revision !== undefined && schema.center.revision !== revision ? 'reworded' : 'fresh';
}
