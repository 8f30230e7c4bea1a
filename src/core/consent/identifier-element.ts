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
  return folded(value) === folded(subject);
}

function folded(text: string): string {
  return text.trim().normalize('NFC').toLowerCase();
}
