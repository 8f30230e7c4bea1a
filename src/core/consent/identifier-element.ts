import type { DataElement } from '../model/center/center.ts';

/** A data element as a person may edit it: read-only where its recorded value is their identifier. */
export function elementFor(
  element: DataElement,
  { recorded, subject }: { readonly recorded: string; readonly subject: string },
): DataElement {
  return isIdentifierValue(recorded, subject) ? { ...element, readOnly: true } : element;
}

/**
 * True if a value is the person's identifier: editing it could rename or merge people. A tenant may ignore
 * letter case and outer blanks, so the comparison does, too. A needless lock costs one field, a missing one
 * costs a person.
 */
export function isIdentifierValue(value: string, subject: string): boolean {
  return [value, decoded(value)].some((each) => folded(each) === folded(subject));
}

/**
 * Decodes an identifier that a tenant stored as the header carried it: percent-encoded, or its UTF-8 bytes as
 * one letter each.
 */
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
