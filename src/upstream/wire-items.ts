import type { Option, Preference, Purpose, Text, Topic } from '../core/model/center/center.ts';
import * as members from './members/items.ts';
import { meaning, type Words } from './members/member.ts';
import type { About, Notes } from './notes.ts';
import { htmlText } from './wire-html.ts';
import * as wire from './wire-shape.ts';
import { hasText, plainText, type RawEntry } from './wire-text.ts';

type RawPurpose = wire.Read<typeof members.purpose>;
type Translation = wire.Read<typeof members.translation>;

export function textsOf(
  translations: readonly Translation[],
  member: 'name' | 'description' | 'content' | 'hardOptOutMessage',
): RawEntry[] {
  return translations.map((entry) => entryOf(entry, entry[member]));
}

/** Makes the entry of a translation. The families mark the default language by different members. */
export function entryOf(
  { language, isDefault, default: isDefaultV1 }: Pick<Translation, 'language' | 'isDefault' | 'default'>,
  text: string | undefined,
): RawEntry {
  return { text, language, isDefault: isDefault ?? isDefaultV1 ?? false };
}

/**
 * Reads purposes in `order`. `known`: the same purposes in the single-page schema, with members that Multi
 * Page lacks.
 */
export function readPurposes(
  items: readonly unknown[],
  { notes, known }: { notes: Notes; known?: ReadonlyMap<string, Purpose> | undefined },
) {
  return wire.readItems({ items, as: members.purpose, notes, what: 'A purpose' }, (raw) => {
    return { id: raw.id, order: raw.order, purpose: purposeOf(raw, { notes, twin: known?.get(raw.id) }) };
  });
}

/** The name of an item; its id if it has no name. */
function nameOf(
  { id, languages }: { readonly id: string; readonly languages: readonly Translation[] },
  untranslated: string | undefined,
  { notes, what, also = [] }: About & { readonly also?: readonly RawEntry[] | undefined },
): Text {
  const name = plainText([...textsOf(languages, 'name'), ...also], untranslated);
  if (hasText(name)) return name;
  notes.say(`${what} has no name`, 'no-name');
  return { entries: [], plain: id };
}

function purposeOf(raw: RawPurpose, { notes, twin }: { notes: Notes; twin: Purpose | undefined }): Purpose {
  const name = nameOf(raw, raw.label ?? raw.name, { notes, what: `the purpose “${raw.id}”` });
  const called = `the purpose “${name.plain ?? name.entries[0]?.text}”`;
  const refusal = plainText(textsOf(raw.languages, 'hardOptOutMessage'), raw.hardOptOutMessage);
  const kind = raw.purposeType === undefined ? twin?.kind : meaning(raw.purposeType, members.kinds);
  const lifeSpan = raw.lifeSpan ?? twin?.lifeSpan;
  const version = raw.version ?? twin?.version;
  return {
    id: raw.id,
    ...(version === undefined ? {} : { version }),
    name,
    description: htmlText(textsOf(raw.languages, 'description'), raw.description, {
      notes,
      what: `the description of ${called}`,
    }),
    active: isActive(raw.status) ?? twin?.active ?? true,
    ...(isUnderstood(raw) && twin?.leavingOnly !== true ? {} : { leavingOnly: true }),
    kind: kind ?? 'standard',
    onByDefault: isActive(raw.defaultConsentStatus) ?? twin?.onByDefault ?? false,
    visibility: meaning(raw.visibility, members.visibilities) ?? 'all',
    hardOptOutMessage: hasText(refusal) ? refusal : (twin?.hardOptOutMessage ?? refusal),
    lifeSpan: lifeSpan !== undefined && lifeSpan > 0 ? lifeSpan : undefined,
    topics: readTopics(raw.topics, { notes, what: `A topic of ${called}` }),
    preferences: readPreferences(raw.customPreferences, { notes, called }),
  };
}

function isActive(status: string | undefined): boolean | undefined {
  return status === undefined ? undefined : status.trim().toUpperCase() === 'ACTIVE';
}

/** True if type and visibility are known; else the purpose can be withdrawn, and not granted. */
function isUnderstood({ purposeType, visibility }: RawPurpose): boolean {
  const isKnown = (value: string | undefined, words: Words<string>) =>
    wire.saysNothing(value) || meaning(value, words) !== undefined;
  return isKnown(purposeType, members.kinds) && isKnown(visibility, members.visibilities);
}

function readTopics(items: readonly unknown[], about: About): Topic[] {
  return wire.readItems({ items, as: members.topic, ...about }, (raw) => {
    return { id: raw.id, name: nameOf(raw, raw.name ?? raw.label, about) };
  });
}

function readPreferences(items: readonly unknown[], { notes, called }: { notes: Notes; called: string }) {
  const about = { notes, what: `A preference of ${called}` };
  return wire.readItems({ items, as: members.preference, ...about }, (raw): Preference | [] => {
    const name = plainText(textsOf(raw.languages, 'name'), raw.name ?? raw.label);
    const what = `the preference “${name.plain ?? name.entries[0]?.text ?? raw.id}” of ${called}`;
    const options = readOptions(raw, { notes, what: `An option of ${what}` });
    if (options.length === 0) {
      notes.drop(`${what} has no options and was left out`);
      return [];
    }
    const choice = raw.selectionType ?? 'multiple';
    return {
      id: raw.id,
      name: hasText(name) ? name : { entries: [], plain: raw.id },
      description: htmlText(textsOf(raw.languages, 'description'), raw.description, { notes, what }),
      choice,
      display: raw.displayAs ?? (choice === 'single' ? 'radio-buttons' : 'checkboxes'),
      required: raw.required ?? false,
      options,
    };
  });
}

/**
 * The single-page family translates options inside the preference's languages, Multi Page inside each option.
 */
function readOptions(raw: wire.Read<typeof members.preference>, about: About): Option[] {
  const items = raw.customPreferenceOptions.length > 0 ? raw.customPreferenceOptions : raw.options;
  const elsewhere = new Map<string, RawEntry[]>();
  for (const translation of raw.languages) {
    for (const { id, label, name } of translation.options)
      elsewhere.getOrInsertComputed(id, () => []).push(entryOf(translation, label ?? name));
  }
  return wire.readItems({ items, as: members.option, ...about }, (raw) => {
    const name = nameOf(raw, raw.label ?? raw.name, { ...about, also: elsewhere.get(raw.id) });
    return { id: raw.id, name, isDefault: raw.isDefault ?? false };
  });
}
