import type {
  Center,
  CenterPage,
  Item,
  Preference,
  Purpose,
  Section,
  Text,
} from '../../core/model/center/center.ts';
import { chooseText } from '../../i18n/language.ts';

/** A text of a center, and where an editor finds it. `needed`: people see a gap when it says nothing. */
export interface NamedText {
  readonly where: string;
  readonly text: Text;
  readonly needed: boolean;
}

/** Every text of a center that people may see, in the order of its pages; what stands on several pages comes once. */
export function lintTexts(center: Center): readonly NamedText[] {
  const nameOf = (text: Text, otherwise: string) =>
    chooseText(text, center.defaultLanguage, center.defaultLanguage)?.text ?? otherwise;
  const one = (where: string, text: Text, needed: boolean): NamedText => ({ where, text, needed });

  const preferenceTexts = (preference: Preference, purpose: string): readonly NamedText[] => {
    const name = `Preference “${nameOf(preference.name, preference.id)}” of “${purpose}”`;
    return [
      one(name, preference.name, true),
      one(`${name}, description`, preference.description, false),
      ...preference.options.map((option) =>
        one(`${name}, option “${nameOf(option.name, option.id)}”`, option.name, true),
      ),
    ];
  };

  const purposeTexts = (purpose: Purpose): readonly NamedText[] => {
    if (!purpose.active) return [];
    const name = nameOf(purpose.name, purpose.id);
    return [
      one(`Purpose “${name}”`, purpose.name, true),
      one(`Purpose “${name}”, description`, purpose.description, false),
      ...purpose.topics.map((topic) =>
        one(`Topic “${nameOf(topic.name, topic.id)}” of “${name}”`, topic.name, true),
      ),
      ...purpose.preferences.flatMap((preference) => preferenceTexts(preference, name)),
    ];
  };

  const itemTexts = (item: Item, section: string): readonly NamedText[] => {
    if (item.kind === 'purpose') return purposeTexts(item.purpose);
    if (item.kind === 'text') return [one(`Text block in ${section}`, item.html, false)];
    const { element } = item;
    if (element.hidden) return [];
    const name = `Data element “${element.label}”`;
    return [
      one(name, element.name, true),
      ...element.options.map((option) => one(`${name}, choice “${option.value}”`, option.name, true)),
    ];
  };

  const sectionTexts = (section: Section, at: number, page: string): readonly NamedText[] => {
    const name = `section ${at + 1} of ${page}`;
    return [
      // A profile and the settings of a subscription have a heading of their own without a name.
      ...(section.name === undefined ? [] : [one(`Heading of ${name}`, section.name, false)]),
      ...(section.description === undefined
        ? []
        : [one(`Description of ${name}`, section.description, false)]),
      ...section.items.flatMap((item) => itemTexts(item, name)),
    ];
  };

  const pageTexts = (page: CenterPage, at: number): readonly NamedText[] => {
    const name = nameOf(page.name, `page ${at + 1}`);
    const called = center.pages.length > 1 ? [one(`Page “${name}”, name`, page.name, page.navigation)] : [];
    return [
      ...called,
      ...page.sections.flatMap((section, number) => sectionTexts(section, number, `“${name}”`)),
    ];
  };

  const all = [
    one('Welcome text', center.welcome, false),
    ...center.pages.flatMap(pageTexts),
    ...(center.reasons?.choices ?? []).map((choice) =>
      one(`Reason for leaving “${nameOf(choice.name, choice.id)}”`, choice.name, true),
    ),
  ];
  const seen = new Set<string>();
  return all.filter(({ where, text }) => {
    const key = JSON.stringify([where, text]);
    return seen.has(key) ? false : seen.add(key);
  });
}
