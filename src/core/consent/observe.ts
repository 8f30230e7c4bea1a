import { has } from '../model/by-key.ts';
import type { Center, Purpose } from '../model/center.ts';
import { updateOf } from '../model/consent-update.ts';
import { type ReadRecord, recordOf, type Subject } from '../model/subject.ts';
import {
  askedBy,
  type Call,
  centerOf,
  type DesiredCenter,
  type DesiredState,
  isPurpose,
  itemsOf,
  keyOf,
  type Limits,
  purposeOf,
  usualLimits,
} from './desired-state.ts';
import { asRecorded, isAssumed, purposesOf, saysTheSame } from './merge-set.ts';
import { isOn, standing, standingOfPurpose, statusGiven } from './standing.ts';

/** `again`: after so many milliseconds. `unusable`: a fault of the platform; nothing may be concluded, or sent, from it. */
export type Observed =
  | { readonly kind: 'believed'; readonly reading: ReadRecord }
  | { readonly kind: 'again'; readonly row: string; readonly afterMs: number }
  | { readonly kind: 'unusable'; readonly row: string };

/**
 * The one door for readings of a record: the first, the second, the one after a pause, the read-back, the page's.
 * 1. Nothing on record takes two readings; of somebody who is known it is a fault.
 * 2. What surprises takes two readings that agree: something that is known, or being withdrawn, is missing, or stands
 *    otherwise than the form drew it.
 * 3. What differs from a change of less than a lag ago may be older than it: read again until the lag is over.
 */
export function observe(
  desired: DesiredState,
  look: {
    readonly center: string;
    readonly schema: Center | undefined;
    readonly reading: ReadRecord;
    /** The reading just before, of the same look. */
    readonly previous: Subject | undefined;
  },
  limits: Limits = usualLimits,
): Observed {
  const { reading, previous } = look;
  const { subject, at } = reading;
  const center = centerOf(desired, look.center);
  const purposes = look.schema === undefined ? new Map<string, Purpose>() : purposesOf(look.schema);
  const confirm = (row: string) => ({ kind: 'again', row, afterMs: limits.confirmAfter }) as const;
  if (subject.purposes.length === 0) {
    if (previous?.purposes.length !== 0) return confirm('nothing-on-record');
    if (center.known.length > 0) return { kind: 'unusable', row: 'nothing-of-somebody-known' };
  }
  const seenBefore = previous && new Set(surprises(center, previous, purposes));
  const isNews = surprises(center, subject, purposes).some((each) => seenBefore?.has(each) !== true);
  if (isNews) return confirm('surprise');

  const until = olderUntil(desired, { reading, purposes, own: center }, limits);
  if (at >= until) return { kind: 'believed', reading };
  const age = limits.lag - (until - at);
  const afterMs = Math.ceil(Math.min(until - at, Math.max(limits.lag * 0.03, age)));
  return { kind: 'again', row: 'perhaps-older', afterMs };
}

/** Each as a text, so that two readings can be compared. */
function surprises(
  center: DesiredCenter,
  subject: Subject,
  purposes: ReadonlyMap<string, Purpose>,
): readonly string[] {
  const open = center.items.filter(({ phase, call }) => phase === 'open' && call === undefined);
  // Nothing on record of what is withdrawn would end the withdrawal.
  const withdrawn = open.flatMap(({ key, want }) => {
    const purpose = purposeOf(key);
    return want === 'off' && purpose !== undefined && !isAssumed(purposes.get(purpose)) ? purpose : [];
  });
  const missing = [...center.known, ...withdrawn].filter(
    (purpose) => recordOf(subject, purpose) === undefined,
  );
  const forms = new Set(open.map(({ by }) => askedBy(center, by)?.form));
  const turned = [...forms].flatMap((form) =>
    (form?.drawn ?? []).flatMap(({ purpose, status }) => {
      const record = recordOf(subject, purpose);
      if (record === undefined || status === undefined || statusGiven(record) === status) return [];
      return `${purpose} ${statusGiven(record)}`;
    }),
  );
  return [...missing, ...turned];
}

/** Until when a reading that differs so may be older than what changed; 0: it does not differ. */
function olderUntil(
  desired: DesiredState,
  look: {
    readonly own: DesiredCenter;
    readonly purposes: ReadonlyMap<string, Purpose>;
    readonly reading: ReadRecord;
  },
  { lag }: Limits,
): number {
  const { own, purposes, reading } = look;
  const { subject, at } = reading;
  const times = desired.centers.flatMap(({ center, calls }) =>
    calls.flatMap((call) => {
      if (call.answer === undefined || at >= call.answer.at + lag) return [];
      const isOther = center !== own.center;
      const differs = isOther ? differsElsewhere(call, subject, purposes) : differsFrom(call, subject, own);
      return differs ? call.answer.at + lag : [];
    }),
  );
  const verified = own.items.flatMap((item) => {
    const { phase, want } = item;
    const seen = want === 'off' ? item.seen : item.granted?.at;
    if (phase === 'over' || (want === 'off' && phase !== 'verified')) return [];
    if (seen === undefined || at >= seen + lag) return [];
    const stands = standing(item, subject, purposes);
    const isSame = want === 'off' ? !isOn(stands) : isOn(stands) || stands === 'waiting';
    return isSame ? [] : seen + lag;
  });
  return Math.max(0, ...times, ...verified);
}

/** A later call of the same center stands for the earlier one. */
function differsFrom(call: Call, subject: Subject, { calls, items }: DesiredCenter): boolean {
  if (calls.some((other) => other.order > call.order && other.answer !== undefined)) return false;
  const { update, keys } = call;
  const refused = call.answer?.refused ?? [];
  const isLeftOver = subject.purposes.some(({ purpose, status }) => {
    const isSent = update !== undefined && updateOf(update, purpose) !== undefined;
    return status === 'active' && !isSent && !has(refused, purpose);
  });
  if (isLeftOver) return true;
  const isTyped = (key: string) =>
    itemsOf({ items }, '').some((item) => item.key === key && item.call === call.order);
  const values = itemsOf({ items }, '').filter(({ key }) => has(keys, key) && isTyped(key));
  if (values.some((item) => standing(item, subject, new Map()) !== 'on')) return true;
  return (update?.purposes ?? []).some((sent) => {
    if (has(refused, sent.id)) return false;
    const record = recordOf(subject, sent.id);
    if (record?.status === 'pending' || record?.status === 'always-active') return false;
    if (record?.status !== 'active') return true;
    const isAsked = keys.some((key) => purposeOf(key) === sent.id);
    return isAsked && !saysTheSame(asRecorded(record), sent);
  });
}

/** Another center's record may be its own, or the same: what a call there changed may be on its way here. */
function differsElsewhere(call: Call, subject: Subject, purposes: ReadonlyMap<string, unknown>): boolean {
  const isShown = (purpose: string) => isOn(standingOfPurpose(recordOf(subject, purpose), undefined));
  if (call.off === undefined) return subject.purposes.some(({ purpose }) => isShown(purpose));
  if (call.off.some(isShown)) return true;
  return (call.update?.purposes ?? []).some(({ id }) => {
    const isOffered = purposes.has(id) || recordOf(subject, id) !== undefined;
    const isAsked = has(call.keys, keyOf.purpose(id)) && isPurpose(keyOf.purpose(id));
    return (
      isAsked &&
      isOffered &&
      standingOfPurpose(recordOf(subject, id), undefined) !== 'waiting' &&
      !isShown(id)
    );
  });
}
