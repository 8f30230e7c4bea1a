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
import { isAssumed } from './merge-set.ts';
import { standingOfPurpose } from './standing.ts';
import { type Draft, withDesired } from './step-draft.ts';

/** "Everything" needs no reading first: it came by one click, or the record cannot be read. */
export function mayWithdrawUnread({ center, known }: Draft): boolean {
  const { everything } = center;
  if (everything?.phase !== 'open' || known.observed !== undefined) return false;
  const isOneClick = askedBy(center, everything.by)?.isOneClick === true;
  return isOneClick || known.isUnreadable === true;
}

/**
 * "Everything" is a floor: each purpose that a reading shows on becomes a withdrawal of its own, unless the person
 * spoke about it since. After "everything" is verified, only purposes that an older call in doubt may have
 * switched on.
 */
export function findEverything(draft: Draft, { subject }: ReadRecord): Draft {
  const { center, purposes } = draft;
  const { everything } = center;
  if (everything === undefined) return draft;
  const isDone = everything.phase === 'verified';
  const until = (everything.seen ?? Number.POSITIVE_INFINITY) + draft.limits.lag;
  // A later call carries what was granted elsewhere since.
  const carried = callsInDoubt(draft.desired)
    .filter(({ at }) => at < until)
    .flatMap(carriedBy);
  const recorded = subject.purposes.map(({ purpose }) => purpose);
  const assumed = [...purposes.values()].flatMap((purpose) => (isAssumed(purpose) ? purpose.id : []));
  const found = [...new Set([...recorded, ...assumed])].filter((purpose) => {
    const key = keyOf.purpose(purpose);
    const word = itemAt(center, key);
    if (word !== undefined && (word.order > everything.order || isUnsettled(word))) return false;
    const stands = standingOfPurpose(recordOf(subject, purpose), purposes.get(purpose));
    // A locked purpose: already reported.
    if (word !== undefined && word.by === everything.by && stands !== 'on') return false;
    return isDone ? stands === 'on' && has(carried, key) : isToWithdraw(stands);
  });
  const items = new Map(center.items.map((item) => [item.key, item]));
  for (const purpose of [...found, ...withdrawnBeside(draft, found, subject)]) {
    const key = keyOf.purpose(purpose);
    const { by, at, order, call } = everything;
    const known = items.get(key);
    const before = call === undefined ? (recordOf(subject, purpose) ?? null) : undefined;
    const word: DesiredItem = {
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
      ...(known?.by === by && known.also !== undefined ? { also: known.also } : {}),
    };
    items.set(key, word);
  }
  return withDesired(draft, { ...center, items: [...items.values()] });
}

/**
 * If a locked purpose stays on, the withdrawals of a DELETE without a reading are named, too: else the result would
 * list only what stays on.
 */
function withdrawnBeside(
  { center, purposes }: Draft,
  found: readonly string[],
  subject: ReadRecord['subject'],
): readonly string[] {
  const stands = (id: string) => standingOfPurpose(recordOf(subject, id), purposes.get(id));
  const call = center.calls.find(({ order }) => order === center.everything?.call);
  if (call?.answer?.withdrawn === undefined || !found.some((id) => stands(id) === 'locked-on')) return [];
  return call.answer.withdrawn.filter((id) => {
    const word = itemAt(center, keyOf.purpose(id));
    return !has(found, id) && (word === undefined || isNoWord(word));
  });
}

function isToWithdraw(stands: ReturnType<typeof standingOfPurpose>): boolean {
  return stands === 'on' || stands === 'waiting' || stands === 'assumed' || stands === 'locked-on';
}

/**
 * "Everything" is done once its call was made, every purpose found is off, and the schema told what is on by default.
 */
export function endEverything(draft: Draft, { at: readAt, subject }: ReadRecord): Draft {
  const { center, now, limits, known, purposes } = draft;
  const { everything } = center;
  if (everything?.phase !== 'sent') return draft;
  const isOpen = center.items.some(
    (item) => item.want === 'off' && isUnsettled(item) && item.order <= everything.order,
  );
  const call = center.calls.find(({ order }) => order === everything.call);
  const isRejected = call?.answer?.refused.some(
    (id) => standingOfPurpose(recordOf(subject, id), purposes.get(id)) !== 'locked-on',
  );
  const isHeard = call === undefined || call.answer !== undefined;
  const isDeleted = everything.call !== undefined && isHeard && isRejected !== true;
  // A PUT carries the whole set: it withdraws what no reading showed.
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
