import type { CenterPage, DataElement, Purpose } from '../model/center.ts';
import { isGuid } from '../model/center-config.ts';
import { longestValue } from './element-value.ts';

/** How much of a urlencoded form may come. */
export interface FormSize {
  readonly bytes: number;
  readonly fields: number;
}

/**
 * The most that the form of a page can post, by what it draws: everything ticked, everything typed to its end, and
 * the sealed token of a record in which everything was chosen.
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

/** Characters of the token's JSON that a status may take which the platform wrote in its own way, and its place. */
const rawStatus = 6 * 40 + '["",[12345]],'.length;

/** For each field its bytes, and those of what the token says of it. */
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

/** Ids of other shapes may hold characters that a form writes as three. */
function encoded(id: string): number {
  return isGuid(id) ? id.length : 3 * id.length;
}

/** Quotes, commas and brackets around it, in base64. */
function inToken(length: number): number {
  return Math.ceil(((length + 16) * 4) / 3);
}
