import { byKey, firstByKey, has } from '../model/by-key.ts';
import type { ConsentRecord } from '../model/person/subject.ts';
import type { ConsentUpdate } from '../model/submission/consent-update.ts';
import type { Outcome } from '../model/submission/submission.ts';
import type { FormFacts } from '../model/submission/submission-request.ts';

/**
 * The last words of a person, in all centers. Plain data: one sealed row for each person. Times are epoch
 * milliseconds.
 */
export interface DesiredState {
  /** The last sequence number of a word or call: it orders events within one millisecond. */
  readonly order: number;
  readonly centers: readonly DesiredCenter[];
}

export interface DesiredCenter {
  readonly center: string;
  readonly items: readonly DesiredItem[];
  /** A floor: all purposes that are on record and were not granted since must be off. */
  readonly everything: DesiredEverything | undefined;
  /** Details of the submissions that `items` and `everything` name. */
  readonly asked: readonly Asked[];
  /** Calls in doubt, or answered within the lag. */
  readonly calls: readonly Call[];
  /** Purposes that are known to be on record, even if a reading lacks them. */
  readonly known: readonly string[];
  /** The time when the last believed reading was asked for; 0 before the first. */
  readonly lookedAt: number;
}

/**
 * `open`: not sent. `bound`: sent only together with a grant under the same purpose. `sent`: a call was made.
 * `in-doubt`: reported as in doubt, and still watched. `verified`: seen on record, or off. `over`: no rule
 * acts on the word; it is kept to stop older forms.
 */
export type Phase = 'open' | 'bound' | 'sent' | 'in-doubt' | 'verified' | 'over';

export type Want = 'on' | 'off' | { readonly value: string; readonly label: string };

/** The last word about one key. See `keyOf`. */
export interface DesiredItem {
  readonly key: string;
  readonly want: Want;
  /** The submission that said the word. */
  readonly by: string;
  /** A second submission of the same form that said the same word: it gets the same result. */
  readonly also?: string | undefined;
  readonly at: number;
  readonly order: number;
  readonly phase: Phase;
  /** The word renews a purpose that is on already, so a reading that shows it on proves nothing. */
  readonly renews?: true | undefined;
  /** The order of the call that was made for the word. */
  readonly call?: number | undefined;
  /** The time when the reading that verified the word was asked for. */
  readonly seen?: number | undefined;
  /**
   * The outcome to report once the lag is over: a reading saw the key off, but may be older than the word.
   */
  readonly seenAs?: LineOutcome | undefined;
  /** The state of the key on record before the call; null: nothing was on record. */
  readonly before?: ConsentRecord | string | null | undefined;
  /** The newest evidence that a grant of this key may have landed, over all words about the key. */
  readonly granted?: { readonly order: number; readonly at: number; readonly isSure: boolean } | undefined;
  /** The order of our last call before `call` that removed the key. */
  readonly takenOut?: number | undefined;
  /** The order of the last withdrawal of the key that the person asked for in this center. */
  readonly withdrawn?: number | undefined;
  /**
   * The word is a grant that replaced an unfinished withdrawal: the withdrawal goes on if the grant fails.
   */
  readonly replacesWithdrawal?: true | undefined;
  /**
   * A click repeated the word without a submission of its own. Undoing `by` would undo that click, so it is
   * not offered.
   */
  readonly isSaidAgain?: true | undefined;
}

export interface DesiredEverything {
  readonly by: string;
  readonly at: number;
  readonly order: number;
  readonly phase: 'open' | 'sent' | 'verified';
  readonly call?: number | undefined;
  /** The time when the reading that verified "everything" was asked for. */
  readonly seen?: number | undefined;
  /** Purposes that the center offers; undefined: unknown, so every purpose. */
  readonly reach: readonly string[] | undefined;
}

export function reaches({ reach }: Pick<DesiredEverything, 'reach'>, purpose: string): boolean {
  return reach === undefined || has(reach, purpose);
}

/**
 * Returns "everything" of a center if it covers the purpose in the center `own`. "Everything" of another
 * center covers only the purposes that it offers.
 */
export function everythingOver(
  { center, everything }: DesiredCenter,
  purpose: string,
  own: string,
): DesiredEverything | undefined {
  return everything !== undefined && (center === own || reaches(everything, purpose))
    ? everything
    : undefined;
}

/** "Everything" of a center until it is verified. */
export function floorUnderway({ everything }: DesiredCenter): DesiredEverything | undefined {
  return everything?.phase === 'verified' ? undefined : everything;
}

/** Details of a submission that its words need. */
export interface Asked {
  readonly reference: string;
  readonly form?: FormFacts | undefined;
  /** Purposes shown as on by default, which the submission confirms if the center's setting says so. */
  readonly confirms: readonly string[];
  readonly isObjection: boolean;
  /** The submission is one click: everything is withdrawn without a reading first. */
  readonly isOneClick: boolean;
  /** The submission that this one undoes. */
  readonly undoes?: string | undefined;
}

export interface Call {
  readonly order: number;
  readonly at: number;
  /** The body of a PUT; undefined: the call is a DELETE. */
  readonly update: ConsentUpdate | undefined;
  /**
   * Purposes whose refusal is recorded: a first PUT includes them, and this call follows at once, even if the
   * first answer was lost.
   */
  readonly refusals: readonly string[];
  /** Purposes that the call removes, by the reading before it; undefined: there was no reading. */
  readonly off: readonly string[] | undefined;
  /** Keys that the call was made for. */
  readonly keys: readonly string[];
  /** The submission under which its side effects are reported. */
  readonly by: string;
  /** The answer; undefined while there is none. `refused`: purposes that the answer rejects or leaves out. */
  readonly answer?:
    | {
        readonly at: number;
        readonly refused: readonly string[];
        readonly receipt: string | undefined;
        /** For a DELETE without a reading: purposes that the answer says were withdrawn. */
        readonly withdrawn?: readonly string[] | undefined;
      }
    | undefined;
  /** True once the side effects of the call were looked for. */
  readonly isChecked?: boolean | undefined;
  /** Purposes seen on since then that the call does not carry: if it lands late, it removes them. */
  readonly beside?: readonly string[] | undefined;
}

/** `agreed`: an objection left the purpose on, because the person had agreed to it. */
export type LineOutcome = Outcome | 'agreed';

/** The result of one word: evidence, written once. A later line about the same key adds to it. */
export interface Line {
  readonly by: string;
  /** A key, `everything`, or (`isKept`) the key of a purpose that no word asked about. */
  readonly key: string;
  readonly outcome: LineOutcome;
  /** The row of the table that decided. */
  readonly row: string;
  /** The word withdraws. */
  readonly isOff: boolean;
  readonly at: number;
  readonly before?: DesiredItem['before'];
  readonly receipt?: string | undefined;
  /** The line names a side effect: no word asked for it. */
  readonly isKept?: boolean | undefined;
}

/** Bounds, in milliseconds. */
export interface Limits {
  /**
   * The greatest age of a reading's state: for so long after an answered write the platform may show the
   * state before it.
   */
  readonly lag: number;
  /** A grant or a typed value is sent within this time, or never. */
  readonly grantLife: number;
  /** The longest time in which a call without an answer may still land. */
  readonly doubt: number;
  readonly formLife: number;
  /** Times of readings after a call in doubt; the last reading is at `doubt` plus `lag`. */
  readonly looks: readonly number[];
  /** The pause before a surprising reading is confirmed. */
  readonly confirmAfter: number;
  /**
   * The longest time that "everything" waits for a schema, which tells the purposes that are on by default.
   */
  readonly schemaAwaited: number;
  /** The greatest age of a schema for a grant. */
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

/** The parts of the key of a purpose or choice; `choice`: a topic, or a preference. */
export function partsOf(key: string) {
  return key.split(' ') as [kind: string, purpose: string, choice: string, option?: string];
}

/** The purpose that a key names or belongs to; '' for an element and the language. */
export function purposeOf(key: string): string {
  const [kind, purpose] = partsOf(key);
  return kind === 'purpose' || kind === 'topic' || kind === 'option' ? purpose : '';
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

/** All words of a center: "everything", if it was said, is one. */
export function wordsIn({ items, everything }: DesiredCenter): readonly DesiredItem[] {
  return everything === undefined ? items : [...items, { ...everything, key: keyOf.everything, want: 'off' }];
}

const itemByKey = firstByKey<DesiredItem>(({ key }) => key);

export function itemAt({ items }: Pick<DesiredCenter, 'items'>, key: string): DesiredItem | undefined {
  return itemByKey(items, key);
}

const itemsByPurpose = byKey<DesiredItem>(({ key }) => purposeOf(key));

/** Words about a purpose and its choices. */
export function itemsOf({ items }: Pick<DesiredCenter, 'items'>, purpose: string): readonly DesiredItem[] {
  return itemsByPurpose(items, purpose);
}

/** The submissions that said the word. */
export function sayersOf({ by, also }: DesiredItem): readonly string[] {
  return also === undefined ? [by] : [by, also];
}

export function isSaidBy(item: DesiredItem, reference: string): boolean {
  return sayersOf(item).includes(reference);
}

const askedByReference = firstByKey<Asked>(({ reference }) => reference);

export function askedBy({ asked }: Pick<DesiredCenter, 'asked'>, reference: string): Asked | undefined {
  return askedByReference(asked, reference);
}

/** True if the call has no answer: it may still land. */
export function isInDoubt({ answer }: Call): boolean {
  return answer === undefined;
}

/** The time from which a call can have no effect any more, not even one that an old reading hides. */
export function endOf({ at, answer }: Call, { doubt, lag }: Limits): number {
  return answer === undefined ? at + doubt + lag : answer.at + lag;
}

/** The calls in doubt of all centers, because two centers may share one consent. */
export function callsInDoubt({ centers }: DesiredState): readonly Call[] {
  return centers.flatMap(({ calls }) => calls.filter(isInDoubt));
}

const carried = new WeakMap<Pick<Call, 'update' | 'refusals'>, readonly string[]>();

/** Keys that a call switches on, or keeps on. Each call has one list, so that it is indexed once. */
export function carriedBy(call: Pick<Call, 'update' | 'refusals'>): readonly string[] {
  const { update, refusals } = call;
  return carried.getOrInsertComputed(call, () => [...refusals.map(keyOf.purpose), ...carriedIn(update)]);
}

/** Keys that stay on by the update, once the purposes whose refusal is recorded are off. */
export function carriedIn(update: ConsentUpdate | undefined): readonly string[] {
  const sent = update?.purposes ?? [];
  return sent.flatMap(({ id, topics, preferences }) => [
    keyOf.purpose(id),
    ...topics.map((topic) => keyOf.topic(id, topic)),
    ...preferences.flatMap((each) => each.options.map((option) => keyOf.option(id, each.id, option))),
  ]);
}

/**
 * Progress of a withdrawal that a page shows as done. `called`: its call was made, so the record may show it.
 * `said`: there is no call yet, so a form must note what is on record.
 */
export function beingWithdrawn(center: DesiredCenter, purpose: string): 'said' | 'called' | undefined {
  const floor = floorUnderway(center);
  const word = itemAt(center, keyOf.purpose(purpose));
  if (word?.want === 'off' && word.phase === 'sent') return 'called';
  if (floor !== undefined && (word?.order ?? 0) <= floor.order)
    return floor.call === undefined ? 'said' : 'called';
  return word?.want === 'off' && word.phase === 'open' ? 'said' : undefined;
}

export function lineOf(
  { by, key, want, before }: DesiredItem,
  end: Pick<Line, 'outcome' | 'row' | 'at' | 'receipt'>,
): Line {
  return { by, key, isOff: want === 'off', before, ...end };
}

/** True if no submission spoke about the key: the item only notes that it was on. */
export function isNoWord({ by }: DesiredItem): boolean {
  return by === '';
}

/** True if the word says a value of a data element, or the language. */
export function isTyped(item: DesiredItem): item is DesiredItem & { readonly want: Exclude<Want, string> } {
  return typeof item.want !== 'string';
}

/** True if the word is not carried out yet, or its result is unknown. */
export function isUnsettled({ phase }: DesiredItem): boolean {
  return phase === 'open' || phase === 'sent' || phase === 'in-doubt';
}
