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
import { isOn, standing, standingOfPurpose } from './standing.ts';
import type { Draft } from './step-draft.ts';
import type { Facts } from './step-rows.ts';

/** The facts about each word of a center, by a reading. */
export function factsOf(draft: Draft, { subject, at }: ReadRecord): (item: DesiredItem) => Facts {
  const { center, desired, purposes, now, limits } = draft;
  const inDoubt = callsInDoubt(desired);
  const carried = new Set(inDoubt.flatMap(carriedBy));
  const calls = new Map(center.calls.map((call) => [call.order, call]));
  return (item) => {
    const purpose = purposeOf(item.key);
    const record = recordOf(subject, purpose);
    const call = item.call === undefined ? undefined : calls.get(item.call);
    const asked = askedBy(center, item.by);
    const newestGrant = grantedAt(desired, item.key);
    const { everything } = center;
    const takenOut = takenOutAt(item, everything);
    return {
      item,
      stands: standing(item, subject, purposes),
      record,
      whole: purpose === '' ? undefined : standingOfPurpose(record, purposes.get(purpose)),
      isInCenter: purposes.has(purpose),
      readAt: at,
      now,
      limits,
      asked,
      call,
      isRefused: call?.answer !== undefined && has(call.answer.refused, purpose),
      isCarried:
        carried.has(item.key) &&
        inDoubt.some((each) => {
          const isLater = item.seen !== undefined && each.at >= item.seen + limits.lag;
          return !isLater && has(carriedBy(each), item.key);
        }),
      isDoubtful: inDoubt.length > 0,
      grantedAt: newestGrant,
      isGrantSure: desired.centers.some((each) => {
        const { isSure, order } = itemAt(each, item.key)?.granted ?? {};
        return isSure === true && order === newestGrant;
      }),
      doubted: doubtedGrant(center, item.key)?.order,
      isLeftOutSince: center.calls.some(({ order, update }) => {
        const isCarrying = update !== undefined && updateOf(update, purpose ?? '') !== undefined;
        return order > (item.call ?? order) && !isCarrying;
      }),
      isSaidSince: isSaidSince(draft, item),
      takenOut,
      isTakingOut: calls.has(takenOut) && calls.get(takenOut)?.answer === undefined,
      isFloorOpen: everything?.phase === 'open' && item.order <= everything.order,
      isHeldUp: purpose !== '' && isHeldUp(draft, item.order, purpose),
      isPurposeOff: isPurposeOff(draft, item, subject),
      isPurposeAsked: isPurposeAsked(draft, purpose),
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
    const call = center.calls.find((each) => each.order === floor.call);
    const isAnswered = floor.call !== undefined && (call === undefined || call.answer !== undefined);
    if (center === own && floor.phase === 'sent' && isAnswered) return false;
    return center === own || reaches(floor, purpose);
  });
}

/**
 * A newer word in another center says the opposite: two centers may share one consent. A renewal only agrees to what is
 * on: it does not count while an older call in doubt may have switched the purpose on.
 */
function isSaidSince({ desired, center: own, limits }: Draft, item: DesiredItem): boolean {
  const { key, order, want, seen = 0 } = item;
  return desired.centers.some((center) => {
    const word = center === own ? undefined : itemAt(center, key);
    if (word === undefined || word.order < order || word.want === want || word.phase === 'over') return false;
    // A failed grant is off, too, and withdraws nothing.
    if (isPurpose(key) && word.want === 'off' && (word.withdrawn ?? 0) < word.order) return false;
    // Another record: seen off here a lag after it was granted there, or never on record there, and here a lag before.
    const isMissing = word.before === null && has(own.known, purposeOf(key));
    if (want === 'off' && isMissing && word.at >= own.lookedAt + limits.lag) return false;
    if (want === 'off' && seen >= (word.granted?.at ?? Number.POSITIVE_INFINITY) + limits.lag) return false;
    const isOlder = (call: Call) => call.order < word.order && has(carriedBy(call), key);
    return word.renews !== true || !callsInDoubt(desired).some(isOlder);
  });
}

function isPurposeOff(
  { center, purposes }: Draft,
  { key }: DesiredItem,
  subject: ReadRecord['subject'],
): boolean {
  const purpose = purposeOf(key);
  if (purpose === '' || isPurpose(key)) return false;
  const whole = keyOf.purpose(purpose);
  const word = itemAt(center, whole);
  if (word?.want === 'on' && word.phase !== 'over') return false;
  const stands = standing({ key: whole, want: 'on' }, subject, purposes);
  return !isOn(stands) && stands !== 'assumed';
}

function isPurposeAsked({ center }: Draft, purpose: string): boolean {
  const word = itemAt(center, keyOf.purpose(purpose));
  return word?.want === 'on' && isUnsettled(word);
}

function isSwapped({ center, purposes }: Draft, { key, by }: DesiredItem): boolean {
  const [kind, purpose = '', preference = ''] = key.split(' ');
  if (kind !== 'option' || !isSingle(purposes.get(purpose), preference)) return false;
  const others = itemsOf(center, purpose).filter((each) => each.by === by && each.key !== key);
  return others.some((each) => each.key.startsWith(`option ${purpose} ${preference} `));
}

/** A grant holds only for the words that were shown: its schema must be read after the form was shown, and lately. */
function schemaFor(
  { known, now, limits }: Draft,
  revision: string | undefined,
  shownAt: number,
): Facts['schema'] {
  const { schema } = known;
  if (schema === 'absent' || schema === 'gone') return schema;
  if (schema === undefined || schema.readAt < shownAt || now - schema.readAt >= limits.schemaFresh)
    return 'stale';
  return revision !== undefined && schema.center.revision !== revision ? 'reworded' : 'fresh';
}
