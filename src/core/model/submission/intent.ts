import { byKey } from '../by-key.ts';

/** The changes that a person asks for: the difference between the page as shown and the form as posted. */
export interface Intent {
  readonly purposes: readonly PurposeChange[];
  readonly dataElements: readonly DataElementChange[];
  /** The person's new language, a tag of the center. */
  readonly language: string | undefined;
  /** "Unsubscribe all": a DELETE withdraws all purposes; `purposes` is then empty. */
  readonly everything: 'withdraw' | undefined;
}

export type PurposeChange =
  /**
   * The purpose is newly switched on. `topics` and `options` are all that were ticked, the `…Off` lists those
   * that were un-ticked.
   */
  | {
      readonly kind: 'on';
      readonly purpose: string;
      readonly renews?: undefined;
      readonly topics: readonly string[];
      readonly topicsOff: readonly string[];
      readonly options: readonly OptionChange[];
      readonly optionsOff: readonly OptionChange[];
    }
  /** The purpose is newly switched off; its topics and options no longer matter. */
  | { readonly kind: 'off'; readonly purpose: string }
  /**
   * The purpose stays on, and topics or options are newly chosen or un-chosen. An option that a single choice
   * replaces does not count as un-chosen.
   */
  | {
      readonly kind: 'adjust';
      readonly purpose: string;
      /** Set if the person agrees again before the life span of the consent ends. */
      readonly renews?: true | undefined;
      readonly topicsOn: readonly string[];
      readonly topicsOff: readonly string[];
      readonly optionsOn: readonly OptionChange[];
      readonly optionsOff: readonly OptionChange[];
    }
  /** The purpose stays on, less some topics or options: a withdrawal, which never adds consent. */
  | {
      readonly kind: 'reduce';
      readonly purpose: string;
      readonly renews?: undefined;
      readonly topicsOff: readonly string[];
      readonly optionsOff: readonly OptionChange[];
    };

export type Withdrawal = Extract<PurposeChange, { kind: 'off' | 'reduce' }>;

export interface OptionChange {
  readonly preference: string;
  readonly option: string;
}

export interface DataElementChange {
  readonly element: string;
  readonly label: string;
  /** The value for the wire; '' clears it. */
  readonly value: string;
}

const changesOfPurposes = byKey<PurposeChange>(({ purpose }) => purpose);

export function changeOf({ purposes }: Pick<Intent, 'purposes'>, purpose: string): PurposeChange | undefined {
  return changesOfPurposes(purposes, purpose)[0];
}

export const noIntent: Intent = {
  purposes: [],
  dataElements: [],
  language: undefined,
  everything: undefined,
};

/**
 * Whether the intent withdraws anything. A withdrawal must never be lost; a grant or typed value must never
 * come late.
 */
export function withdraws(intent: Intent): boolean {
  return !isEmptyIntent(withdrawalsOf(intent));
}

/** Whether the intent switches a purpose on, or adds to one. */
export function grants({ purposes }: Pick<Intent, 'purposes'>): boolean {
  return purposes.some(({ kind }) => kind === 'on' || kind === 'adjust');
}

/** The withdrawals of an intent: the part that is retried without end. */
export function withdrawalsOf(intent: Intent): Intent {
  const purposes = intent.purposes.flatMap((change) => withdrawalIn(change) ?? []);
  return { ...noIntent, purposes, everything: intent.everything };
}

/** The change of a purpose that stays on: an `adjust` if it adds a topic or option, otherwise a `reduce`. */
export function adjustment(change: Omit<Extract<PurposeChange, { kind: 'adjust' }>, 'kind'>): PurposeChange {
  const { purpose, topicsOn, topicsOff, optionsOn, optionsOff } = change;
  if (topicsOn.length + optionsOn.length > 0) return { kind: 'adjust', ...change };
  return { kind: 'reduce', purpose, topicsOff, optionsOff };
}

/** The topics and options that a change adds. */
export function choicesIn(change: PurposeChange) {
  if (change.kind === 'on') return change;
  if (change.kind === 'adjust') return { topics: change.topicsOn, options: change.optionsOn };
  return { topics: [], options: [] };
}

/** The withdrawal in a change, without its grants; undefined if it withdraws nothing. */
export function withdrawalIn(change: PurposeChange): Withdrawal | undefined {
  if (change.kind === 'off' || change.kind === 'reduce') return change;
  const { purpose, topicsOff, optionsOff } = change;
  if (change.kind === 'on' || topicsOff.length + optionsOff.length === 0) return undefined;
  return { kind: 'reduce', purpose, topicsOff, optionsOff };
}

/** Whether the intent asks for no change at all. */
export function isEmptyIntent(intent: Intent): boolean {
  const changes = intent.purposes.length + intent.dataElements.length;
  return changes === 0 && intent.language === undefined && intent.everything === undefined;
}
