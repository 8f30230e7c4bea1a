import type { DataElement } from '../model/center.ts';

/** A data element as a person may edit it: read-only where its recorded value is their identifier. */
export function elementFor(
  element: DataElement,
  { recorded, subject }: { readonly recorded: string; readonly subject: string },
): DataElement {
  return isIdentifierValue(recorded, subject) ? { ...element, readOnly: true } : element;
}

/**
 * Editing such a value could rename or merge people. A tenant may ignore letter case and outer blanks, so they do not
 * count here. A lock too many costs one field, a lock too few costs a person.
 */
export function isIdentifierValue(value: string, subject: string): boolean {
  return [value, decoded(value)].some((each) => folded(each) === folded(subject));
}

/** A tenant may keep what the header carried: the identifier percent-encoded, or its UTF-8 a byte a letter. */
function decoded(value: string): string {
  const escaped = value.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
  try {
    return decodeURIComponent(escaped);
  } catch {
    return value;
  }
}

function folded(text: string): string {
  return text.trim().normalize('NFC').toLowerCase();
}
