import { has } from '../model/by-key.ts';
import type { Center, Purpose } from '../model/center/center.ts';
import { type ConsentRecord, type ReadRecord, recordOf, type Subject } from '../model/person/subject.ts';
import { updateOf } from '../model/submission/consent-update.ts';
import {
  askedBy,
  type Call,
  carriedIn,
  centerOf,
  type DesiredCenter,
  type DesiredItem,
  type DesiredState,
  isInDoubt,
  isPurpose,
  isTyped,
  isUnsettled,
  itemAt,
  itemsOf,
  keyOf,
  type Limits,
  purposeOf,
  reaches,
  usualLimits,
} from './desired-state.ts';
import { takenOutAt } from './grant-history.ts';
import { asRecorded, isAssumed, type Purposes, purposesOf, saysTheSame } from './merge-set.ts';
import { isOn, standing, standingOfKey, standingOfPurpose, statusGiven } from './standing.ts';

/**
 * `again`: read again after `afterMs`. `unusable`: a fault of the platform; no conclusion or call may follow
 * from the reading.
 */
export type Observed =
  | { readonly kind: 'believed'; readonly reading: ReadRecord }
  | { readonly kind: 'again'; readonly row: string; readonly afterMs: number }
  | { readonly kind: 'unusable'; readonly row: string };

/**
 * Judges every reading of a record: the first, the second, the one after a pause, the read-back.
 * 1. An empty record takes two readings; for a known person it is a fault.
 * 2. A surprise takes two readings that agree: a purpose that is known or being withdrawn is missing, has
 *    another status than the form showed, or is on though the form did not show it or a reading showed it
 *    off; a value that the form showed is gone; a word is fulfilled already, and no call for it was answered;
 *    "everything" was sent without an answer, and no purpose is known.
 * 3. A reading that contradicts a change of less than a lag ago may be older: the record is read again until
 *    the lag is over. Such a reading confirms no other.
 */
export function observe(
  desired: DesiredState,
  look: {
    readonly center: string;
    readonly schema: Center | undefined;
    readonly reading: ReadRecord;
    /** The previous reading of the same look. */
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
    const values = Object.keys(subject.dataElements).length;
    if (previous?.purposes.length !== 0 || values < Object.keys(previous.dataElements).length)
      return confirm('nothing-on-record');
    // A DELETE may leave nothing, unless its answer says what it withdrew.
    const emptying = center.calls.findLast(({ update }) => update === undefined);
    const isEmptied = emptying !== undefined && (emptying.answer?.withdrawn ?? []).length === 0;
    if (center.known.length > 0 && !isEmptied) return { kind: 'unusable', row: 'nothing-of-somebody-known' };
  }
  const until = olderUntil(desired, { reading, purposes, own: center }, limits);
  if (at < until) {
    const age = limits.lag - (until - at);
    const afterMs = Math.ceil(Math.min(until - at, Math.max(limits.lag * 0.03, age)));
    return { kind: 'again', row: 'perhaps-older', afterMs };
  }
  const items = [...center.items, ...verifiedElsewhere(desired, center, purposes)];
  const surprising = (shown: Subject) =>
    new Set(surprises({ ...center, items }, shown, { purposes, youngSince: at - limits.lag }));
  const before = previous === undefined ? new Set<string>() : surprising(previous);
  const now = surprising(subject);
  const isNews = !now.isSubsetOf(before);
  // If two readings disagree, either may be wrong, but an empty one beside a full one always is.
  const isGoneAgain = previous?.purposes.length !== 0 && !before.isSubsetOf(now);
  return isNews || isGoneAgain ? confirm('surprise') : { kind: 'believed', reading };
}

/** Returns the reading with which the next one is compared. */
export function comparedWith(observed: Observed, subject: Subject): Subject | undefined {
  return observed.kind === 'believed' || observed.row === 'perhaps-older' ? undefined : subject;
}

/**
 * Verified words of other centers about purposes of this center, if this center said nothing about them
 * since: the centers may share a record.
 */
function verifiedElsewhere(
  { centers }: DesiredState,
  own: DesiredCenter,
  purposes: Purposes,
): readonly DesiredItem[] {
  const isOffered = (purpose: string) => purposes.size === 0 || purposes.has(purpose);
  return centers.flatMap(({ items }) =>
    items.filter(({ key, phase, order }) => {
      const isDone = phase === 'verified' && isPurpose(key) && isOffered(purposeOf(key));
      return isDone && order > (itemAt(own, key)?.order ?? 0);
    }),
  );
}

/** Returns each surprise as a text, so that two readings can be compared. */
function surprises(
  center: DesiredCenter,
  subject: Subject,
  look: { readonly purposes: Purposes; readonly youngSince: number },
): readonly string[] {
  const { purposes, youngSince } = look;
  const open = center.items.filter(({ phase, call }) => phase === 'open' && call === undefined);
  // A missing purpose would end its withdrawal.
  const withdrawn = open.filter(({ want }) => want === 'off').map(({ key }) => purposeOf(key));
  const missing = [
    ...center.known,
    ...withdrawn.filter((purpose) => !isAssumed(purposes.get(purpose))),
  ].filter((purpose) => recordOf(subject, purpose) === undefined);
  const sayers = new Set(open.map(({ by }) => by));
  const asked = center.asked.filter(({ reference }) => sayers.has(reference));
  const turned = asked.flatMap(({ form }) => {
    const statuses = new Map(form?.drawn?.map(({ purpose, status }) => [purpose, status]));
    const isTurned = (record: ConsentRecord) =>
      (statuses.get(record.purpose) ?? statusGiven(record)) !== statusGiven(record);
    const otherwise = subject.purposes.filter(isTurned);
    return otherwise.map((record) => `${record.purpose} ${statusGiven(record)}`);
  });
  const added = asked.flatMap(({ form }) => {
    if (form?.drawn === undefined) return [];
    const drawn = new Set(form.drawn.map(({ purpose }) => purpose));
    const isAdded = ({ purpose, status }: ConsentRecord) =>
      status === 'active' && !drawn.has(purpose) && itemAt(center, keyOf.purpose(purpose))?.want !== 'on';
    return subject.purposes.filter(isAdded).map(({ purpose }) => `${purpose} added`);
  });
  const isUnanswered = ({ call }: Pick<DesiredItem, 'call'>) =>
    call === undefined || center.calls.some((each) => each.order === call && isInDoubt(each));
  const isEmptied = (item: DesiredItem) =>
    isTyped(item) &&
    (subject.dataElements[item.want.label] ?? '') === '' &&
    askedBy(center, item.by)?.form?.filled?.some((element) => keyOf.element(element) === item.key);
  const emptied = open.filter(isEmptied).map(({ key }) => `${key} emptied`);
  // A word was said because the record differed, and no answer says that this has changed. A key that is off
  // before a lag is over is read again anyway.
  const already = center.items.flatMap((item) => {
    if (!isUnsettled(item) || !isUnanswered(item) || item.renews === true) return [];
    const stands = standing(item, subject, purposes);
    const isReadOnce = item.at <= youngSince && item.seenAs === undefined;
    const isOff = stands === 'off' || stands === 'absent' || stands === 'locked-off';
    const isSo = item.want === 'off' ? stands === 'locked-on' || (isOff && isReadOnce) : stands === 'on';
    return isSo ? `${item.key} already` : [];
  });
  // A verified word, or a value that was sent, differs from the record only if two readings show it.
  const otherwise = center.items.flatMap((item) => {
    const { key, want, phase } = item;
    const isSent = isTyped(item) && (phase === 'sent' || phase === 'in-doubt');
    if (!(phase === 'verified' || isSent) || (!isPurpose(key) && purposeOf(key) !== '')) return [];
    const stands = standing(item, subject, purposes);
    const isStill = isOn(stands) || stands === 'waiting' || stands === 'on-by-default';
    return (want === 'off' ? stands !== 'on' : isStill) ? [] : `${key} ${stands}`;
  });
  // Neither an answer nor an earlier reading names the purposes that "everything" has left on.
  const { everything, known } = center;
  const isFloorUnknown = known.length === 0 && everything?.phase === 'sent' && isUnanswered(everything);
  const left = subject.purposes.filter(({ status }) => status === 'active').map(({ purpose }) => purpose);
  const floor = isFloorUnknown ? [`everything but ${left.join(' ')}`] : [];
  return [...missing, ...turned, ...added, ...emptied, ...already, ...otherwise, ...floor];
}

/**
 * The time until which a reading may be older than our last change; -Infinity: it contradicts no change. A
 * withdrawal that a reading verified counts in every center, though its answer was lost: centers may share a
 * record.
 */
function olderUntil(
  desired: DesiredState,
  look: {
    readonly own: DesiredCenter;
    readonly purposes: Purposes;
    readonly reading: ReadRecord;
  },
  { lag }: Limits,
): number {
  const { own, purposes, reading } = look;
  const { subject } = reading;
  const changed = changesOf(desired);
  const answered = desired.centers.flatMap((center) =>
    center.calls.map((call) => {
      if (call.answer === undefined) return undefined;
      const { refused, at } = call.answer;
      const differs = center.center === own.center ? differsFrom : differsElsewhere;
      const since = (purpose: string) => changed(purpose) > call.order;
      return differs(call, center, { subject, purposes, since, refused }) ? at : undefined;
    }),
  );
  const verified = own.items.map((item) => {
    const { want, phase, granted } = item;
    // A newer value was typed, and is not verified yet.
    if (want === 'on' ? phase === 'over' : phase !== 'verified') return undefined;
    const stands = standing(item, subject, purposes);
    if (want === 'off') return stands === 'on' ? item.seen : undefined;
    const isWaiting = stands === 'waiting' && !isSeenOn(item);
    if (granted === undefined || isOn(stands) || isWaiting) return undefined;
    // A later call of ours removed the granted key.
    return want === 'on' && takenOutAt(item, own.everything) > granted.order ? undefined : granted.at;
  });
  const isShown = (purpose: string, since: number) =>
    changed(purpose) <= since && standingOfPurpose(recordOf(subject, purpose), undefined) === 'on';
  const withdrawn = desired.centers.flatMap(({ everything, items }) => {
    const isFloorShown =
      everything !== undefined &&
      subject.purposes.some(({ purpose }) => isShown(purpose, everything.call ?? everything.order));
    const shown = items.filter(({ key, want, phase, call, order }) => {
      const isSeenOff = want === 'off' && phase === 'verified' && isPurpose(key);
      return isSeenOff && isShown(purposeOf(key), call ?? order);
    });
    return [isFloorShown ? everything.seen : undefined, ...shown.map(({ seen }) => seen)];
  });
  const times = [...answered, ...verified, ...withdrawn].filter((time) => time !== undefined);
  return Math.max(...times) + lag;
}

/** True if a reading showed the grant on: a reading that shows it waiting for confirmation is older. */
function isSeenOn({ want, phase, seenAs }: DesiredItem): boolean {
  return want !== 'off' && phase === 'verified' && seenAs !== 'waiting';
}

/**
 * Returns the order of the last answered call that switched a purpose, in any center: two centers may share
 * one consent.
 */
function changesOf({ centers }: DesiredState): (purpose: string) => number {
  const calls = centers.flatMap((center) => {
    const reach = center.everything?.reach;
    return center.calls.filter((call) => !isInDoubt(call)).map((call) => ({ ...call, reach }));
  });
  return (purpose) => {
    const key = keyOf.purpose(purpose);
    const own = calls.filter(({ off, keys, reach }) => {
      // A DELETE without a reading changed only what its center offers.
      return has(keys, key) || (off === undefined ? reaches({ reach }, purpose) : has(off, purpose));
    });
    return Math.max(0, ...own.map(({ order }) => order));
  };
}

interface Compared {
  readonly subject: Subject;
  readonly purposes: Purposes;
  /** True if a later call switched the purpose. */
  readonly since: (purpose: string) => boolean;
  /** Purposes that the answer rejects or leaves out. */
  readonly refused: readonly string[];
}

/**
 * True if the reading contradicts a call of its own center. For purposes only the last answered call counts.
 */
function differsFrom(
  call: Call,
  { calls, items }: DesiredCenter,
  { subject, since, refused }: Compared,
): boolean {
  const { update, keys } = call;
  const values = itemsOf({ items }, '').filter((item) => item.call === call.order);
  if (values.some((item) => standing(item, subject, new Map()) !== 'on')) return true;
  if (calls.some((other) => other.order > call.order && !isInDoubt(other))) return false;
  const isLeftOver = subject.purposes.some(({ purpose, status }) => {
    const isSent = update !== undefined && updateOf(update, purpose) !== undefined;
    return status === 'active' && !isSent && !has(refused, purpose) && !since(purpose);
  });
  if (isLeftOver) return true;
  const asked = new Set(keys.map(purposeOf));
  return (update?.purposes ?? []).some((sent) => {
    if (has(refused, sent.id) || since(sent.id)) return false;
    const record = recordOf(subject, sent.id);
    if (record?.status === 'pending' || record?.status === 'always-active') return false;
    if (record?.status !== 'active') return true;
    return asked.has(sent.id) && !saysTheSame(asRecorded(record), sent);
  });
}

/**
 * True if the reading contradicts a call of another center: both may share a record, and the change may not
 * show yet.
 */
function differsElsewhere(
  call: Call,
  { items }: DesiredCenter,
  { subject, purposes, since }: Compared,
): boolean {
  const isShown = (purpose: string) =>
    !since(purpose) && isOn(standingOfPurpose(recordOf(subject, purpose), undefined));
  if (call.off === undefined) return subject.purposes.some(({ purpose }) => isShown(purpose));
  const carried = new Set(carriedIn(call.update));
  const isTakenOut = (key: string) => {
    if (carried.has(key) || !isShown(purposeOf(key))) return false;
    return isPurpose(key) || standingOfKey(key, subject, purposes) === 'on';
  };
  if (call.off.some(isShown) || call.keys.some(isTakenOut)) return true;
  return (call.update?.purposes ?? []).some(({ id }) => {
    const isUnknown = purposes.size === 0;
    const isOffered = isUnknown || purposes.has(id) || recordOf(subject, id) !== undefined;
    const word = itemAt({ items }, keyOf.purpose(id));
    const isNews = word === undefined || !isSeenOn(word);
    const isWaiting = isNews && standingOfPurpose(recordOf(subject, id), undefined) === 'waiting';
    return !since(id) && isOffered && !isWaiting && !isShown(id);
  });
}

/** True if a purpose that is to be withdrawn is neither on record nor on by default in the center. */
export function lacksPurpose({ items }: DesiredCenter, subject: Subject, schema: Center): boolean {
  const purposes = purposesOf(schema);
  const open = items.filter(({ key, want, phase }) => want === 'off' && phase === 'open' && isPurpose(key));
  return open
    .map(({ key }) => purposeOf(key))
    .some((purpose) => recordOf(subject, purpose) === undefined && !isAssumed(purposes.get(purpose)));
}
