import type { CenterPage, DataElement, Purpose } from '../model/center/center.ts';
import { isGuid } from '../model/center/center-config.ts';
import { longestValue } from './element-value.ts';

/** The size limits of a urlencoded form. */
export interface FormSize {
  readonly bytes: number;
  readonly fields: number;
}

/**
 * The largest post of a page's form: everything ticked, every text at full length, and the largest sealed
 * token.
 */
export function largestForm({ sections }: CenterPage): FormSize {
  let bytes = 0;
  let fields = 0;
  for (const item of sections.flatMap((section) => section.items)) {
    if (item.kind === 'text') continue;
    const lengths = item.kind === 'purpose' ? purposeFields(item.purpose) : [elementField(item.element)];
    fields += lengths.length;
    for (const length of lengths) bytes += length;
  }
  return { bytes, fields };
}

/** Characters in the token's JSON for a raw status of the platform and its position. */
const rawStatus = 6 * 40 + '["",[12345]],'.length;

/** The size of each field: its bytes in the form, plus its bytes in the token. */
function purposeFields({ id, lifeSpan, topics, preferences }: Purpose): readonly number[] {
  const own = encoded(id);
  return [
    ...(lifeSpan === undefined ? [] : ['renew=&'.length + own + inToken(id.length)]),
    'purpose=&'.length + own + inToken(id.length + '"locked-off"'.length + rawStatus),
    ...topics.map((topic) => 'topic.=&'.length + own + encoded(topic.id) + inToken(topic.id.length)),
    ...preferences.flatMap((preference) =>
      preference.options.map((option) => {
        const names = encoded(preference.id) + encoded(option.id);
        return 'option..=&'.length + own + names + inToken(preference.id.length + option.id.length);
      }),
    ),
  ];
}

/** A character is at most nine bytes in a form, and six in the token's JSON. */
function elementField({ id }: DataElement): number {
  return 'element.=&'.length + encoded(id) + 9 * longestValue + inToken(id.length + 6 * longestValue);
}

/** An id that is no GUID may hold characters that a form writes as three bytes. */
function encoded(id: string): number {
  return isGuid(id) ? id.length : 3 * id.length;
}

/** The bytes in the token, with quotes, commas and brackets around the text, in base64. */
function inToken(length: number): number {
  return Math.ceil(((length + 16) * 4) / 3);
}
