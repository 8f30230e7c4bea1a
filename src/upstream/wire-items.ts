import type { Option, Preference, Purpose, Topic } from '../core/model/center/center.ts';
import type { Notes } from './notes.ts';
import { htmlText } from './wire-html.ts';
import * as wire from './wire-shape.ts';
import { hasText, plainText, type RawEntry } from './wire-text.ts';

/** A translation of either family: `Default` or `isDefault`; the member of its text depends on what it translates. */
const translation = wire.shape({
  language: wire.text,
  default: wire.flag,
  isDefault: wire.flag,
  name: wire.text,
  description: wire.text,
  content: wire.text,
  hardOptOutMessage: wire.text,
  options: wire.list,
  dataElementOptions: wire.list,
});

type Translation = wire.Read<typeof translation>;

export function readTranslations(items: readonly unknown[]): Translation[] {
  return wire.readable(items, translation);
}

export function textsOf(
  translations: readonly Translation[],
  member: 'name' | 'description' | 'content' | 'hardOptOutMessage',
): RawEntry[] {
  return translations.map((entry) => ({
    text: entry[member],
    language: entry.language,
    isDefault: entry.isDefault ?? entry.default ?? false,
  }));
}

const purposeShape = wire.shape({
  id: wire.id,
  version: wire.number,
  order: wire.number,
  label: wire.text,
  name: wire.text,
  description: wire.text,
  hardOptOutMessage: wire.text,
  status: wire.text,
  purposeType: wire.text,
  defaultConsentStatus: wire.text,
  visibility: wire.text,
  lifeSpan: wire.number,
  languages: wire.list,
  topics: wire.list,
  customPreferences: wire.list,
});

export interface OrderedPurpose {
  readonly id: string;
  readonly order: number | undefined;
  readonly purpose: Purpose;
}

/** Purposes in `order`. `known`: the same purposes by the single-page schema, with members that Multi Page lacks. */
export function readPurposes(
  items: readonly unknown[],
  { notes, known }: { notes: Notes; known?: ReadonlyMap<string, Purpose> | undefined },
): OrderedPurpose[] {
  const read = wire.readEach(items, purposeShape, { notes, what: 'A purpose' });
  const ordered = wire.inOrder(read).map((raw) => {
    const purpose = purposeOf(raw, { notes, twin: known?.get(raw.id) });
    return { id: raw.id, order: raw.order, purpose };
  });
  return wire.firstOfEach(ordered, { notes, what: 'A purpose' });
}

function purposeOf(
  raw: wire.Read<typeof purposeShape>,
  { notes, twin }: { notes: Notes; twin: Purpose | undefined },
): Purpose {
  const translations = readTranslations(raw.languages);
  const name = plainText(textsOf(translations, 'name'), raw.label ?? raw.name);
  const called = `the purpose “${name.plain ?? name.entries[0]?.text ?? raw.id}”`;
  if (!hasText(name)) notes.say(`${called} has no name`, 'no-name');
  const hardOptOutMessage = plainText(textsOf(translations, 'hardOptOutMessage'), raw.hardOptOutMessage);
  const type = raw.purposeType?.trim().toUpperCase();
  const startsAs = raw.defaultConsentStatus?.trim().toUpperCase();
  const lifeSpan = raw.lifeSpan ?? twin?.lifeSpan;
  const version = raw.version ?? twin?.version;
  return {
    id: raw.id,
    ...(version === undefined ? {} : { version }),
    name: hasText(name) ? name : { entries: [], plain: raw.id },
    description: htmlText(textsOf(translations, 'description'), raw.description, {
      notes,
      what: `the description of ${called}`,
    }),
    active: raw.status === undefined ? (twin?.active ?? true) : raw.status.trim().toUpperCase() === 'ACTIVE',
    ...(isUnderstood(raw) && twin?.leavingOnly !== true ? {} : { leavingOnly: true }),
    kind:
      type === undefined
        ? (twin?.kind ?? 'standard')
        : type === 'NOTIFICATION_OPT_OUT'
          ? 'notification'
          : 'standard',
    onByDefault: startsAs === undefined ? (twin?.onByDefault ?? false) : startsAs === 'ACTIVE',
    visibility: wire.known(raw.visibility, visibilities) ?? 'all',
    hardOptOutMessage: hasText(hardOptOutMessage)
      ? hardOptOutMessage
      : (twin?.hardOptOutMessage ?? hardOptOutMessage),
    lifeSpan: lifeSpan !== undefined && lifeSpan > 0 ? lifeSpan : undefined,
    topics: readTopics(raw.topics, { notes, called }),
    preferences: readPreferences(raw.customPreferences, { notes, called }),
  };
}

/** An unknown type or visibility is not understood: the purpose can be withdrawn, and not granted. */
function isUnderstood({ purposeType, visibility }: wire.Read<typeof purposeShape>): boolean {
  const isKnown = (value: string | undefined, words: Readonly<Record<string, string>>) =>
    wire.saysNothing(value) || wire.known(value, words) !== undefined;
  return isKnown(purposeType, understood) && isKnown(visibility, visibilities);
}

const understood = { STANDARD: 'standard', NOTIFICATION_OPT_OUT: 'notification' } as const;

export const visibilities = {
  VISIBLE_TO_ALL: 'all',
  VISIBLE_TO_CONSENTED: 'consented',
  VISIBLE_TO_PRIOR_CONSENTED: 'prior-consented',
} as const;

const topicShape = wire.shape({
  id: wire.id,
  order: wire.number,
  name: wire.text,
  label: wire.text,
  languages: wire.list,
});

function readTopics(items: readonly unknown[], { notes, called }: { notes: Notes; called: string }): Topic[] {
  const about = { notes, what: `A topic of ${called}` };
  const topics = wire.inOrder(wire.readEach(items, topicShape, about)).map((raw) => {
    const name = plainText(textsOf(readTranslations(raw.languages), 'name'), raw.name ?? raw.label);
    if (!hasText(name)) notes.say(`A topic of ${called} has no name`, 'no-name');
    return { id: raw.id, name: hasText(name) ? name : { entries: [], plain: raw.id } };
  });
  return wire.firstOfEach(topics, about);
}

const preferenceShape = wire.shape({
  id: wire.id,
  order: wire.number,
  name: wire.text,
  label: wire.text,
  description: wire.text,
  selectionType: wire.text,
  displayAs: wire.text,
  required: wire.flag,
  languages: wire.list,
  options: wire.list,
  customPreferenceOptions: wire.list,
});

function readPreferences(
  items: readonly unknown[],
  { notes, called }: { notes: Notes; called: string },
): Preference[] {
  const about = { notes, what: `A preference of ${called}` };
  const preferences = wire
    .inOrder(wire.readEach(items, preferenceShape, about))
    .flatMap((raw): Preference[] => {
      const translations = readTranslations(raw.languages);
      const name = plainText(textsOf(translations, 'name'), raw.name ?? raw.label);
      const what = `the preference “${name.plain ?? name.entries[0]?.text ?? raw.id}” of ${called}`;
      const written = raw.customPreferenceOptions.length > 0 ? raw.customPreferenceOptions : raw.options;
      const options = readOptions(written, { notes, what, translations });
      if (options.length === 0) {
        notes.drop(`${what} has no options and was left out`);
        return [];
      }
      const choice = raw.selectionType?.trim().toUpperCase() === 'SINGLE_CHOICE' ? 'single' : 'multiple';
      return [
        {
          id: raw.id,
          name: hasText(name) ? name : { entries: [], plain: raw.id },
          description: htmlText(textsOf(translations, 'description'), raw.description, { notes, what }),
          choice,
          display:
            wire.known(raw.displayAs, displays) ?? (choice === 'single' ? 'radio-buttons' : 'checkboxes'),
          required: raw.required ?? false,
          options,
        },
      ];
    });
  return wire.firstOfEach(preferences, about);
}

export const displays = {
  BUTTONS: 'buttons',
  CHECKBOXES: 'checkboxes',
  DROPDOWN: 'dropdown',
  RADIO_BUTTONS: 'radio-buttons',
} as const;

const optionShape = wire.shape({
  id: wire.id,
  order: wire.number,
  label: wire.text,
  name: wire.text,
  isDefault: wire.flag,
  languages: wire.list,
});

/** The single-page family translates options inside the preference's languages, Multi Page inside each option. */
function readOptions(
  items: readonly unknown[],
  { notes, what, translations }: { notes: Notes; what: string; translations: readonly Translation[] },
): Option[] {
  const about = { notes, what: `An option of ${what}` };
  const elsewhere = new Map<string, RawEntry[]>();
  for (const { language, isDefault, default: isDefaultV1, options } of translations) {
    for (const { id, label, name } of wire.readable(options, optionShape)) {
      const entry = { text: label ?? name, language, isDefault: isDefault ?? isDefaultV1 ?? false };
      const found = elsewhere.get(id);
      if (found === undefined) elsewhere.set(id, [entry]);
      else found.push(entry);
    }
  }
  const options = wire.inOrder(wire.readEach(items, optionShape, about)).map((raw) => {
    const own = textsOf(readTranslations(raw.languages), 'name');
    const name = plainText([...own, ...(elsewhere.get(raw.id) ?? [])], raw.label ?? raw.name);
    if (!hasText(name)) notes.say(`An option of ${what} has no name`, 'no-name');
    return {
      id: raw.id,
      name: hasText(name) ? name : { entries: [], plain: raw.id },
      isDefault: raw.isDefault ?? false,
    };
  });
  return wire.firstOfEach(options, about);
}
