/** What a person newly wants: the difference between what a page drew and what came back from it. */
export interface Intent {
  readonly purposes: readonly PurposeChange[];
  readonly dataElements: readonly DataElementChange[];
  /** The language to keep as the person's language, a tag of the center. */
  readonly language: string | undefined;
  /** "Unsubscribe all": everything is withdrawn (DELETE); `purposes` is then empty. */
  readonly everything: 'withdraw' | undefined;
}

export type PurposeChange =
  /** Newly switched on. `topics` and `options` are all that was ticked, the `…Off` what was un-ticked. */
  | {
      readonly kind: 'on';
      readonly purpose: string;
      readonly topics: readonly string[];
      readonly topicsOff: readonly string[];
      readonly options: readonly OptionChange[];
      readonly optionsOff: readonly OptionChange[];
    }
  /** Newly switched off; its topics and options no longer matter. */
  | { readonly kind: 'off'; readonly purpose: string }
  /** Stays on, with topics or options newly chosen or un-chosen. */
  | {
      readonly kind: 'adjust';
      readonly purpose: string;
      readonly topicsOn: readonly string[];
      readonly topicsOff: readonly string[];
      readonly optionsOn: readonly OptionChange[];
      readonly optionsOff: readonly OptionChange[];
    };

export interface OptionChange {
  readonly preference: string;
  readonly option: string;
}

export interface DataElementChange {
  readonly element: string;
  readonly label: string;
  /** As it goes over the wire; '' clears it. */
  readonly value: string;
}

export const noIntent: Intent = {
  purposes: [],
  dataElements: [],
  language: undefined,
  everything: undefined,
};

/** A call that takes something back must never be lost; one that grants or types must never come late. */
export function withdraws(intent: Intent): boolean {
  return intent.everything === 'withdraw' || intent.purposes.some((change) => change.kind === 'off');
}

/** The part of an intent that is retried without end: what was switched off. */
export function withdrawalsOf(intent: Intent): Intent {
  return {
    ...noIntent,
    purposes: intent.purposes.filter((change) => change.kind === 'off'),
    everything: intent.everything,
  };
}

/** Nothing is wished at all. */
export function isEmptyIntent(intent: Intent): boolean {
  const wishes = intent.purposes.length + intent.dataElements.length;
  return wishes === 0 && intent.language === undefined && intent.everything === undefined;
}
