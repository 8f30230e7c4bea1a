import { tolerance } from '../model/age.ts';
import type { ConsentRecord } from '../model/person/subject.ts';
import {
  type Asked,
  type Call,
  type DesiredItem,
  endOf,
  isPurpose,
  type Limits,
  type LineOutcome,
  type Phase,
} from './desired-state.ts';
import { isOn, type Standing, standingOfPurpose, statusGiven } from './standing.ts';

/** The input of a row: one word, and the facts about its key. */
export interface Facts {
  readonly item: DesiredItem;
  readonly stands: Standing;
  /** The standing of the purpose that the key names or belongs to; "absent" for a value. */
  readonly whole: Standing;
  readonly record: ConsentRecord | undefined;
  readonly isInCenter: boolean;
  /** The time when the reading was asked for. */
  readonly readAt: number;
  readonly now: number;
  readonly limits: Limits;
  readonly asked: Asked | undefined;
  /** The call that was made for the word, as long as it is kept. */
  readonly call: Call | undefined;
  readonly isRefused: boolean;
  /**
   * A call in doubt carries the key, and may still switch it on. A call made a lag after the key was seen off
   * does not count: it carries what was granted elsewhere since.
   */
  readonly isCarried: boolean;
  /** Any call of the person is in doubt. */
  readonly isDoubtful: boolean;
  /** The order of the newest evidence that a grant of the key landed; Infinity while one may still land. */
  readonly grantedAt: number;
  /** The newest grant was answered or seen, and none may still land. */
  readonly isGrantSure: boolean;
  /** The order of the call in doubt that may still grant the key. */
  readonly doubted: number | undefined;
  /** The order of our last call that removed the key; 0: no call did. */
  readonly takenOut: number;
  /** The call of `takenOut` is in doubt: the key may be off by it, or by a withdrawal elsewhere. */
  readonly isTakingOut: boolean;
  /** A later call of ours left the purpose out, and may have removed it. */
  readonly isLeftOutSince: boolean;
  /** The person said the opposite in another center since. */
  readonly isSaidSince: boolean;
  /** "Everything" of the center is to be withdrawn, and its DELETE is not made yet. */
  readonly isFloorOpen: boolean;
  /** An older withdrawal of the same purpose is unfinished. */
  readonly isHeldUp: boolean;
  /** The key is a choice of a purpose that is off and not being granted. */
  readonly isPurposeOff: boolean;
  /** The key's purpose is being granted. */
  readonly isPurposeAsked: boolean;
  /** The key is a single choice that another one was to replace. */
  readonly isSwapped: boolean;
  /** `stale`: too old for a grant. `absent`: could not be read. `gone`: the platform has no such center. */
  readonly schema: 'fresh' | 'reworded' | 'stale' | 'absent' | 'gone';
}

/**
 * `send`: put the word into the next call. `join`: share the call in doubt that carries the same grant.
 * `refuse`: record the refusal. `wait`: until a time, or until something else is done. `look`: read again
 * after a pause. `read`: read now. `schema`: read the schema. `later`: stop, try again later. `rest`: nothing
 * to do.
 */
export type Verdict = { readonly until?: number } & (
  | { readonly kind: 'end' | 'tell'; readonly outcome: LineOutcome; readonly phase: Phase }
  | { readonly kind: 'wait'; readonly seenAs?: LineOutcome }
  | { readonly kind: 'join'; readonly call: number }
  | { readonly kind: 'send' | 'refuse' | 'look' | 'read' | 'schema' | 'rest' | 'over' | 'later' }
);

export interface Row {
  readonly name: string;
  readonly when: (facts: Facts) => boolean;
  readonly does: Verdict | ((facts: Facts) => Verdict);
}

/** The row that decides if no other row does. */
type LastRow = Omit<Row, 'when'>;

/** The facts of a word whose call has no answer. */
interface Lost extends Facts {
  readonly call: Call;
}

const send: Verdict = { kind: 'send' };
const rest: Verdict = { kind: 'rest' };
const over: Verdict = { kind: 'over' };

function end(outcome: LineOutcome, phase: Phase = 'verified'): Verdict {
  return { kind: 'end', outcome, phase };
}

const isDone = ({ item }: Facts) => item.phase === 'verified';
const isNew = ({ item }: Facts) => item.phase === 'open';
const isValue = ({ item }: Facts) => typeof item.want !== 'string';
const isLost = (facts: Facts): facts is Lost => facts.call !== undefined && facts.call.answer === undefined;
const isAccepted = ({ item, call, isRefused, readAt }: Facts) =>
  item.call !== undefined &&
  !isRefused &&
  (call === undefined || (call.answer?.at ?? Number.POSITIVE_INFINITY) <= readAt);
const isLocked = ({ stands }: Facts) => stands === 'locked-on' || stands === 'locked-off';
const isUnderAssumed = ({ item, whole }: Facts) => !isPurpose(item.key) && whole === 'on-by-default';
const isYoung = ({ item, readAt, limits }: Facts) => readAt < item.at + limits.lag;
const untilOlder = ({ item, limits }: Facts): Verdict => ({ kind: 'wait', until: item.at + limits.lag });

/** The first row that matches decides a withdrawal. */
export const withdrawalRows: readonly Row[] = [
  { name: 'over', when: ({ item }) => item.phase === 'over', does: rest },
  { name: 'bound', when: ({ item }) => item.phase === 'bound', does: rest },
  { name: 'asked-since-elsewhere', when: (f) => isDone(f) && f.isSaidSince, does: rest },
  {
    name: 'came-back',
    when: (f) => isDone(f) && f.stands === 'on' && f.isCarried && !f.isSwapped,
    does: send,
  },
  { name: 'granted-elsewhere', when: (f) => isDone(f) && f.stands === 'on', does: over },
  { name: 'seen-off', when: isDone, does: rest },
  { name: 'read-before-it-was-said', when: ({ item, readAt }) => readAt < item.at, does: { kind: 'read' } },
  { name: 'everything-first', when: ({ isFloorOpen }) => isFloorOpen, does: send },
  { name: 'always-active', when: ({ stands }) => stands === 'locked-on', does: end('locked') },
  {
    name: 'agreed-to',
    // The first PUT of a refusal may have put the purpose on record, which is no agreement. In this center
    // only a grant since its last call is one; in another center none is while it withdraws the purpose.
    when: ({ asked, stands, takenOut, grantedAt, isGrantSure, isHeldUp }) =>
      asked?.isObjection === true &&
      !isHeldUp &&
      (takenOut === 0 || (isGrantSure && grantedAt > takenOut)) &&
      (stands === 'on' || stands === 'waiting'),
    does: end('agreed', 'over'),
  },
  {
    name: 'schema-absent',
    when: (f) => f.stands === 'absent' && (f.schema === 'absent' || f.schema === 'gone'),
    does: { kind: 'later' },
  },
  { name: 'goes-with-its-grant', when: (f) => isUnderAssumed(f) && f.isPurposeAsked, does: { kind: 'wait' } },
  {
    name: 'granted-lately',
    when: (f) => isUnderAssumed(f) && isYoung(f) && f.grantedAt > f.takenOut,
    does: untilOlder,
  },
  // A call in doubt may still bring the choice: it is withdrawn then.
  {
    name: 'would-agree',
    when: isUnderAssumed,
    does: ({ isCarried }) => end('not-saved', isCarried ? 'verified' : 'over'),
  },
  { name: 'on', when: ({ stands }) => stands === 'on', does: send },
  {
    name: 'still-waiting-for-confirmation',
    when: (f) => isPurpose(f.item.key) && f.stands === 'waiting' && isAccepted(f),
    does: end('waiting'),
  },
  {
    name: 'waiting-for-confirmation',
    when: (f) => isPurpose(f.item.key) && f.stands === 'waiting',
    does: send,
  },
  {
    name: 'on-by-default',
    when: ({ stands, item }) => stands === 'on-by-default' && item.call === undefined,
    does: send,
  },
  { name: 'refusal-missing', when: ({ stands }) => stands === 'on-by-default', does: { kind: 'refuse' } },
  { name: 'accepted-and-off', when: isAccepted, does: (f) => end(offAs(f)) },
  {
    name: 'perhaps-older',
    when: isYoung,
    does: (f) => ({ kind: 'wait', until: f.item.at + f.limits.lag, seenAs: offAs(f) }),
  },
  { name: 'off-after-a-call', when: ({ item }) => item.phase === 'sent', does: (f) => end(offAs(f)) },
];

const offAlready: LastRow = { name: 'off-already', does: (f) => end(offAs(f)) };

/**
 * The outcome of a withdrawal that is off. A call for everything also covers purposes that were off before
 * it.
 */
function offAs({ item, stands, isInCenter, isPurposeAsked, whole }: Facts): LineOutcome {
  if (item.call !== undefined || item.phase === 'sent') return wasOff(item) ? 'unchanged' : 'saved';
  if (isPurpose(item.key)) return stands === 'absent' && !isInCenter ? 'no-such-purpose' : 'unchanged';
  return !isPurposeAsked && (whole === 'off' || whole === 'absent') ? 'withdrawn-elsewhere' : 'unchanged';
}

function wasOff({ key, before }: DesiredItem): boolean {
  // The former state of a purpose is a record.
  const stood = standingOfPurpose((before as ConsentRecord | null) ?? undefined, undefined);
  return isPurpose(key) && (stood === 'off' || stood === 'locked-off');
}

/** The first row that matches decides a grant or a typed value. */
export const grantRows: readonly Row[] = [
  { name: 'over', when: ({ item }) => item.phase === 'over', does: rest },
  { name: 'still-on', when: (f) => isDone(f) && (isOn(f.stands) || f.stands === 'waiting'), does: rest },
  { name: 'withdrawn-since-elsewhere', when: (f) => isDone(f) && f.isSaidSince, does: over },
  { name: 'came-undone', when: (f) => isDone(f) && f.isDoubtful, does: end('switched-off') },
  { name: 'changed-elsewhere', when: isDone, does: over },

  {
    name: 'minute-over-behind-a-withdrawal',
    when: (f) => isNew(f) && f.isHeldUp && isGrantOver(f.item.at, f),
    does: end('not-saved'),
  },
  { name: 'withdrawal-first', when: (f) => isNew(f) && f.isHeldUp, does: { kind: 'wait' } },
  { name: 'read-before-it-was-said', when: (f) => isNew(f) && f.readAt < f.item.at, does: { kind: 'read' } },
  { name: 'locked', when: (f) => isNew(f) && isLocked(f), does: end('locked', 'over') },
  {
    name: 'perhaps-older',
    when: (f) => isNew(f) && isValue(f) && f.stands === 'on' && isYoung(f),
    does: untilOlder,
  },
  {
    name: 'on-already',
    when: (f) => isNew(f) && f.stands === 'on' && f.item.renews !== true,
    does: end('unchanged'),
  },
  { name: 'minute-over', when: (f) => isNew(f) && isGrantOver(f.item.at, f), does: end('not-saved') },
  { name: 'purpose-off', when: (f) => isNew(f) && f.isPurposeOff, does: end('withdrawn-elsewhere') },
  { name: 'own-withdrawal-in-doubt', when: (f) => isNew(f) && f.isTakingOut, does: { kind: 'wait' } },
  { name: 'withdrawn-since', when: (f) => isNew(f) && isOffOtherwise(f), does: end('withdrawn-elsewhere') },
  {
    name: 'not-on-any-more',
    when: (f) => isNew(f) && f.item.renews === true && f.stands !== 'on',
    does: end('not-saved'),
  },
  {
    name: 'granted-in-doubt',
    when: (f) => isNew(f) && isGrantedSince(f) && f.doubted !== undefined,
    does: ({ doubted = 0 }) => ({ kind: 'join', call: doubted }),
  },
  {
    name: 'granted-in-doubt-elsewhere',
    when: (f) => isNew(f) && isGrantedSince(f) && f.grantedAt === Number.POSITIVE_INFINITY,
    does: { kind: 'wait' },
  },
  {
    name: 'granted-since',
    when: (f) => isNew(f) && isGrantedSince(f) && f.isGrantSure,
    does: end('withdrawn-elsewhere'),
  },
  { name: 'perhaps-granted-since', when: (f) => isNew(f) && isGrantedSince(f), does: end('not-saved') },
  { name: 'center-gone', when: (f) => isNew(f) && f.schema === 'gone', does: end('not-saved') },
  { name: 'schema-absent', when: (f) => isNew(f) && f.schema === 'absent', does: { kind: 'later' } },
  { name: 'schema-stale', when: (f) => isNew(f) && f.schema === 'stale', does: { kind: 'schema' } },
  { name: 'reworded', when: (f) => isNew(f) && f.schema === 'reworded', does: end('reworded') },
  { name: 'asked', when: isNew, does: send },

  {
    name: 'perhaps-renewed',
    when: (f) => f.item.renews === true && f.stands === 'on' && isLost(f),
    does: end('unconfirmed'),
  },
  { name: 'on-after-a-lost-answer', when: (f) => f.stands === 'on' && isLost(f), does: end('saved') },
  { name: 'on-though-refused', when: (f) => f.stands === 'on' && f.isRefused, does: end('unconfirmed') },
  { name: 'on', when: ({ stands }) => stands === 'on', does: end('saved') },
  { name: 'waiting-for-confirmation', when: ({ stands }) => stands === 'waiting', does: end('waiting') },
  { name: 'refused', when: ({ isRefused }) => isRefused, does: end('not-saved') },
  {
    name: 'left-out-since',
    when: (f) => isLost(f) && isOffMeanwhile(f) && f.isLeftOutSince,
    does: end('not-saved'),
  },
  {
    name: 'withdrawn-meanwhile',
    when: (f) => isLost(f) && isOffMeanwhile(f),
    does: end('withdrawn-elsewhere'),
  },
  {
    name: 'never-arrived',
    when: (f) => isLost(f) && f.readAt >= endOf(f.call, f.limits),
    does: end('not-saved'),
  },
  {
    name: 'answer-lost',
    when: (f) => isLost(f) && f.now < f.call.at + f.limits.lag,
    does: { kind: 'look' },
  },
  {
    name: 'in-doubt',
    when: (f) => isLost(f) && f.item.phase === 'sent',
    does: { kind: 'tell', outcome: 'in-doubt', phase: 'in-doubt' },
  },
  { name: 'looked-for', when: isLost, does: rest },
];

const notOnRecord: LastRow = { name: 'accepted-and-not-on-record', does: end('not-saved') };

/** A word dated in the future (clock set back over a restart) has an unknown age: its grants are over. */
export function isGrantOver(at: number, { now, limits }: Pick<Facts, 'now' | 'limits'>): boolean {
  return now >= at + limits.grantLife || now < at - tolerance;
}

/** True if the purpose is off now, and the form showed another status: it was withdrawn elsewhere since. */
function isOffOtherwise({ item, record, asked, takenOut }: Facts): boolean {
  if (!isPurpose(item.key) || record?.status !== 'off' || asked?.form?.drawn === undefined) return false;
  if (takenOut > asked.form.order) return false;
  const displayed = asked.form.drawn.find(({ purpose }) => purpose === record.purpose);
  return (
    displayed === undefined || (displayed.status !== undefined && displayed.status !== statusGiven(record))
  );
}

/**
 * True if a grant may have landed after the form was shown, and the key is not on: it was withdrawn elsewhere
 * since, or the grant may still land.
 */
function isGrantedSince({ item, asked, grantedAt, stands }: Facts): boolean {
  return (
    typeof item.want === 'string' &&
    stands !== 'on' &&
    stands !== 'waiting' &&
    stands !== 'on-by-default' &&
    grantedAt > (asked?.form?.order ?? item.order)
  );
}

/**
 * True if the purpose is off, and was not off in the same way before the call. For a choice this needs a
 * reading a lag after the call.
 */
function isOffMeanwhile({ item, record, call, readAt, limits }: Lost): boolean {
  if (record?.status !== 'off') return false;
  if (!isPurpose(item.key) && readAt < call.at + limits.lag) return false;
  const { before } = item;
  return before === null || (typeof before === 'object' && statusGiven(before) !== statusGiven(record));
}

export function decide(facts: Facts): { readonly row: string; readonly verdict: Verdict } {
  const isOff = facts.item.want === 'off';
  const row = (isOff ? withdrawalRows : grantRows).find(({ when }) => when(facts));
  const { name, does } = row ?? (isOff ? offAlready : notOnRecord);
  return { row: name, verdict: typeof does === 'function' ? does(facts) : does };
}
