import { has } from '../model/by-key.ts';
import type { SubmissionEventType } from '../model/submission/center-event.ts';
import type { Intent, PurposeChange } from '../model/submission/intent.ts';
import type { ChangeKind, ItemResult } from '../model/submission/submission.ts';
import type { Underway } from '../model/submission/underway.ts';
import { isAgreement, keysOff, keysOn } from './change-keys.ts';
import {
  beingWithdrawn,
  callsInDoubt,
  centerOf,
  type DesiredItem,
  type DesiredState,
  isPurpose,
  isSaidBy,
  isUnsettled,
  itemAt,
  keyOf,
  type Limits,
  type Line,
  type LineOutcome,
  purposeOf,
  usualLimits,
  wordsIn,
} from './desired-state.ts';
import { mayBeOn } from './grant-history.ts';
import type { Person } from './person.ts';
import { intentOf } from './step-call.ts';
import { isGrantOver } from './step-rows.ts';

/** A submission as it is kept: its intent, and the lines written since. */
export interface Kept {
  readonly reference: string;
  readonly center: string;
  readonly intent: Intent;
  readonly lines: readonly Line[];
}

export interface Told {
  readonly state: 'pending' | 'done' | 'failed';
  /** The outcome of "everything", if the submission asked for it. */
  readonly everything: LineOutcome | undefined;
  readonly items: readonly ItemResult[];
  /** Purposes that an objection leaves on, because the person agreed to them: they are no items. */
  readonly agreed: readonly string[];
  /**
   * `watched`: a call in doubt may still undo the withdrawal. `repeated`: such a call did, and the withdrawal
   * was sent again.
   */
  readonly aftermath: 'watched' | 'repeated' | undefined;
}

/** The report of a submission to its person: outcomes by its lines, and progress of the rest. */
export function told(kept: Kept, desired: DesiredState, now: number, limits: Limits = usualLimits): Told {
  const { intent, lines } = kept;
  const about = aboutOf(kept, desired, { now, limits });
  const everything = about(keyOf.everything, true)?.outcome;
  const asked = [
    ...(intent.everything === undefined
      ? intent.purposes.flatMap((change) => itemsOfChange(change, about))
      : everythingIn(kept, desired, about)),
    ...intent.dataElements.flatMap(({ element }) => {
      return itemOf(
        { what: 'data-element', id: element, change: 'typed' },
        about(keyOf.element(element), false),
      );
    }),
    ...(intent.language === undefined
      ? []
      : itemOf({ what: 'language', id: intent.language, change: 'language' }, about(keyOf.language, false))),
  ];
  const beside = lines
    .filter(({ isKept }) => isKept)
    .flatMap((line) => itemOf({ what: 'purpose', id: purposeOf(line.key), change: 'keep' }, line));
  const items = [...asked, ...beside];
  const isOpen = [everything, ...items.map(({ outcome }) => outcome)].some(isOpenOutcome);
  const state = isOpen
    ? 'pending'
    : items.length === 0 || everything !== undefined || items.some(hasResult)
      ? 'done'
      : 'failed';
  const agreed = lines.filter(({ outcome }) => outcome === 'agreed').map(({ key }) => purposeOf(key));
  return { state, everything, items, agreed, aftermath: aftermathOf(kept, desired) };
}

function aftermathOf({ intent, lines }: Kept, desired: DesiredState): Told['aftermath'] {
  if (lines.some(({ row }) => row === 'came-back')) return 'repeated';
  const isWithdrawal =
    intent.everything !== undefined || lines.some(({ isOff, isKept }) => isOff && isKept !== true);
  return isWithdrawal && callsInDoubt(desired).length > 0 ? 'watched' : undefined;
}

function isOpenOutcome(outcome: LineOutcome | undefined): boolean {
  return outcome === 'in-progress' || outcome === 'being-carried-out';
}

function hasResult({ outcome }: ItemResult): boolean {
  return !['not-saved', 'in-doubt', 'reworded', 'replaced'].includes(outcome);
}

type Standing = Pick<Line, 'outcome' | 'receipt'> & Pick<ItemResult, 'isAccepted'>;
type About = (key: string, isOff: boolean) => Standing | undefined;

/** Returns the state of one word of the submission. */
function aboutOf(
  { reference, lines, center: id }: Kept,
  desired: DesiredState,
  { now, limits }: { readonly now: number; readonly limits: Limits },
): About {
  const center = centerOf(desired, id);
  const off = new Map<string, Line>();
  const on = new Map<string, Line>();
  for (const line of lines) {
    const last = line.isOff ? off : on;
    // A repeated withdrawal found the key off: the earlier `saved` still holds.
    const isNoNews = line.outcome === 'unchanged' && last.get(line.key)?.outcome === 'saved';
    if (line.isKept !== true && !isNoNews) last.set(line.key, line);
  }
  return (key, isOff) => {
    const { everything } = center;
    const line = (isOff ? off : on).get(key);
    if (key === keyOf.everything) {
      const isOpen = line === undefined && everything?.by === reference;
      return isOpen ? { outcome: 'being-carried-out', receipt: undefined } : line;
    }
    const word = itemAt(center, key);
    const isOwn = word !== undefined && isSaidBy(word, reference) && (word.want === 'off') === isOff;
    if (!isOwn || !isUnsettled(word) || word.phase === 'in-doubt' || (isOff && line?.outcome === 'saved'))
      return line;
    if (isOff) return { outcome: word.seenAs ?? 'being-carried-out', receipt: undefined };
    const isAccepted = center.calls.some(({ order, answer }) => order === word.call && answer !== undefined);
    const isOver = isGrantOver(word.at, { now, limits });
    const isNotSent = word.phase === 'open' && !mayBeOn(desired, center, word);
    const outcome = !isOver ? 'in-progress' : isNotSent ? 'not-saved' : 'in-doubt';
    return { outcome, receipt: undefined, ...(isAccepted && { isAccepted }) };
  };
}

function itemOf(
  item: Pick<ItemResult, 'what' | 'id' | 'change'>,
  standing: Standing | undefined,
): readonly ItemResult[] {
  if (standing === undefined || standing.outcome === 'agreed') return [];
  const { outcome, receipt, isAccepted } = standing;
  return [{ ...item, outcome, receipt, ...(isAccepted && { isAccepted }) }];
}

/** The items of a change. An adjustment whose additions were not saved reports its removals apart. */
function itemsOfChange(change: PurposeChange, about: About): readonly ItemResult[] {
  const { kind, purpose } = change;
  const said = (of: ChangeKind, standing: Standing | undefined) =>
    itemOf({ what: 'purpose', id: purpose, change: of }, standing);
  const known = (keys: readonly string[], isOff: boolean) => keys.flatMap((key) => about(key, isOff) ?? []);
  const own = about(keyOf.purpose(purpose), false);
  const added = ofAdditions(known(keysOn(change), false));
  if (kind === 'on') {
    const isPartly =
      own !== undefined &&
      isGood(own.outcome) &&
      added !== undefined &&
      !isGood(added.outcome) &&
      added.outcome !== 'replaced';
    return said(
      'on',
      isPartly ? { ...own, outcome: isOpenOutcome(added.outcome) ? added.outcome : 'unconfirmed' } : own,
    );
  }
  const taken = worst(known(keysOff(change), true));
  const agreed = isAgreement(change) ? own : undefined;
  if (added === undefined) return said(kind, agreed ?? taken);
  if (taken === undefined || isOpenOutcome(added.outcome)) return said('adjust', added);
  if (isGood(added.outcome) || added.outcome === 'unconfirmed')
    return said('adjust', isGood(taken.outcome) ? added : taken);
  return [...said('add', added), ...said('reduce', taken)];
}

function isGood(outcome: LineOutcome): boolean {
  return outcome === 'saved' || outcome === 'unchanged' || outcome === 'waiting';
}

/**
 * The worst outcome; `unconfirmed` if some choices are on and others are not: "not changed" would be false.
 */
function ofAdditions(standings: readonly Standing[]): Standing | undefined {
  const one = worst(standings);
  const isPartly = one !== undefined && notAdded.includes(one.outcome);
  return isPartly && standings.some(({ outcome }) => isGood(outcome))
    ? { ...one, outcome: 'unconfirmed' }
    : one;
}

const notAdded: readonly LineOutcome[] = ['switched-off', 'not-saved', 'withdrawn-elsewhere', 'reworded'];

/** The lowest rank is the worst. A choice that was replaced since says nothing about the others. */
const ranks: Readonly<Record<LineOutcome, number>> = {
  'in-progress': 0,
  'being-carried-out': 1,
  'in-doubt': 2,
  'switched-off': 3,
  'not-saved': 4,
  'withdrawn-elsewhere': 5,
  reworded: 6,
  locked: 7,
  unconfirmed: 8,
  waiting: 9,
  saved: 10,
  unchanged: 11,
  'no-such-purpose': 11,
  agreed: 11,
  replaced: 12,
};

/** The worst outcome of several choices. */
function worst(standings: readonly Standing[]): Standing | undefined {
  return standings.toSorted((one, other) => ranks[one.outcome] - ranks[other.outcome])[0];
}

/** The items of "everything": each purpose that was on, or could not be switched off. */
function everythingIn(
  { reference, center, lines }: Kept,
  desired: DesiredState,
  about: About,
): readonly ItemResult[] {
  const words = centerOf(desired, center).items.filter(({ by }) => by === reference);
  const keys = [...lines, ...words].map(({ key }) => key);
  return [...new Set(keys)].filter(isPurpose).flatMap((key) => {
    const standing = about(key, true);
    const isNothing = standing?.outcome === 'unchanged' || standing?.outcome === 'no-such-purpose';
    return isNothing ? [] : itemOf({ what: 'purpose', id: purposeOf(key), change: 'off' }, standing);
  });
}

/**
 * Work under way in a center that a page already shows as done, and withdrawals that a reading may be too old
 * to show.
 */
export function underway(
  { desired, open }: Pick<Person, 'desired' | 'open'>,
  id: string,
  now: number,
  limits: Limits = usualLimits,
): Underway {
  const center = centerOf(desired, id);
  const isUnread = ({ phase, seen = 0 }: Pick<DesiredItem, 'phase' | 'seen'>) =>
    phase === 'open' || phase === 'sent' || (phase === 'verified' && now < seen + limits.lag);
  const floor = center.everything && isUnread(center.everything) ? center.everything : undefined;
  const isOut = (item: DesiredItem) => item.want === 'off' && isUnread(item);
  // The grant may land yet: shown as on, it can be withdrawn.
  const isGrant = (item: DesiredItem) =>
    isUnsettled(item) && (item.phase !== 'open' || !isGrantOver(item.at, { now, limits }));
  const { purposes } = intentOf(center.items.filter((item) => isOut(item) || isGrant(item)));
  const isOnSince = ({ key, want, phase, order }: DesiredItem) =>
    floor !== undefined && isPurpose(key) && want === 'on' && phase === 'verified' && order > floor.order;
  const but = center.items.filter(isOnSince).map(({ key }) => purposeOf(key));
  const isCalled = (purpose: string, isShownOn: boolean) => {
    const by = beingWithdrawn(center, purpose);
    const word = itemAt(center, keyOf.purpose(purpose));
    const isWithdrawn = (word !== undefined && isOut(word)) || (floor !== undefined && !has(but, purpose));
    return by === 'called' || (by === undefined && isShownOn && isWithdrawn);
  };
  return {
    changes: purposes,
    everything: floor && { but },
    order: desired.order,
    isCalled,
    isShownBy: (at, except) => isShownBy({ desired, open }, at, except),
    isKnown: center.known.length > 0 || open.length > 0,
  };
}

/**
 * True if a reading at `at` shows all that was said: no work is under way, and only `but` may have changed
 * since.
 */
function isShownBy(
  { desired, open }: Pick<Person, 'desired' | 'open'>,
  at: number,
  but: string | undefined,
): boolean {
  const isPending = open.some(({ state, reference }) => state === 'pending' && reference !== but);
  if (isPending || callsInDoubt(desired).length > 0) return false;
  return desired.centers.flatMap(wordsIn).every((word) => {
    const doneAt = Math.max(word.at, word.seen ?? 0, word.granted?.at ?? 0);
    return word.by === but || (!isUnsettled(word) && doneAt < at);
  });
}

/**
 * A change to report to receivers. `isUsable` says whether the purpose may be used from now on; undefined: as
 * before.
 */
export interface News {
  readonly type: SubmissionEventType;
  /** The purpose; undefined: everything of the center. */
  readonly purpose: string | undefined;
  readonly change: ChangeKind | 'everything';
  readonly outcome: LineOutcome;
  readonly isUsable: boolean | undefined;
}

/**
 * The differences between two reports of a submission. Unfinished work is no news, unless it was verified
 * before.
 */
export function newsBetween(before: Told, after: Told): readonly News[] {
  // A withdrawal that waits for a confirmation was never on.
  const shown = ({ change, outcome }: ItemResult) =>
    change === 'off' && outcome === 'waiting' ? 'unchanged' : outcome;
  const was = new Map(before.items.map((item) => [`${item.change} ${item.id}`, shown(item)]));
  const isVerified = (outcome: LineOutcome | undefined) => outcome === 'saved' || outcome === 'unchanged';
  const items = after.items.flatMap((item): News[] => {
    const { what, id, change } = item;
    const outcome = shown(item);
    const old = was.get(`${change} ${id}`);
    const isEnd = outcome !== 'replaced' && (isVerified(old) || !isOpenOutcome(outcome));
    if (what !== 'purpose' || old === outcome || !isEnd) return [];
    const isOn = change === 'on' && isVerified(outcome);
    const isOffAfterAll = (change === 'on' && isVerified(old)) || change === 'keep';
    const isUsable =
      isOn || (change === 'off' && outcome === 'locked') ? true : isOffAfterAll ? false : undefined;
    const type = isVerified(outcome) ? 'consent.verified' : 'consent.not-saved';
    return [{ type, purpose: id, change, outcome, isUsable }];
  });
  // An item that disappears is no news by itself: the purpose may be off all the same.
  const dropped = after.agreed
    .filter((purpose) => !before.agreed.includes(purpose))
    .map((purpose): News => {
      return { type: 'consent.not-saved', purpose, change: 'off', outcome: 'agreed', isUsable: true };
    });
  const { everything } = after;
  const isAll = everything !== undefined && everything !== before.everything && !isOpenOutcome(everything);
  if (!isAll) return [...items, ...dropped];
  const about = { purpose: undefined, change: 'everything', isUsable: undefined } as const;
  return [...items, ...dropped, { type: 'consent.verified', outcome: everything, ...about }];
}
