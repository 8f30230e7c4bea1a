import { byKey, firstByKey, has } from '../model/by-key.ts';
import type { ConsentUpdate } from '../model/consent-update.ts';
import type { ConsentRecord } from '../model/subject.ts';
import type { Outcome } from '../model/submission.ts';
import type { FormFacts } from '../model/submission-request.ts';

/** What a person last said, in all centers. Plain data: one sealed row for each person. Times are epoch milliseconds. */
export interface DesiredState {
  /** The last sequence number given: to words and calls. Two of them in one millisecond have an order. */
  readonly order: number;
  readonly centers: readonly DesiredCenter[];
}

export interface DesiredCenter {
  readonly center: string;
  readonly items: readonly DesiredItem[];
  /** A floor: what is on record and was not asked for since is to be off. */
  readonly everything: DesiredEverything | undefined;
  /** Of the submissions that `items` and `everything` name. */
  readonly asked: readonly Asked[];
  /** In doubt, or answered within the lag. */
  readonly calls: readonly Call[];
  /** Purposes that are known to be on record, whatever a reading shows. */
  readonly known: readonly string[];
  /** When the last believed reading was asked for; 0 before the first. */
  readonly lookedAt: number;
}

/**
 * `open`: nothing was sent for it. `bound`: goes with a grant under the same purpose, and never alone. `sent`: a call was
 * made for it. `in-doubt`: told as such, and looked for. `verified`: seen on record, or off. `kept`: a refusal that
 * the platform does not record. `over`: no rule acts on it; it stays for what older forms must not do.
 */
export type Phase = 'open' | 'bound' | 'sent' | 'in-doubt' | 'verified' | 'kept' | 'over';

export type Want = 'on' | 'off' | { readonly value: string; readonly label: string };

/** The last word about one key. See `keyOf`. */
export interface DesiredItem {
  readonly key: string;
  readonly want: Want;
  /** The submission that said it. */
  readonly by: string;
  readonly at: number;
  readonly order: number;
  readonly phase: Phase;
  /** It is on, and agreed to once more: that it is on proves nothing. */
  readonly renews?: true | undefined;
  /** The call that was made for it. */
  readonly call?: number | undefined;
  /** When the reading that verified it was asked for. */
  readonly seen?: number | undefined;
  /** Of what was seen off by a reading that may be older than the word: what its line will say. */
  readonly seenAs?: LineOutcome | undefined;
  /** What was on record before the call: null is nothing. */
  readonly before?: ConsentRecord | string | null | undefined;
  /** What last taught that a grant of this key may have landed, over all words about it. */
  readonly granted?: { readonly order: number; readonly at: number; readonly isSure: boolean } | undefined;
  /** Order of the last call of ours that took it out, before `call`. */
  readonly takenOut?: number | undefined;
  /** Order of the last withdrawal that the person asked for here. */
  readonly withdrawn?: number | undefined;
  /** Of a grant: the withdrawal before it is not carried out yet, and goes on where the grant fails. */
  readonly replacesWithdrawal?: true | undefined;
  /** By a click that has no submission of its own: to undo `by` would undo that, too. */
  readonly isSaidAgain?: true | undefined;
}

export interface DesiredEverything {
  readonly by: string;
  readonly at: number;
  readonly order: number;
  readonly phase: 'open' | 'sent' | 'verified';
  readonly call?: number | undefined;
  /** The platform refused the DELETE: a PUT names what may stay. */
  readonly isRefused?: boolean | undefined;
  /** Purposes that the center offers; undefined: whatever may be granted. */
  readonly reach: readonly string[] | undefined;
}

/** What a submission brings along for its words. */
export interface Asked {
  readonly reference: string;
  readonly form?: FormFacts | undefined;
  /** What it drew as on by default, and confirms where the center has it so. */
  readonly confirms: readonly string[];
  readonly isObjection: boolean;
  /** One click: nothing needs to be read before everything is withdrawn. */
  readonly isOneClick: boolean;
  /** The submission that it undoes. */
  readonly undoes?: string | undefined;
}

export interface Call {
  readonly order: number;
  readonly at: number;
  /** undefined: a DELETE. */
  readonly update: ConsentUpdate | undefined;
  /** Sent in a PUT just before, so that leaving them out leaves a refusal on record. */
  readonly refusals: readonly string[];
  /** What it took out, as far as the reading before it showed. undefined: nothing was read. */
  readonly off: readonly string[] | undefined;
  /** Keys that it was made for. */
  readonly keys: readonly string[];
  /** The submission that named what it changes beside what was asked. */
  readonly by: string;
  /** `refused`: purposes of which the answer says that nothing was done. */
  readonly answer?:
    | {
        readonly at: number;
        readonly refused: readonly string[];
        readonly receipt: string | undefined;
        /** Of a DELETE before which nothing was read: what it says that it withdrew. */
        readonly withdrawn?: readonly string[] | undefined;
      }
    | undefined;
  /** What it changed beside what was asked was looked for. */
  readonly isChecked?: boolean | undefined;
  /** Purposes seen on since, though it does not carry them: landing late, it would take them out. */
  readonly beside?: readonly string[] | undefined;
}

/** `agreed`: not objected to. */
export type LineOutcome = Outcome | 'agreed';

/** What became of one word: evidence, written once. A later one about the same key follows it. */
export interface Line {
  readonly by: string;
  /** A key; `everything`; or a purpose's key of which nothing was asked (`isKept`). */
  readonly key: string;
  readonly outcome: LineOutcome;
  /** The row that decided. */
  readonly row: string;
  /** It is about switching off, or taking out. */
  readonly isOff: boolean;
  readonly at: number;
  readonly before?: DesiredItem['before'];
  readonly receipt?: string | undefined;
  /** Nothing was asked, yet it is not as it was. */
  readonly isKept?: boolean | undefined;
}

/** Bounds, in milliseconds. */
export interface Limits {
  /** A platform may show for so long what was before a write that it answered. */
  readonly lag: number;
  /** What grants or types is sent within this time, or never. */
  readonly grantLife: number;
  /** A call without an answer may still land. */
  readonly doubt: number;
  readonly formLife: number;
  /** After a call in doubt; the last look is at the end of the doubt and the lag. */
  readonly looks: readonly number[];
  /** Before a reading that surprises is confirmed. */
  readonly confirmAfter: number;
  /** Everything is withdrawn without knowing what is on by default. */
  readonly schemaAwaited: number;
  /** A schema by which something is granted. */
  readonly schemaFresh: number;
}

export const usualLimits: Limits = {
  lag: 10_000,
  grantLife: 60_000,
  doubt: 10 * 60_000,
  formLife: 24 * 3_600_000,
  looks: [30_000, 120_000],
  confirmAfter: 500,
  schemaAwaited: 24 * 3_600_000,
  schemaFresh: 10_000,
};

export const emptyState: DesiredState = { order: 0, centers: [] };

/** Ids hold no blanks. */
export const keyOf = {
  purpose: (purpose: string) => `purpose ${purpose}`,
  topic: (purpose: string, topic: string) => `topic ${purpose} ${topic}`,
  option: (purpose: string, preference: string, option: string) =>
    `option ${purpose} ${preference} ${option}`,
  element: (element: string) => `element ${element}`,
  language: 'language',
  everything: 'everything',
} as const;

/** The purpose that a key is of, or under; undefined: an element, the language. */
export function purposeOf(key: string): string | undefined {
  const from = key.indexOf(' ') + 1;
  const kind = key.slice(0, from);
  if (kind !== 'purpose ' && kind !== 'topic ' && kind !== 'option ') return undefined;
  const to = key.indexOf(' ', from);
  return to < 0 ? key.slice(from) : key.slice(from, to);
}

export function isPurpose(key: string): boolean {
  return key.startsWith('purpose ');
}

export function centerOf({ centers }: DesiredState, center: string): DesiredCenter {
  return (
    centers.find((each) => each.center === center) ?? {
      center,
      items: [],
      everything: undefined,
      asked: [],
      calls: [],
      known: [],
      lookedAt: 0,
    }
  );
}

export function withCenter(desired: DesiredState, changed: DesiredCenter): DesiredState {
  const others = desired.centers.filter(({ center }) => center !== changed.center);
  return { ...desired, centers: [...others, changed] };
}

const itemByKey = firstByKey<DesiredItem>(({ key }) => key);

export function itemAt({ items }: Pick<DesiredCenter, 'items'>, key: string): DesiredItem | undefined {
  return itemByKey(items, key);
}

const itemsByPurpose = byKey<DesiredItem>(({ key }) => purposeOf(key) ?? '');

/** About a purpose, and under it. */
export function itemsOf({ items }: Pick<DesiredCenter, 'items'>, purpose: string): readonly DesiredItem[] {
  return itemsByPurpose(items, purpose);
}

const itemsByReference = byKey<DesiredItem>(({ by }) => by);

/** What a submission said, and nothing since has replaced. */
export function itemsBy({ items }: Pick<DesiredCenter, 'items'>, reference: string): readonly DesiredItem[] {
  return itemsByReference(items, reference);
}

const askedByReference = firstByKey<Asked>(({ reference }) => reference);

export function askedBy({ asked }: Pick<DesiredCenter, 'asked'>, reference: string): Asked | undefined {
  return askedByReference(asked, reference);
}

/** Without an answer: it may still land. */
export function isInDoubt({ answer }: Call): boolean {
  return answer === undefined;
}

/** When nothing of it can turn up any more, be it by an older reading. */
export function endOf({ at, answer }: Call, { doubt, lag }: Limits): number {
  return answer === undefined ? at + doubt + lag : answer.at + lag;
}

/** Of every center: one purpose in two centers may be one consent. */
export function callsInDoubt({ centers }: DesiredState): readonly Call[] {
  return centers.flatMap(({ calls }) => calls.filter(isInDoubt));
}

const carried = new WeakMap<Pick<Call, 'update' | 'refusals'>, readonly string[]>();

/** Keys that a call switches on, or keeps on. One list for each call, so that it is indexed once. */
export function carriedBy(call: Pick<Call, 'update' | 'refusals'>): readonly string[] {
  const known = carried.get(call) ?? keysOf(call);
  carried.set(call, known);
  return known;
}

function keysOf({ update, refusals }: Pick<Call, 'update' | 'refusals'>): readonly string[] {
  const sent = update?.purposes ?? [];
  return [
    ...refusals.map((id) => keyOf.purpose(id)),
    ...sent.flatMap(({ id, topics, preferences }) => [
      keyOf.purpose(id),
      ...topics.map((topic) => keyOf.topic(id, topic)),
      ...preferences.flatMap((each) => each.options.map((option) => keyOf.option(id, each.id, option))),
    ]),
  ];
}

/** By whichever center a grant of a key may have landed; infinite while it may land yet. */
export function grantedAt({ centers }: DesiredState, key: string): number {
  let last = 0;
  for (const center of centers) {
    if (doubtedGrant(center, key) !== undefined) return Number.POSITIVE_INFINITY;
    last = Math.max(last, itemAt(center, key)?.granted?.order ?? 0);
  }
  return last;
}

/** Order of the last call of ours that took it out; 0: none did. */
export function takenOutAt(item: DesiredItem, everything: DesiredEverything | undefined): number {
  return Math.max(takenOutFor(item) ?? 0, everything?.call ?? 0);
}

/** A call that was not made took out nothing: its word has none. */
export function takenOutFor({ want, call, takenOut }: DesiredItem): number | undefined {
  return want === 'off' ? (call ?? takenOut) : takenOut;
}

/** A grant of it may have landed, and no later call of ours took it out. */
export function mayBeOn(desired: DesiredState, { everything }: DesiredCenter, item: DesiredItem): boolean {
  return grantedAt(desired, item.key) > takenOutAt(item, everything);
}

/**
 * How far a withdrawal is that a page draws as done. `called`: what is off by now may be off by it; `said`: not yet, so
 * that a form must know what is on record.
 */
export function beingWithdrawn(center: DesiredCenter, purpose: string): 'said' | 'called' | undefined {
  const { everything } = center;
  const word = itemAt(center, keyOf.purpose(purpose));
  if (word?.want === 'off' && word.phase === 'sent') return 'called';
  const isFloor = everything !== undefined && everything.phase !== 'verified';
  if (isFloor && (word?.order ?? 0) <= everything.order)
    return everything.call === undefined ? 'said' : 'called';
  return word?.want === 'off' && word.phase === 'open' ? 'said' : undefined;
}

/** The call in doubt that was to grant a key. */
export function doubtedGrant({ calls }: DesiredCenter, key: string): Call | undefined {
  return calls.find((call) => isInDoubt(call) && has(call.keys, key) && has(carriedBy(call), key));
}

export function lineOf(
  { by, key, want, before }: DesiredItem,
  end: Pick<Line, 'outcome' | 'row' | 'at' | 'receipt'>,
): Line {
  return { by, key, isOff: want === 'off', before, ...end };
}

/** A grant that failed is not to come by a call in doubt after it was told so. */
export function failed(item: DesiredItem): DesiredItem {
  const { key, by, at, order, granted, withdrawn, want } = item;
  const takenOut = takenOutFor(item);
  // What was never sent is on as before, as if nothing had been said.
  if (item.renews === true && item.phase === 'open' && item.replacesWithdrawal !== true)
    return { key, want: 'off', by: '', at, order, phase: 'over', granted, withdrawn, takenOut };
  const isValue = typeof want !== 'string';
  const phase = isValue ? 'over' : 'verified';
  return { key, want: isValue ? want : 'off', by, at, order, phase, granted, withdrawn, takenOut };
}

/** A grant that failed without a reading: what it replaced may be on. */
export function failedUnread(item: DesiredItem): DesiredItem {
  return item.replacesWithdrawal === true ? { ...failed(item), phase: 'open' } : failed(item);
}

/** Nothing was said about it: only that it was on is kept. */
export function isNoWord({ by }: DesiredItem): boolean {
  return by === '';
}

/** Still to be carried out, or to be known. */
export function isUnsettled({ phase }: DesiredItem): boolean {
  return phase === 'open' || phase === 'sent' || phase === 'in-doubt';
}

/** Milliseconds that clocks may differ. */
export const tolerance = 1_000;
