import { endTurn } from '../turn.ts';
import { tooLarge } from './exchange.ts';
import type { Notes } from './notes.ts';
import { safeHtml } from './safe-html.ts';
import { isRecord } from './wire-shape.ts';
import { mostLanguages } from './wire-text.ts';

/**
 * Characters of HTML that are made safe in one turn, in about ten milliseconds. Each text counts as `ofText`
 * more.
 */
const atOnce = { characters: 64 * 1_024, ofText: 200 };

/**
 * Makes the HTML of a schema safe before the schema is read. 4 MiB of HTML take half a second, so other
 * requests run in between. Refuses a schema with too many languages: each language costs time wherever a text
 * looks for its nearest one.
 */
export async function prepareSchema(body: unknown, { prepared }: Pick<Notes, 'prepared'>): Promise<void> {
  const open: unknown[] = [body];
  const languages = new Set<unknown>();
  let cost = 0;
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string' && /[<>&]/.test(value) && !prepared.has(value)) {
      cost += value.length + atOnce.ofText;
      prepared.set(value, safeHtml(value));
    } else if (typeof value === 'object' && value !== null) {
      if (isRecord(value)) languages.add(value['language'] ?? value['Language']);
      for (const each of Object.values(value)) open.push(each);
    }
    if (languages.size > 2 * mostLanguages) throw tooLarge('too many languages');
    if (cost < atOnce.characters) continue;
    await endTurn();
    cost = 0;
  }
}
