import type { Tone } from '../../pages/staff-page.ts';

export type FindingCode = keyof typeof wordsOf;

/**
 * A finding: something that an editor of the center can correct. `findingWords` has the words of its code.
 */
export interface Finding {
  readonly code: FindingCode;
  /** The language tag as the center spells it; undefined when the finding concerns every language. */
  readonly language?: string | undefined;
  readonly where: string;
  /** Values for the names in braces in the sentence of the code. */
  readonly said?: Readonly<Record<string, string | number>>;
}

/** The kinds by which findings are grouped and filtered. */
export const kindNames = {
  translation: 'Missing translation',
  'empty-label': 'Empty text',
  'unsafe-html': 'Unsafe HTML removed',
  unread: 'Could not be read',
  'not-honoured': 'Not honoured here',
  'general-label': 'General label missing',
  contrast: 'Contrast and brand',
  withdrawal: 'Steps to withdraw',
} as const;

export type FindingKind = keyof typeof kindNames;

/** The weights with their texts, the heaviest first. */
export const weights: Readonly<Record<Weight, readonly [string, Tone]>> = {
  problem: ['Problem', 'problem'],
  warning: ['Warning', 'warning'],
  note: ['Note', 'neutral'],
};

export type Weight = 'problem' | 'warning' | 'note';

interface FindingWords {
  readonly kind: FindingKind;
  readonly weight: Weight;
  /** The sentence; undefined if the finding brings its own words. */
  readonly what?: string;
  readonly advice: string;
}

const wordsOf = {
  'no-text': {
    kind: 'empty-label',
    weight: 'problem',
    what: 'It has no text in any language.',
    advice: 'Give it a text: people see an id, or nothing, in its place.',
  },
  'empty-translation': {
    kind: 'empty-label',
    weight: 'warning',
    what: 'The text is empty in this language.',
    advice: 'Write it, or remove the language from this item.',
  },
  'not-translated': {
    kind: 'translation',
    weight: 'warning',
    what: 'It is not translated; people see {shown} instead.',
    advice: 'Add the translation in the platform and publish the center again.',
  },
  'left-out': {
    kind: 'unread',
    weight: 'problem',
    advice: 'Correct it in the platform: people do not see this part.',
  },
  'html-removed': {
    kind: 'unsafe-html',
    weight: 'warning',
    advice: 'Remove it in the platform: it is never shown here, but other channels may show it.',
  },
  'no-name': {
    kind: 'empty-label',
    weight: 'problem',
    advice: 'Give it a name: people see an id, or nothing, in its place.',
  },
  'not-honoured': {
    kind: 'not-honoured',
    weight: 'warning',
    advice: 'Look at the preview: if people need it, express it in another way in the platform.',
  },
  refused: {
    kind: 'not-honoured',
    weight: 'problem',
    advice: 'Nothing can be granted in this center until it is corrected in the platform.',
  },
  'no-label': {
    kind: 'general-label',
    weight: 'note',
    what: 'The center does not say it; our own words are shown.',
    advice: 'Fill it in among the labels of the center if the words matter to you.',
  },
  brand: {
    kind: 'contrast',
    weight: 'problem',
    advice: 'Correct the brand of this center in the centers file.',
  },
  'more-steps': {
    kind: 'withdrawal',
    weight: 'problem',
    what: 'Withdrawing from all takes {withdraw} steps, granting it takes {grant}.',
    advice: 'Show “unsubscribe from all” on this page, or hide “subscribe to all”.',
  },
} satisfies Readonly<Record<string, FindingWords>>;

export const findingWords: Readonly<Record<FindingCode, FindingWords>> = wordsOf;

export function weightOf({ code }: Finding): Weight {
  return findingWords[code].weight;
}

/** The sentence of a finding. */
export function whatOf({ code, said = {} }: Finding): string {
  const { what = '{words}.' } = findingWords[code];
  return what.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(said[name]));
}
