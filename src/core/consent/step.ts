import { has } from '../model/by-key.ts';
import type { ReadRecord } from '../model/person/subject.ts';
import {
  type Call,
  callsInDoubt,
  carriedBy,
  centerOf,
  type DesiredCenter,
  type DesiredItem,
  type DesiredState,
  endOf,
  floorUnderway,
  isInDoubt,
  isPurpose,
  isUnsettled,
  itemAt,
  itemsOf,
  keyOf,
  type Limits,
  type Line,
  lineOf,
  purposeOf,
  usualLimits,
  wordsIn,
} from './desired-state.ts';
import { failed, failedUnread, mayBeOn } from './grant-history.ts';
import { prune } from './prune.ts';
import { standing } from './standing.ts';
import { nameOthers } from './step-beside.ts';
import { type Plan, planCall, withCall } from './step-call.ts';
import { type Draft, draftOf, type Known, withDesired, withItems } from './step-draft.ts';
import { endEverything, findEverything, mayWithdrawUnread } from './step-everything.ts';
import { factsOf } from './step-facts.ts';
import { findReplaced } from './step-replaced.ts';
import { decide, type Facts, isGrantOver, type Verdict } from './step-rows.ts';

/** The next act of the loop in a center. */
export type Next =
  | Plan
  | { readonly kind: 'read'; readonly afterMs: number }
  | { readonly kind: 'read-schema' }
  | { readonly kind: 'wait'; readonly until: number }
  /** The work is blocked for now: the loop stops and tries again later. */
  | { readonly kind: 'later' }
  | { readonly kind: 'done' };

export interface Stepped {
  readonly desired: DesiredState;
  /** The state without the call, for a loop that does not make it now. */
  readonly judged: DesiredState;
  /** Results, in the order in which they are reported. */
  readonly ended: readonly Line[];
  readonly next: Next;
}

/**
 * One step towards the last words of the person, in one center.
 * 1. "Everything" by one click, or while the record cannot be read, is withdrawn without a reading.
 * 2. Without a reading the loop reads if work is open or a look is due; otherwise it waits.
 * 3. With a reading "everything" finds its purposes, and a grant finds the choices that it leaves withdrawn.
 *    Then the rows decide each word, withdrawals first.
 * 4. Side effects of calls are named.
 * 5. One call sends all words that need one; missing refusals get a call of their own. Without a call the
 *    loop reads again, waits, or is done.
 */
export function step(
  desired: DesiredState,
  known: Known,
  now: number,
  limits: Limits = usualLimits,
): Stepped {
  const draft = draftOf(prune(desired, now, limits), known, { now, limits });
  const unread = mayWithdrawUnread(draft) ? planCall(draft, new Map(), undefined) : undefined;
  if (unread !== undefined) return carryOut(draft, unread);
  const { observed } = known;
  if (observed === undefined) {
    const ended = endUnsentGrants(draft);
    return stepped(ended, withoutReading(ended));
  }

  const verdicts = new Map<string, Verdict>();
  const by = { observed, verdicts };
  const found = findReplaced(findEverything(draft, observed), observed);
  const withdrawn = judge(found, ({ want }) => want === 'off', by);
  const floored = endEverything(withdrawn, observed);
  const granted = judge(floored, ({ want, key }) => want !== 'off' && !isChoice(key), by);
  const judged = judge(granted, ({ want, key }) => want !== 'off' && isChoice(key), by);
  const named = nameOthers(withoutUnbound(judged, observed), observed);
  const plan = planCall(named, verdicts, observed);
  const looked = lookedAt(named, observed);
  const schema = [...verdicts.values()].some(({ kind }) => kind === 'schema');
  if (schema) return stepped(looked, { kind: 'read-schema' });
  return plan === undefined ? stepped(looked, idle(looked, verdicts)) : carryOut(looked, plan);
}

function stepped({ desired, ended }: Draft, next: Next): Stepped {
  return { desired, judged: desired, ended, next };
}

function carryOut(draft: Draft, plan: Plan): Stepped {
  return { ...stepped(withCall(draft, plan), plan), judged: draft.desired };
}

function isChoice(key: string): boolean {
  return purposeOf(key) !== '' && !isPurpose(key);
}

/** Decides these words, and writes their new state. */
function judge(
  draft: Draft,
  which: (item: DesiredItem) => boolean,
  { observed, verdicts }: { readonly observed: ReadRecord; readonly verdicts: Map<string, Verdict> },
): Draft {
  const ended: Line[] = [];
  const factsAbout = factsOf(draft, observed);
  const order = draft.desired.order + 1;
  const items = draft.center.items.map((item) => {
    if (!which(item)) return item;
    const facts = factsAbout(item);
    const { row, verdict } = decide(facts);
    verdicts.set(item.key, verdict);
    if (row === 'came-back') {
      ended.push(lineOf(item, { outcome: 'being-carried-out', row, at: draft.now }));
      return { ...item, phase: 'open' as const };
    }
    if (verdict.kind === 'end' || verdict.kind === 'tell') {
      const receipt = facts.call?.answer?.receipt;
      ended.push(lineOf(item, { outcome: verdict.outcome, row, at: draft.now, receipt }));
    }
    if (isStillToWithdraw(facts, verdict)) {
      verdicts.set(item.key, { kind: 'send' });
      return { ...failed(item), phase: 'open' as const };
    }
    return becomes(facts, verdict, order);
  });
  return withItems({ ...draft, desired: { ...draft.desired, order } }, items, ended);
}

/** True if a grant failed that replaced an unfinished withdrawal: the withdrawal goes on. */
function isStillToWithdraw({ item, stands, schema }: Facts, verdict: Verdict): boolean {
  const hasFailed = verdict.kind === 'end' && item.want !== 'off' && !succeeded.has(verdict.outcome);
  if (!hasFailed) return false;
  if (stands === 'on-by-default') return item.withdrawn !== undefined || item.replacesWithdrawal === true;
  const isUnknown = stands === 'absent' && (schema === 'absent' || schema === 'gone');
  return item.replacesWithdrawal === true && (isUnknown || stands === 'on' || stands === 'waiting');
}

/**
 * Ends the words that are bound to a failed grant. Choices that a call in doubt brought, or may still bring,
 * are withdrawn, except those that another choice was to replace.
 */
function withoutUnbound(draft: Draft, { subject }: ReadRecord): Draft {
  const { items } = draft.center;
  const carried = callsInDoubt(draft.desired).flatMap(carriedBy);
  const bound = items.map((item) => {
    const purpose = purposeOf(item.key);
    const isGrant = ({ want, phase, by }: DesiredItem) => want === 'on' && phase === 'open' && by === item.by;
    if (item.phase !== 'bound' || itemsOf(draft.center, purpose).some(isGrant)) return item;
    const isBoundToChoice = itemAt(draft.center, keyOf.purpose(purpose))?.by !== item.by;
    if (isBoundToChoice || !has(carried, item.key)) return { ...item, phase: 'over' as const };
    const isBack = standing(item, subject, draft.purposes) === 'on';
    return { ...item, phase: isBack ? ('open' as const) : ('verified' as const) };
  });
  return withItems(draft, bound, []);
}

const succeeded = new Set(['saved', 'unchanged', 'unconfirmed', 'waiting']);

function becomes({ item, readAt, stands }: Facts, verdict: Verdict, order: number): DesiredItem {
  switch (verdict.kind) {
    case 'tell':
      return { ...item, phase: verdict.phase };
    case 'join':
      return { ...item, phase: 'sent', call: verdict.call };
    case 'over':
      return { ...item, phase: 'over' };
    case 'wait':
      return verdict.seenAs === undefined ? item : { ...item, seen: readAt, seenAs: verdict.seenAs };
    case 'rest': {
      const isSeen = item.phase === 'verified' && item.seen !== undefined;
      const isAsSaid = item.want !== 'off' || stands !== 'on';
      return isSeen && isAsSaid ? { ...item, seen: Math.max(item.seen, readAt) } : item;
    }
    case 'end': {
      const { phase } = verdict;
      if (item.want !== 'off' && !succeeded.has(verdict.outcome)) return failed(item);
      if (phase === 'over') return { ...item, phase };
      const granted = item.want === 'off' ? item.granted : { order, at: readAt, isSure: true };
      const seenAs = verdict.outcome === 'waiting' ? verdict.outcome : undefined;
      return { ...item, phase, seen: readAt, seenAs, granted, replacesWithdrawal: undefined };
    }
    default:
      return item;
  }
}

/**
 * Returns what the loop does without a call to make: it reads again after a pause, or waits until something
 * is due.
 */
function idle(draft: Draft, verdicts: ReadonlyMap<string, Verdict>): Next {
  const { now, limits, center, known } = draft;
  const kinds = new Set([...verdicts.values()].map(({ kind }) => kind));
  if (kinds.has('read')) return { kind: 'read', afterMs: 0 };
  if (kinds.has('look') || kinds.has('join')) {
    const since = Math.max(...center.calls.map(({ at, answer }) => answer?.at ?? at));
    const pause = Math.max(limits.lag * 0.03, Math.min(now - since, limits.lag * 0.3));
    return { kind: 'read', afterMs: Math.ceil(pause) };
  }
  // The purposes that are on by default are not known yet.
  const lacksSchema = floorUnderway(center) !== undefined && typeof known.schema !== 'object';
  if (kinds.has('later') || kinds.has('send') || lacksSchema) return { kind: 'later' };
  return waitFor(draft, verdicts);
}

function withoutReading(draft: Draft): Next {
  const { center, now } = draft;
  const isToDo = center.items.some((item) => isUnsettled(item) && !isWaiting(draft, item));
  const isDue = nextLook(draft) <= now;
  return floorUnderway(center) !== undefined || isToDo || isDue
    ? { kind: 'read', afterMs: 0 }
    : waitFor(draft, new Map());
}

/**
 * Ends grants that were never sent as not saved, without a reading: at once if the platform refuses the
 * record, otherwise after their minute. A grant that may be on ends only by a reading.
 */
function endUnsentGrants(draft: Draft): Draft {
  const { center, desired, known } = draft;
  const ended: Line[] = [];
  const items = center.items.map((item) => {
    const isOver = known.isRefused === true || (known.isAway === true && isGrantOver(item.at, draft));
    if (!isUnsentGrant(item) || !isOver || mayBeOn(desired, center, item)) return item;
    const row = known.isRefused === true ? 'record-refused' : 'minute-over-unread';
    ended.push(lineOf(item, { outcome: 'not-saved', row, at: draft.now }));
    return failedUnread(item);
  });
  return withItems(draft, items, ended);
}

function isUnsentGrant({ want, phase }: DesiredItem): boolean {
  return want !== 'off' && phase === 'open';
}

/** The time when the next unsent grant expires; Infinity if there is none. */
export function nextMinute(
  { items }: Pick<DesiredCenter, 'items'>,
  { now, limits }: { readonly now: number; readonly limits: Limits },
): number {
  const ends = items.filter(isUnsentGrant).map(({ at }) => at + limits.grantLife);
  return Math.min(...ends.filter((time) => time > now));
}

/**
 * True if no reading is due for the word: it was seen off within the lag, or it is in doubt and read at the
 * looks of its call.
 */
function isWaiting({ now, limits }: Draft, { phase, seen, at }: DesiredItem): boolean {
  return phase === 'in-doubt' || (seen !== undefined && now < at + limits.lag);
}

function waitFor(draft: Draft, verdicts: ReadonlyMap<string, Verdict>): Next {
  const { center, limits, now } = draft;
  const waits = [...verdicts.values()].map(({ until = Number.POSITIVE_INFINITY }) => until);
  const { at: floorAt = Number.POSITIVE_INFINITY } = floorUnderway(center) ?? {};
  const seen = center.items.filter((item) => isUnsettled(item) && item.seen !== undefined);
  // Work that fell due while the reading was on its way needs another reading.
  const since = draft.known.observed?.at ?? now;
  const minute = nextMinute(center, { now: since, limits });
  const lags = [floorAt, ...seen.map(({ at }) => at)].map((at) => at + limits.lag);
  const times = [...waits, minute, ...lags, nextLook(draft)];
  const until = Math.min(...times.filter((time) => time > since));
  if (until === Number.POSITIVE_INFINITY) return { kind: 'done' };
  return until <= now ? { kind: 'read', afterMs: 0 } : { kind: 'wait', until };
}

/** True if a late call could still undo something in this center. */
function isAtRisk(center: DesiredCenter): boolean {
  return wordsIn(center).some(({ phase }) => phase !== 'over') || center.calls.some(isInDoubt);
}

/**
 * The time of the next reading. While any call of the person is in doubt, every center at risk is read again
 * at fixed times; Infinity: no more.
 */
function nextLook({ desired, center, limits }: Draft): number {
  if (!isAtRisk(center)) return Number.POSITIVE_INFINITY;
  const times = callsInDoubt(desired).flatMap((call) => [
    ...limits.looks.map((after) => call.at + after),
    endOf(call, limits),
  ]);
  return Math.min(...times.filter((time) => time > center.lookedAt));
}

/**
 * Notes a reading. A call is out of doubt, and is dropped, once every center at risk was read after its end.
 * A grant that it carried may have landed until a lag before the reading: it is noted as granted, unsure.
 */
function lookedAt(draft: Draft, { subject, at }: ReadRecord): Draft {
  const looked = withDesired(draft, {
    ...draft.center,
    lookedAt: at,
    known: subject.purposes.map(({ purpose }) => purpose),
  });
  const { desired, limits } = looked;
  const lookedUntil = Math.min(...desired.centers.filter(isAtRisk).map((center) => center.lookedAt));
  const order = desired.order + 1;
  const granted = { order, at: at - limits.lag, isSure: false };
  const centers = desired.centers.map((center): DesiredCenter => {
    const isOver = (call: Call) => isInDoubt(call) && endOf(call, limits) <= lookedUntil;
    const over = center.calls.filter(isOver);
    const landed = new Set(over.flatMap((call) => carriedBy(call).filter((key) => has(call.keys, key))));
    const items = center.items.map((item) => (landed.has(item.key) ? { ...item, granted } : item));
    return { ...center, items, calls: center.calls.filter((call) => !isOver(call)) };
  });
  const settled = { order, centers };
  return { ...looked, desired: settled, center: centerOf(settled, looked.center.center) };
}
