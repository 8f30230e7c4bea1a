import { has } from '../model/by-key.ts';
import { updateOf } from '../model/consent-update.ts';
import type { ReadRecord } from '../model/subject.ts';
import { recordOf } from '../model/subject.ts';
import {
  askedBy,
  callsInDoubt,
  carriedBy,
  type DesiredItem,
  doubtedGrant,
  grantedAt,
  isPurpose,
  isUnsettled,
  itemAt,
  keyOf,
  purposeOf,
  takenOutAt,
} from './desired-state.ts';
import { isOn, standing, standingOfPurpose } from './standing.ts';
import type { Draft } from './step-draft.ts';
import type { Facts } from './step-rows.ts';

/** What is known about each word of a center, by a reading. */
export function factsOf(draft: Draft, { subject, at }: ReadRecord): (item: DesiredItem) => Facts {
  const { center, desired, purposes, now, limits } = draft;
  const inDoubt = callsInDoubt(desired);
  const carried = new Set(inDoubt.flatMap(carriedBy));
  const calls = new Map(center.calls.map((call) => [call.order, call]));
  return (item) => {
    const purpose = purposeOf(item.key);
    const call = item.call === undefined ? undefined : calls.get(item.call);
    const asked = askedBy(center, item.by);
    const { everything } = center;
    const takenOut = takenOutAt(item, everything);
    return {
      item,
      stands: standing(item, subject, purposes),
      record: purpose === undefined ? undefined : recordOf(subject, purpose),
      whole:
        purpose === undefined
          ? undefined
          : standingOfPurpose(recordOf(subject, purpose), purposes.get(purpose)),
      isInCenter: purpose !== undefined && purposes.has(purpose),
      readAt: at,
      now,
      limits,
      asked,
      call,
      isRefused: purpose !== undefined && call?.answer !== undefined && has(call.answer.refused, purpose),
      isCarried: carried.has(item.key),
      isDoubtful: inDoubt.length > 0,
      grantedAt: grantedAt(desired, item.key),
      isGrantSure: desired.centers.some((each) => itemAt(each, item.key)?.granted?.isSure === true),
      doubted: doubtedGrant(center, item.key)?.order,
      isLeftOutSince: center.calls.some(({ order, update }) => {
        const isCarrying = update !== undefined && updateOf(update, purpose ?? '') !== undefined;
        return order > (item.call ?? order) && !isCarrying;
      }),
      isSaidSince: isSaidSince(draft, item),
      takenOut,
      isTakingOut: calls.has(takenOut) && calls.get(takenOut)?.answer === undefined,
      isFloorOpen: everything?.phase === 'open' && item.order <= everything.order,
      isHeldUp: purpose !== undefined && isHeldUp(draft, item, purpose),
      isPurposeOff: isPurposeOff(draft, item, subject),
      isPurposeAsked: isPurposeAsked(draft, purpose),
      schema: schemaFor(draft, asked?.form?.revision, asked?.form?.at ?? item.at),
      refusals: draft.known.refusals,
    };
  };
}

/** One purpose in two centers may be one consent: an older withdrawal of it comes first, wherever it waits. */
function isHeldUp({ desired, center: own }: Draft, { order }: DesiredItem, purpose: string): boolean {
  return desired.centers.some((center) => {
    const { everything } = center;
    const word = itemAt(center, keyOf.purpose(purpose));
    if (word?.want === 'off' && isUnsettled(word) && word.order < order) return true;
    if (everything === undefined || everything.phase === 'verified' || everything.order > order) return false;
    // Its call was answered: what is not off by it has a word of its own.
    const call = center.calls.find((each) => each.order === everything.call);
    const isAnswered = everything.call !== undefined && (call === undefined || call.answer !== undefined);
    if (everything.phase === 'sent' && isAnswered) return false;
    return center === own || everything.reach === undefined || has(everything.reach, purpose);
  });
}

/** In another center: of one consent that is the last word. */
function isSaidSince({ desired, center: own }: Draft, { key, order, want }: DesiredItem): boolean {
  return desired.centers.some((center) => {
    const word = center === own ? undefined : itemAt(center, key);
    return word !== undefined && word.order > order && word.want !== want && word.phase !== 'over';
  });
}

function isPurposeOff(
  { center, purposes }: Draft,
  { key }: DesiredItem,
  subject: ReadRecord['subject'],
): boolean {
  const purpose = purposeOf(key);
  if (purpose === undefined || isPurpose(key)) return false;
  const whole = keyOf.purpose(purpose);
  const word = itemAt(center, whole);
  if (word?.want === 'on' && word.phase !== 'over') return false;
  const stands = standing({ key: whole, want: 'on' }, subject, purposes);
  return !isOn(stands) && stands !== 'assumed';
}

function isPurposeAsked({ center }: Draft, purpose: string | undefined): boolean {
  const word = purpose === undefined ? undefined : itemAt(center, keyOf.purpose(purpose));
  return word?.want === 'on' && (word.phase === 'open' || word.phase === 'sent');
}

/** A grant is for the words that were shown: read after its form was shown, and a moment ago. */
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
