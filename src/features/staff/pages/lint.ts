import { type Brand, brandFaults } from '../../../core/model/center/brand.ts';
import type { Center, CenterPage, LabelName, Text } from '../../../core/model/center/center.ts';
import { type ToldMember, toldSentence } from '../../../core/model/center/told-member.ts';
import { findLabel } from '../../../i18n/label.ts';
import { chooseText, isSameLanguage } from '../../../i18n/language.ts';
import { lintTexts, type NamedText } from './lint-texts.ts';

export type FindingKind =
  | 'translation'
  | 'empty-label'
  | 'unsafe-html'
  | 'unread'
  | 'not-honoured'
  | 'general-label'
  | 'contrast'
  | 'withdrawal';

/** Something that an editor of the center can act on. */
export interface Finding {
  readonly kind: FindingKind;
  readonly weight: 'problem' | 'warning' | 'note';
  /** As the center spells it; undefined when it concerns every language. */
  readonly language?: string | undefined;
  readonly where: string;
  readonly what: string;
  readonly advice: string;
}

/**
 * What is missing or wrong in a center as it was read:
 * 1. texts without a translation into a language of the center, and texts that are empty;
 * 2. what was taken out or could not be read on the way in;
 * 3. members that are not honoured;
 * 4. general labels that the center leaves to us;
 * 5. colours of the brand that do not read well;
 * 6. pages on which withdrawing takes more steps than granting.
 */
export function lintCenter(center: Center, brand: Brand | undefined): readonly Finding[] {
  const texts = lintTexts(center);
  return [
    ...texts.flatMap((text) => emptyEntries(text)),
    ...texts.flatMap((text) => missingTranslations(text, center)),
    ...center.unread.map(unreadFinding),
    ...center.told.map(toldFinding),
    ...missingLabels(center),
    ...(brand === undefined ? [] : brandFaults(brand)).map(contrastFinding),
    ...center.pages.flatMap((page, at) => stepFindings(page, at, center)),
  ];
}

function isBlank(text: string): boolean {
  return text.replace(/<[^>]*>/g, '').trim() === '';
}

/** A translation that is there and says nothing. */
function emptyEntries({ where, text }: NamedText): readonly Finding[] {
  return text.entries
    .filter((entry) => isBlank(entry.text))
    .map((entry) => ({
      kind: 'empty-label',
      weight: 'warning',
      language: entry.language,
      where,
      what: 'The text is empty in this language.',
      advice: 'Write it, or remove the language from this item.',
    }));
}

function missingTranslations({ where, text, needed }: NamedText, center: Center): readonly Finding[] {
  const said = text.entries.filter((entry) => !isBlank(entry.text));
  const hasPlain = text.plain !== undefined && !isBlank(text.plain);
  if (said.length === 0 && !hasPlain) {
    if (!needed) return [];
    const advice = 'Give it a text: people see an id, or nothing, in its place.';
    return [
      { kind: 'empty-label', weight: 'problem', where, what: 'It has no text in any language.', advice },
    ];
  }
  return center.languages
    .filter((language) => !said.some((entry) => isSameLanguage(entry.language, language)))
    .map((language) => ({
      kind: 'translation',
      weight: 'warning',
      language,
      where,
      what: `It is not translated; people see ${fallback(text, language, center)} instead.`,
      advice: 'Add the translation in the platform and publish the center again.',
    }));
}

function fallback(text: Text, language: string, center: Center): string {
  const shown = chooseText(text, language, center.defaultLanguage);
  return shown?.lang === undefined ? 'the untranslated label' : `the text in ${shown.lang}`;
}

/** The words are those of the reading (upstream); their ending tells the kind. */
function unreadFinding(words: string): Finding {
  const [, kind, weight, advice] = unreadKinds.find(([ending]) => words.endsWith(ending)) ?? unreadPart;
  return { kind, weight, where: 'Schema of the center', what: `${words}.`, advice };
}

type UnreadKind = readonly [ending: string, Finding['kind'], Finding['weight'], advice: string];
const unreadPart: UnreadKind = [
  '',
  'unread',
  'problem',
  'Correct it in the platform: people do not see this part.',
];
const unreadKinds: readonly UnreadKind[] = [
  [
    'was taken out',
    'unsafe-html',
    'warning',
    'Remove it in the platform: it is never shown here, but other channels may show it.',
  ],
  ['has no name', 'empty-label', 'problem', 'Give it a name: people see an id, or nothing, in its place.'],
];

function toldFinding(member: ToldMember): Finding {
  const isRefused = member.verdict === 'refused';
  return {
    kind: 'not-honoured',
    weight: isRefused ? 'problem' : 'warning',
    where: member.path,
    what: `${toldSentence(member)}.`,
    advice: isRefused
      ? 'Nothing can be granted in this center until it is corrected in the platform.'
      : 'Look at the preview: if people need it, express it in another way in the platform.',
  };
}

const needed: readonly LabelName[] = [
  'title',
  'change-preferences',
  'undo-changes',
  'unsubscribe-all',
  'update-success',
  'update-error',
  'unsubscribe-success',
];

/** Labels that are missing are written by us, so nothing is blank; the words may not be the center's. */
function missingLabels(center: Center): readonly Finding[] {
  const names: readonly LabelName[] =
    center.reasons === undefined ? needed : [...needed, 'reasons-title', 'reasons-message'];
  return center.languages.flatMap((language) =>
    names
      .filter((name) => findLabel(center, language, name) === undefined)
      .map(
        (name): Finding => ({
          kind: 'general-label',
          weight: 'note',
          language,
          where: `General label “${name}”`,
          what: 'The center does not say it; our own words are shown.',
          advice: 'Fill it in among the labels of the center if the words matter to you.',
        }),
      ),
  );
}

function contrastFinding(words: string): Finding {
  return {
    kind: 'contrast',
    weight: 'problem',
    where: 'Brand in the centers file',
    what: `${words}.`,
    advice: 'Correct the brand of this center in the centers file.',
  };
}

/** Steps: each press of a button, link or switch. */
export interface Steps {
  readonly grant: number;
  readonly withdraw: number;
}

/** Of everything on a page: by its switches and saving, or by the button for all, whichever is shorter. */
export function stepsOf(page: CenterPage): Steps {
  const purposes = page.sections
    .flatMap((section) => section.items)
    .filter((item) => item.kind === 'purpose' && item.purpose.active).length;
  const bySwitches = purposes + 1;
  // Both ask once more: the button, and saving what it switched on; the link, and the button of its page.
  const atOnce = Math.min(2, bySwitches);
  return {
    grant: page.subscribeAll ? atOnce : bySwitches,
    withdraw: page.unsubscribeAll ? atOnce : bySwitches,
  };
}

function stepFindings(page: CenterPage, at: number, center: Center): readonly Finding[] {
  const { grant, withdraw } = stepsOf(page);
  if (withdraw <= grant) return [];
  const name =
    chooseText(page.name, center.defaultLanguage, center.defaultLanguage)?.text ?? `Page ${at + 1}`;
  const what = `Withdrawing from all takes ${withdraw} steps, granting it takes ${grant}.`;
  return [
    {
      kind: 'withdrawal',
      weight: 'problem',
      where: `Page “${name}”`,
      what,
      advice: 'Show “unsubscribe from all” on this page, or hide “subscribe to all”.',
    },
  ];
}
