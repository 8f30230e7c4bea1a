import { type Brand, brandFaults } from '../../core/model/center/brand.ts';
import type {
  Center,
  CenterPage,
  DataElement,
  LabelName,
  Purpose,
  Section,
  Text,
} from '../../core/model/center/center.ts';
import { toldSentence } from '../../core/model/center/told-member.ts';
import { findLabel } from '../../i18n/label.ts';
import { chooseText, isSameLanguage } from '../../i18n/language.ts';
import type { Finding } from './finding-words.ts';
import { ownText } from './submission-words.ts';

/**
 * Finds what is missing or wrong in a center as it was read:
 * 1. texts without a translation into a language of the center, and texts that are empty;
 * 2. parts that were removed or could not be read;
 * 3. members that are not honoured;
 * 4. general labels without a text of the center;
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

/** Translations that exist but are empty. */
function emptyEntries({ where, text }: NamedText): readonly Finding[] {
  return text.entries
    .filter((entry) => isBlank(entry.text))
    .map(({ language }) => ({ code: 'empty-translation', language, where }));
}

function missingTranslations({ where, text, needed }: NamedText, center: Center): readonly Finding[] {
  const filled = text.entries.filter((entry) => !isBlank(entry.text));
  const hasPlain = text.plain !== undefined && !isBlank(text.plain);
  if (filled.length === 0 && !hasPlain) return needed ? [{ code: 'no-text', where }] : [];
  return center.languages
    .filter((language) => !filled.some((entry) => isSameLanguage(entry.language, language)))
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

/** Labels that the center does not have. The page then shows our own words, which may not fit the center. */
function missingLabels(center: Center): readonly Finding[] {
  const names: readonly LabelName[] =
    center.reasons === undefined ? needed : [...needed, 'reasons-title', 'reasons-message'];
  return center.languages.flatMap((language) =>
    names
      .filter((name) => findLabel(center, language, name) === undefined)
      .map((name): Finding => ({ code: 'no-label', language, where: `General label “${name}”` })),
  );
}

/**
 * The number of steps to grant and to withdraw all purposes of a page: by single switches and saving, or by
 * the button for all, whichever is shorter. Each press of a button, link or switch is a step.
 */
export function stepsOf(page: CenterPage) {
  const purposes = page.sections
    .flatMap((section) => section.items)
    .filter((item) => item.kind === 'purpose' && item.purpose.active).length;
  const bySwitches = purposes + 1;
  // Both ways have a second step: the button needs saving, and the link leads to a page with a button.
  const atOnce = Math.min(2, bySwitches);
  return {
    grant: page.subscribeAll ? atOnce : bySwitches,
    withdraw: page.unsubscribeAll ? atOnce : bySwitches,
  };
}

function stepFindings(page: CenterPage, at: number, center: Center): readonly Finding[] {
  const { grant, withdraw } = stepsOf(page);
  if (withdraw <= grant) return [];
  const name = ownText(center, page.name) ?? `Page ${at + 1}`;
  return [{ code: 'more-steps', where: `Page “${name}”`, said: { withdraw, grant } }];
}

/** A text of a center, and the place where an editor finds it. `needed`: without it, people see a gap. */
interface NamedText {
  readonly where: string;
  readonly text: Text;
  readonly needed: boolean;
}

/**
 * Every text of a center that people may see, in the order of its pages. A text on several pages comes once.
 */
function lintTexts(center: Center): readonly NamedText[] {
  const same = Map.groupBy(everyText(center), ({ where, text }) => JSON.stringify([where, text]));
  return [...same.values()].flatMap(([first]) => first ?? []);
}

function* everyText(center: Center): Generator<NamedText> {
  const nameOf = (text: Text, otherwise: string) => ownText(center, text) ?? otherwise;
  const one = (where: string, text: Text, needed: boolean): NamedText => ({ where, text, needed });

  function* purposeTexts(purpose: Purpose) {
    if (!purpose.active) return;
    const name = nameOf(purpose.name, purpose.id);
    yield one(`Purpose “${name}”`, purpose.name, true);
    yield one(`Purpose “${name}”, description`, purpose.description, false);
    for (const topic of purpose.topics)
      yield one(`Topic “${nameOf(topic.name, topic.id)}” of “${name}”`, topic.name, true);
    for (const preference of purpose.preferences) {
      const where = `Preference “${nameOf(preference.name, preference.id)}” of “${name}”`;
      yield one(where, preference.name, true);
      yield one(`${where}, description`, preference.description, false);
      for (const option of preference.options)
        yield one(`${where}, option “${nameOf(option.name, option.id)}”`, option.name, true);
    }
  }

  function* elementTexts(element: DataElement) {
    if (element.hidden) return;
    const name = `Data element “${element.label}”`;
    yield one(name, element.name, true);
    for (const option of element.options) yield one(`${name}, choice “${option.value}”`, option.name, true);
  }

  function* sectionTexts(section: Section, where: string) {
    // Sections for a profile or for subscription settings have their own heading if they have no name.
    if (section.name) yield one(`Heading of ${where}`, section.name, false);
    if (section.description) yield one(`Description of ${where}`, section.description, false);
    for (const item of section.items) {
      if (item.kind === 'purpose') yield* purposeTexts(item.purpose);
      else if (item.kind === 'data-element') yield* elementTexts(item.element);
      else yield one(`Text block in ${where}`, item.html, false);
    }
  }

  yield one('Welcome text', center.welcome, false);
  for (const [at, page] of center.pages.entries()) {
    const name = nameOf(page.name, `page ${at + 1}`);
    if (center.pages.length > 1) yield one(`Page “${name}”, name`, page.name, page.navigation);
    for (const [number, section] of page.sections.entries())
      yield* sectionTexts(section, `section ${number + 1} of “${name}”`);
  }
  for (const choice of center.reasons?.choices ?? [])
    yield one(`Reason for leaving “${nameOf(choice.name, choice.id)}”`, choice.name, true);
}
