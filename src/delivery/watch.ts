import { isTakenBack as isTakenBackHere } from '../core/consent/believed-reading.ts';
import { believedFor, isInDoubt, usualLag } from '../core/consent/call-in-doubt.ts';
import {
  askedBy,
  choiceKey,
  choicesUnder,
  type LastWords,
  type TakenBack,
  takenBackBy,
} from '../core/consent/last-word.ts';
import { mergeIntent } from '../core/consent/merge.ts';
import { has } from '../core/model/by-key.ts';
import { answersAbout, updateOf } from '../core/model/consent-update.ts';
import { changeOf } from '../core/model/intent.ts';
import type { CallMade, JournalEntry, Watch, Work } from '../core/model/journal-entry.ts';
import { recordOf, type Subject } from '../core/model/subject.ts';
import { type ItemResult, itemsAbout, type Outcome } from '../core/model/submission.ts';
import { unreadCenter } from '../core/model/unread-center.ts';
import {
  callsInDoubt,
  inDoubtOf,
  isLeft,
  isLeftOutSince,
  isSettled,
  isWithdrawal,
  keyOf,
  type Left,
  lastCall,
  newItem,
  reductionOf,
} from './work.ts';

type LateChoices = NonNullable<Work['lateChoices']>[number];

/** When what was done is looked at again, in milliseconds after it: at last when no call in doubt can still show. */
const watchLooks: readonly number[] = [30_000, 120_000, believedFor + usualLag];

/** All is settled, and only looked at again. */
export function isWatched(work: Work): boolean {
  return work.watch !== undefined && work.items.every(isSettled);
}

/** When the next look is due; undefined when there is none. */
export function nextLook({ watch }: Work): number | undefined {
  const after = watch && watchLooks[watch.looked];
  return after === undefined || watch === undefined ? undefined : watch.since + after;
}

/**
 * A call without an answer may land after a withdrawal that was carried out and verified, or after its grant was told
 * as in doubt, or as withdrawn elsewhere: what it would change is looked at again. `entries`: the person's, open or
 * done of late, everywhere.
 */
export function watchFor(work: Work, entries: readonly JournalEntry[], now: number): Watch | undefined {
  if (nextLook(work) !== undefined) return work.watch;
  const works = [
    work,
    ...entries.map((entry) => entry.work).filter((each) => each?.request.nonce !== work.request.nonce),
  ];
  const carried = inDoubtOf(works, now);
  const items = work.watch === undefined ? work.items.filter((item) => isUnseen(work, item)) : [];
  const unseen = items.map(({ id }) => id);
  const isLeaving = work.request.intent.everything === 'withdraw' && carried.length > 0;
  const ownInDoubt = inDoubtOf([work], now);
  const chosenInDoubt = choicesInDoubt(works, now);
  const isAtRisk = (item: ItemResult) =>
    item.outcome === 'in-doubt' ||
    ((isTakenBack(item) || isStayingOff(work, item, ownInDoubt)) && has(carried, item.id)) ||
    (isDone(item) && bringsMore(work, item, chosenInDoubt));
  const isAnyAtRisk = isLeaving || work.items.some(isAtRisk);
  const granted = grantsAtRisk(work, callsInDoubt(works, now));
  if (!isAnyAtRisk && unseen.length + granted.length === 0) return undefined;
  return {
    since: now,
    looked: 0,
    carried: isAnyAtRisk ? carried : [],
    ...(granted.length === 0 ? {} : { granted }),
    ...(unseen.length === 0 ? {} : { unseen }),
  };
}

/** What this granted, and a call in doubt is without: landing late, it takes that out again. */
function grantsAtRisk(work: Work, calls: readonly CallMade[]): readonly string[] {
  return work.items.filter(isGranted).flatMap(({ id }) => {
    const asked = choicesAsked(work, id);
    const isWithout = ({ update }: CallMade) => {
      const sent = update && updateOf(update, id);
      return sent === undefined || !asked.isSubsetOf(new Set(choicesUnder(id, sent)));
    };
    return calls.some(isWithout) ? id : [];
  });
}

/** Choices that this asks for under a purpose. */
function choicesAsked({ request }: Work, purpose: string): ReadonlySet<string> {
  const change = changeOf(request.intent, purpose);
  return new Set(change === undefined ? [] : askedBy(change).filter((key) => key !== purpose));
}

function isGranted({ what, change, outcome }: ItemResult): boolean {
  return what === 'purpose' && (change === 'on' || change === 'adjust') && told.has(outcome);
}

/** Whether a reading lacks something that this granted, and that a call in doubt may have taken out. */
export function lacksGranted({ items, watch }: Work, current: Subject): boolean {
  const granted = watch?.granted ?? [];
  return items.some((item) => isGranted(item) && has(granted, item.id) && !isOn(current, item.id));
}

/**
 * What was granted and came undone is told as switched off, and never granted again: nobody knows whether a call that
 * came late did that, or somebody elsewhere. What the person has withdrawn since stays as it was told.
 */
function withUndone(work: Work, current: Subject, since: TakenBack): Work {
  const granted = work.watch?.granted ?? [];
  const isWithdrawn = (key: string) => since.keys.has(key) || (since.everything && !since.asked.has(key));
  const items = work.items.flatMap((item): ItemResult | ItemResult[] => {
    const { id, change } = item;
    if (!isGranted(item) || !has(granted, id) || isWithdrawn(id)) return item;
    if (!isOn(current, id)) return { ...item, outcome: 'withdrawn-elsewhere' };
    const record = recordOf(current, id);
    const chosen = new Set(record === undefined ? [] : choicesUnder(id, record));
    const isWhole = [...choicesAsked(work, id)].every((key) => chosen.has(key) || isWithdrawn(key));
    if (isWhole) return item;
    if (change === 'on') return { ...item, outcome: 'unconfirmed' };
    // What it took out beside that is a withdrawal, and goes on by itself.
    const added: ItemResult = { ...item, change: 'add', outcome: 'not-saved' };
    return reductionOf(work, item) === undefined ? added : [added, { ...item, change: 'reduce' }];
  });
  return { ...work, items };
}

/**
 * What a look found: what came on again is to be carried out again; a grant in doubt that is on is told as such.
 * `regranted`: what later submissions switched on or chose, and saw on record, or sent.
 */
export function afterLook(
  before: Work,
  current: Subject,
  {
    words,
    left,
    since,
    regranted,
    now,
  }: {
    readonly words: LastWords;
    readonly left: Left;
    /** What later submissions take back. */
    readonly since: TakenBack;
    readonly regranted: readonly string[];
    readonly now: number;
  },
): Work {
  const work = withUndone(before, current, since);
  const { watch } = work;
  if (watch === undefined) return work;
  const isDue = now >= (nextLook(work) ?? now);
  const isForMore =
    watch.carried.length > 0 ||
    watch.granted !== undefined ||
    work.items.some(({ outcome }) => outcome === 'in-doubt');
  const next = isForMore ? watch.looked + 1 : watchLooks.length;
  const looked = isDue ? next : watch.looked;
  const isLast = watchLooks[looked] === undefined;
  const found = withFound(work, current, { left, isLast });
  const known = [...found, ...withdrawnMeanwhile({ ...work, items: found }, current, { words, now })];
  const isAskedSince = (key: string) =>
    words.asked.has(key) || has(work.superseded, key) || has(regranted, key);
  const isLookedFor = (id: string) =>
    has(watch.carried, id) || (watch.unseen !== undefined && has(watch.unseen, id));
  const isBack = (id: string) => isLookedFor(id) && !isAskedSince(id) && isOn(current, id);
  const late = watch.carried.flatMap((id) => lateUnder(id, current, words) ?? []);
  const lateOnes = new Set(late.map(({ purpose }) => purpose));
  const kept = known.map((item): ItemResult => {
    const isUndone =
      isTakenBack(item) &&
      (item.change === 'off'
        ? isBack(item.id)
        : has(watch.carried, item.id) && holdsAgain(work, item, { current, isAskedSince }));
    return isUndone ? { ...item, outcome: 'being-carried-out' } : item;
  });
  // What was changed here without these choices.
  const more = known.filter(
    (item) =>
      isDone(item) &&
      (item.change === 'on' || item.change === 'adjust') &&
      lateOnes.has(item.id) &&
      !itemsAbout(known, item.id).some(({ change }) => change === 'reduce'),
  );
  const items = [...kept, ...more.map(({ id }) => newItem('purpose', id, 'reduce'))];
  const named = new Set(items.map(({ id }) => id));
  const isOffAlready = (id: string) => itemsAbout(items, id).some(({ change }) => change === 'off');
  // Whoever chose something under it since saw it on. What was asked before it was withdrawn elsewhere does not count.
  const askedLater = new Set([...work.superseded, ...regranted].map(purposeOf));
  // What was in doubt when the watch began is looked for until its end.
  const ownInDoubt = inDoubtOf([work], watch.since);
  const isToStayOff = (id: string) =>
    !isOffAlready(id) && itemsAbout(items, id).some((item) => isStayingOff(work, item, ownInDoubt));
  const staying = watch.carried.filter((id) => isToStayOff(id) && isOn(current, id) && !askedLater.has(id));
  const unnamed =
    work.request.intent.everything === 'withdraw'
      ? watch.carried.filter((id) => !named.has(id) && isBack(id))
      : [];
  const others = [...staying, ...unnamed].map((id) => newItem('purpose', id, 'off'));
  const asked = [...words.asked].filter((key) => !has(staying, purposeOf(key)));
  const isReopened = others.length > 0 || !items.every(isSettled);
  const superseded =
    isReopened || work.request.intent.everything === 'withdraw'
      ? [...new Set([...work.superseded, ...asked])]
      : work.superseded;
  return {
    ...work,
    items: [...items, ...others],
    watch: { ...watch, looked, unseen: isDue ? undefined : watch.unseen },
    superseded,
    lateChoices: late.length > 0 ? late : work.lateChoices,
    isRepeated: work.isRepeated === true || (isReopened && isForMore) || undefined,
  };
}

/** The purpose that a `choiceKey` is of, or under. */
function purposeOf(key: string): string {
  return key.split(' ', 1)[0] ?? key;
}

/** Grants in doubt, by what is on record now. */
function withFound(
  work: Work,
  current: Subject,
  { left, isLast }: { readonly left: Left; readonly isLast: boolean },
): readonly ItemResult[] {
  if (!work.items.some(({ outcome }) => outcome === 'in-doubt')) return work.items;
  const center = unreadCenter(work.request.center);
  const { changes } = mergeIntent({ center, current, intent: work.request.intent, confirmable: [] });
  const met = new Set(changes.filter(({ state }) => state === 'met').map(keyOf));
  return work.items.map((item): ItemResult => {
    if (item.outcome !== 'in-doubt') return item;
    if (isLeft(left, item)) return { ...item, outcome: 'withdrawn-elsewhere' };
    if (isNewlyOff(work, current, item)) {
      return { ...item, outcome: isLeftOutSince(work, item) ? 'not-saved' : 'withdrawn-elsewhere' };
    }
    if (met.has(keyOf(item))) {
      const call = lastCall(work, keyOf(item));
      const answer = isInDoubt(call) ? undefined : call?.answer;
      const receipt = answer && answersAbout(answer, item.id)[0]?.receipt;
      return { ...item, outcome: 'saved', receipt };
    }
    if (item.what === 'purpose' && item.change === 'on' && isOn(current, item.id)) {
      return { ...item, outcome: 'unconfirmed' };
    }
    if (statusOf(current, item.id) === 'pending' && statusOf(work.before, item.id) !== 'pending') {
      return { ...item, outcome: 'waiting' };
    }
    return isLast ? { ...item, outcome: 'not-saved' } : item;
  });
}

/**
 * What a call in doubt carries along as it was, and others have withdrawn since: the call would bring it back. It is
 * named, for nobody asked for it.
 */
export function withdrawnMeanwhile(
  work: Work,
  current: Subject,
  { words, now }: { readonly words: LastWords; readonly now: number },
): readonly ItemResult[] {
  if (work.request.intent.everything === 'withdraw') return [];
  // A reading may still be older than what was granted here just before.
  const isNew = (id: string) => now - (words.granted.get(id)?.at ?? Number.NEGATIVE_INFINITY) < usualLag;
  const isOthers = (id: string) => !isTakenBackHere(words, id) && !isNew(id);
  const named = new Set(work.items.map(({ id }) => id));
  return inDoubtOf([work], now)
    .filter((id) => !named.has(id) && isOthers(id))
    .filter((id) => statusOf(work.before, id) === 'active' && statusOf(current, id) === 'off')
    .map((id) => ({ ...newItem('purpose', id, 'keep'), outcome: 'withdrawn-elsewhere' }));
}

/** Withdrawn since the first reading. */
function isNewlyOff(work: Work, current: Subject, item: ItemResult): boolean {
  return (
    item.what === 'purpose' &&
    statusOf(work.before, item.id) !== 'off' &&
    statusOf(current, item.id) === 'off'
  );
}

/**
 * Asked for or kept, and told as off: what a call of this submission may bring is not to make that untrue. Where more
 * was asked for of what was on, that it was not saved does not say that it is off.
 */
function isStayingOff(work: Work, item: ItemResult, ownInDoubt: readonly string[]): boolean {
  const { what, id, change, outcome } = item;
  if (what !== 'purpose') return false;
  const wasOff = statusOf(work.before, id) !== 'active';
  const isGrant = wasOff && (change === 'on' || change === 'adjust' || change === 'add');
  const isNotSaved = outcome === 'not-saved' && isGrant && has(ownInDoubt, id);
  return outcome === 'withdrawn-elsewhere' || isNotSaved;
}

const done: ReadonlySet<Outcome> = new Set<Outcome>([
  'saved',
  'unchanged',
  'waiting',
  'unconfirmed',
  'no-such-purpose',
]);

function isDone({ what, outcome }: ItemResult): boolean {
  return what === 'purpose' && done.has(outcome);
}

const told: ReadonlySet<Outcome> = new Set<Outcome>(['saved', 'unchanged', 'unconfirmed']);

/** Off already, for all that a platform showed that may have had nothing to show just then, or what was before. */
function isUnseen(work: Work, item: ItemResult): boolean {
  const { what, change, outcome } = item;
  const isOff = outcome === 'unchanged' || outcome === 'no-such-purpose';
  return what === 'purpose' && change === 'off' && isOff && lastCall(work, keyOf(item)) === undefined;
}

function isTakenBack(item: ItemResult): boolean {
  return isWithdrawal(item.change) && item.outcome !== 'unconfirmed' && isDone(item);
}

/** Choices, by `choiceKey`, that calls without an answer carried under each purpose. */
function choicesInDoubt(
  works: readonly (Work | undefined)[],
  now: number,
): ReadonlyMap<string, ReadonlySet<string>> {
  const carried = new Map<string, Set<string>>();
  for (const update of callsInDoubt(works, now).flatMap(({ update }) => update?.purposes ?? [])) {
    const choices = carried.get(update.id) ?? new Set();
    for (const key of choicesUnder(update.id, update)) choices.add(key);
    carried.set(update.id, choices);
  }
  return carried;
}

/** A call in doubt may bring choices along that this was to be without. */
function bringsMore(
  { request }: Work,
  { id }: ItemResult,
  inDoubt: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  const change = changeOf(request.intent, id);
  const carried = inDoubt.get(id);
  if (change === undefined || carried === undefined) return false;
  if (change.kind === 'on') return !carried.isSubsetOf(new Set(askedBy(change)));
  return takenBackBy(change).some((key) => carried.has(key));
}

/** What is chosen again under a purpose that is on, though the last word was without it. */
function lateUnder(purpose: string, current: Subject, words: LastWords): LateChoices | undefined {
  const record = recordOf(current, purpose);
  if (record?.status !== 'active') return undefined;
  const isOut = (...ids: readonly string[]) => words.takenBack.has(choiceKey(purpose, ...ids));
  const topicsOff = record.topics.filter((topic) => isOut(topic));
  const optionsOff = record.preferences.flatMap(({ id, options }) =>
    options.filter((option) => isOut(id, option)).map((option) => ({ preference: id, option })),
  );
  if (topicsOff.length + optionsOff.length === 0) return undefined;
  return { kind: 'reduce', purpose, topicsOff, optionsOff };
}

function holdsAgain(
  work: Work,
  item: ItemResult,
  { current, isAskedSince }: { readonly current: Subject; readonly isAskedSince: (key: string) => boolean },
): boolean {
  const reduction = reductionOf(work, item);
  const record = recordOf(current, item.id);
  if (reduction === undefined || record?.status !== 'active') return false;
  const held = new Set(choicesUnder(item.id, record));
  return takenBackBy(reduction).some((key) => held.has(key) && !isAskedSince(key));
}

function isOn(current: Subject, id: string): boolean {
  return statusOf(current, id) === 'active';
}

function statusOf(subject: Subject | undefined, id: string) {
  return subject && recordOf(subject, id)?.status;
}
