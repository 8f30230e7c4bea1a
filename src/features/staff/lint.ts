import { type Brand, brandFaults } from '../../core/model/center/brand.ts';
import type { Center, CenterPage, LabelName, Text } from '../../core/model/center/center.ts';
import { toldSentence } from '../../core/model/center/told-member.ts';
import { findLabel } from '../../i18n/label.ts';
import { chooseText, isSameLanguage } from '../../i18n/language.ts';
import type { Finding } from './finding-words.ts';
import { lintTexts, type NamedText } from './lint-texts.ts';

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
    ...center.unread.map(({ code, words }) => ({ code, where: 'Schema of the center', said: { words } })),
    ...center.told.map(
      (member): Finding => ({
        code: member.verdict === 'refused' ? 'refused' : 'not-honoured',
        where: member.path,
        said: { words: toldSentence(member) },
      }),
    ),
    ...missingLabels(center),
    ...(brand === undefined ? [] : brandFaults(brand)).map(
      (words): Finding => ({ code: 'brand', where: 'Brand in the centers file', said: { words } }),
    ),
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
    .map(({ language }) => ({ code: 'empty-translation', language, where }));
}

function missingTranslations({ where, text, needed }: NamedText, center: Center): readonly Finding[] {
  const said = text.entries.filter((entry) => !isBlank(entry.text));
  const hasPlain = text.plain !== undefined && !isBlank(text.plain);
  if (said.length === 0 && !hasPlain) return needed ? [{ code: 'no-text', where }] : [];
  return center.languages
    .filter((language) => !said.some((entry) => isSameLanguage(entry.language, language)))
    .map((language) => ({
      code: 'not-translated',
      language,
      where,
      said: { shown: fallback(text, language, center) },
    }));
}

function fallback(text: Text, language: string, center: Center): string {
  const shown = chooseText(text, language, center.defaultLanguage);
  return shown?.lang === undefined ? 'the untranslated label' : `the text in ${shown.lang}`;
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
      .map((name): Finding => ({ code: 'no-label', language, where: `General label “${name}”` })),
  );
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
  const { defaultLanguage } = center;
  const name = chooseText(page.name, defaultLanguage, defaultLanguage)?.text ?? `Page ${at + 1}`;
  return [{ code: 'more-steps', where: `Page “${name}”`, said: { withdraw, grant } }];
}
