import { has } from '../model/by-key.ts';
import type { ReadRecord } from '../model/person/subject.ts';
import { recordOf } from '../model/person/subject.ts';
import {
  askedBy,
  callsInDoubt,
  carriedBy,
  type DesiredItem,
  isNoWord,
  isUnsettled,
  itemAt,
  keyOf,
} from './desired-state.ts';
import { standingOfPurpose } from './standing.ts';
import { type Draft, withDesired, withWords } from './step-draft.ts';

/** True if "everything" needs no reading first: it came by one click, or the record cannot be read. */
export function mayWithdrawUnread({ center, known }: Draft): boolean {
  const { everything } = center;
  if (everything?.phase !== 'open' || known.observed !== undefined) return false;
  const isOneClick = askedBy(center, everything.by)?.isOneClick === true;
  return isOneClick || known.isUnreadable === true;
}

/**
 * Finds the purposes that "everything" withdraws. It is a floor: each purpose that a reading shows on becomes
 * a withdrawal of its own, unless the person spoke about it since. After "everything" is verified, only
 * purposes that an older call in doubt may have switched on are found.
 */
export function findEverything(draft: Draft, { subject }: ReadRecord): Draft {
  const { center, purposes } = draft;
  const { everything } = center;
  if (everything === undefined) return draft;
  const isDone = everything.phase === 'verified';
  const until = (everything.seen ?? Number.POSITIVE_INFINITY) + draft.limits.lag;
  // A later call carries purposes that were granted elsewhere since.
  const carried = callsInDoubt(draft.desired)
    .filter(({ at }) => at < until)
    .flatMap(carriedBy);
  const standsAt = (id: string) => standingOfPurpose(recordOf(subject, id), purposes.get(id));
  const recorded = subject.purposes.map(({ purpose }) => purpose);
  const found = [...recorded, ...purposes.keys()].filter((purpose) => {
    const key = keyOf.purpose(purpose);
    const word = itemAt(center, key);
    if (word !== undefined && (word.order > everything.order || isUnsettled(word))) return false;
    const stands = standsAt(purpose);
    // A locked purpose is already reported.
    if (word !== undefined && word.by === everything.by && stands !== 'on') return false;
    return isDone ? stands === 'on' && has(carried, key) : isToWithdraw(stands);
  });
  const { by, at, order, call } = everything;
  const beside = found.some((id) => standsAt(id) === 'locked-on') ? withdrawnBeside(draft, call) : [];
  const words = [...found, ...beside].map((purpose): DesiredItem => {
    const key = keyOf.purpose(purpose);
    const known = itemAt(center, key);
    const before = call === undefined ? (recordOf(subject, purpose) ?? null) : undefined;
    return {
      key,
      want: 'off',
      by,
      at,
      order,
      phase: isDone ? 'verified' : call === undefined ? 'open' : 'sent',
      call,
      before,
      granted: known?.granted,
      withdrawn: Math.max(order, known?.withdrawn ?? 0),
      also: known?.by === by ? known.also : undefined,
    };
  });
  return withWords(draft, words);
}

/**
 * The withdrawals of a DELETE without a reading, to be named if a locked purpose stays on: otherwise the
 * result would list only the purposes that stay on.
 */
function withdrawnBeside({ center }: Draft, call: number | undefined): readonly string[] {
  const withdrawn = center.calls.find(({ order }) => order === call)?.answer?.withdrawn ?? [];
  return withdrawn.filter((id) => {
    const word = itemAt(center, keyOf.purpose(id));
    return word === undefined || isNoWord(word);
  });
}

function isToWithdraw(stands: ReturnType<typeof standingOfPurpose>): boolean {
  return stands === 'on' || stands === 'waiting' || stands === 'on-by-default' || stands === 'locked-on';
}

/**
 * Ends "everything" once its call was made, every purpose found is off, and the schema told the purposes on
 * by default.
 */
export function endEverything(draft: Draft, { at: readAt, subject }: ReadRecord): Draft {
  const { center, now, limits, known, purposes } = draft;
  const { everything } = center;
  if (everything?.phase !== 'sent') return draft;
  const isOpen = center.items.some(
    (item) => item.want === 'off' && isUnsettled(item) && item.order <= everything.order,
  );
  const call = center.calls.find(({ order }) => order === everything.call);
  const isLocked = (id: string) => standingOfPurpose(recordOf(subject, id), purposes.get(id)) === 'locked-on';
  const isDeleted =
    call === undefined ? everything.call !== undefined : call.answer?.refused.every(isLocked) === true;
  // A PUT carries the whole set, so it withdraws purposes that no reading showed.
  const isPut = center.calls.some(
    ({ order, update, answer }) => order > everything.order && update !== undefined && answer !== undefined,
  );
  const isAnswered = isDeleted || isPut;
  const isYoung = !isAnswered && readAt < everything.at + limits.lag;
  const lacksSchema = typeof known.schema !== 'object' && now - everything.at < limits.schemaAwaited;
  if (isOpen || isYoung || lacksSchema) return draft;
  const line = {
    by: everything.by,
    key: keyOf.everything,
    isOff: true,
    outcome: 'saved',
    row: 'everything-off',
    at: now,
    receipt: call?.answer?.receipt,
  } as const;
  return withDesired(draft, { ...center, everything: { ...everything, phase: 'verified', seen: readAt } }, [
    line,
  ]);
}
