import type { DataElement, ElementOption } from '../core/model/center/center.ts';
import { eachName } from '../core/model/each-name.ts';
import * as members from './members/items.ts';
import { meaning } from './members/member.ts';
import type { Notes } from './notes.ts';
import { entryOf, textsOf } from './wire-items.ts';
import * as wire from './wire-shape.ts';
import { hasText, plain, plainText } from './wire-text.ts';

/**
 * Data elements of either family, in `order`. The key of the value is `Label` in one family and `name` in the
 * other.
 */
export function readDataElements(items: readonly unknown[], notes: Notes) {
  const about = { notes, what: 'A data element' };
  return wire.readItems({ items, as: members.dataElement, ...about }, (raw) => {
    if (!wire.saysNothing(raw.status) && meaning(raw.status, members.rendered) === undefined) return [];
    const label = raw.label ?? raw.name;
    if (label === undefined || label.trim() === '' || !wire.isPlainKey(label)) {
      notes.drop('A data element without a usable label was left out');
      return [];
    }
    const options = readElementOptions(raw);
    const type = raw.dataElementType ?? 'text';
    if (type === 'choice' && options.length === 0) {
      notes.say(`The data element “${plain(label)}” has no options to choose from and is asked for as text`);
    }
    const element: DataElement = {
      id: raw.id,
      label,
      name: plainText(textsOf(raw.languages, 'name'), label),
      type: type === 'choice' && options.length === 0 ? 'text' : type,
      display: raw.displayAs ?? 'input',
      hidden: raw.hidden ?? false,
      // Editing the identifier could rename or merge people.
      readOnly: raw.readOnly === true || raw.isIdentifier === true,
      required: raw.required ?? false,
      options,
    };
    return { id: raw.id, order: raw.order, element };
  });
}

/**
 * Reads the options of a data element. Their shape is not public: an option is a string, or an object with a
 * value and a text. Options are translated by id or by position.
 */
function readElementOptions(raw: wire.Read<typeof members.dataElement>): ElementOption[] {
  const { dataElementOptions: items, languages } = raw;
  const seen = new Set<string>();
  const elsewhere = languages.map((translation) => {
    const others = translation.dataElementOptions.map(readOption);
    return { ...translation, others, byKey: Map.groupBy(others, (other) => other?.key) };
  });
  return items.flatMap((item, place): ElementOption[] => {
    const raw = readOption(item);
    const value = raw?.value ?? raw?.label ?? raw?.key;
    if (raw === undefined || value === undefined || seen.has(value)) return [];
    seen.add(value);
    const translated = elsewhere.flatMap(({ others, byKey, ...translation }) => {
      const [found] = raw.key === undefined ? [] : (byKey.get(raw.key) ?? []);
      const twin = found ?? (others.length === items.length ? others[place] : undefined);
      return twin === undefined ? [] : entryOf(translation, twin.label ?? twin.value);
    });
    const name = plainText([...raw.entries, ...translated], raw.label ?? value);
    return [{ value, name: hasText(name) ? name : { entries: [], plain: value } }];
  });
}

const optionTexts = ['id', 'key', 'value', 'label', 'name'] as const;
const optionShape = wire.shape({
  ...eachName(optionTexts, () => wire.text),
  languages: wire.listOf(members.translation),
});

function readOption(item: unknown) {
  if (typeof item === 'string' || typeof item === 'number') {
    const text = plain(String(item));
    return text === undefined ? undefined : { key: undefined, value: String(item), label: text, entries: [] };
  }
  const read = optionShape.read(item);
  if (read === undefined) return undefined;
  const { id, key, value, label, name, languages } = read;
  return {
    key: id ?? key,
    value: value === '' ? undefined : value,
    label: plain(label ?? name),
    entries: textsOf(languages, 'name'),
  };
}
