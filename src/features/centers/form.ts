import * as z from 'zod';
import type { Posted } from '../../core/consent/posted.ts';

/** A field that came once or several times. */
export const values = z.union([z.string().transform((value) => [value]), z.array(z.string())]);
const shape = z.record(z.string(), values);

/** The fields of a posted preferences page; `readSubmission` interprets them. */
export interface PreferenceForm {
  readonly token: string;
  readonly posted: Posted;
}

/**
 * Fields: `purpose` (ids), `topic.<purpose>`, `option.<purpose>.<preference>`, `element.<element>`, and those
 * listed in `pages/every-page.ts`. undefined if the body is no such form.
 */
export function readPreferenceForm(body: unknown): PreferenceForm | undefined {
  const parsed = shape.safeParse(body ?? {});
  if (!parsed.success) return undefined;
  const topics: Record<string, readonly string[]> = Object.create(null);
  const options: Record<string, readonly string[]> = Object.create(null);
  const elements: Record<string, string> = Object.create(null);
  for (const [name, posted] of Object.entries(parsed.data)) {
    if (name.startsWith('topic.')) topics[name.slice('topic.'.length)] = posted;
    else if (name.startsWith('option.')) options[name.slice('option.'.length)] = posted;
    else if (name.startsWith('element.')) elements[name.slice('element.'.length)] = posted[0] ?? '';
  }
  const token = parsed.data['token']?.[0];
  if (token === undefined) return undefined;
  return {
    token,
    posted: {
      purposes: parsed.data['purpose'] ?? [],
      topics,
      options,
      elements,
      renewed: parsed.data['renew'] ?? [],
      subscribeAll: parsed.data['action']?.at(-1) === 'subscribe-all',
      language: parsed.data['keep-language']?.[0],
    },
  };
}
