import { createTurn } from '../turn.ts';
import type { Notes } from './notes.ts';
import { prepareHtml } from './wire-html.ts';
import { isRecord, unreadableAs } from './wire-shape.ts';
import { mostLanguages } from './wire-text.ts';

/**
 * Makes the HTML of a schema safe before the schema is read, in slices: the HTML of a schema of 2 MiB can take a
 * second, in which no other request would be served. Refuses a schema with too many languages: each costs time wherever
 * a text looks for its nearest one. Also collects versions.
 */
export async function prepareSchema(
  body: unknown,
  { notes: { prepared }, versions }: { notes: Pick<Notes, 'prepared'>; versions: Set<string> },
): Promise<void> {
  const open: unknown[] = [body];
  const languages = new Set<unknown>();
  const turn = createTurn();
  for (let looked = 1; open.length > 0; looked += 1) {
    const value = open.pop();
    let isHtml = false;
    if (typeof value === 'string') {
      isHtml = /[<>&]/.test(value) && !prepared.has(value);
      if (isHtml) prepared.set(value, prepareHtml(value));
    } else if (typeof value === 'object' && value !== null) {
      if (isRecord(value)) {
        languages.add(value['language'] ?? value['Language']);
        const version = value['Version'] ?? value['version'];
        if (version !== undefined && version !== null)
          versions.add(JSON.stringify([value['Id'] ?? value['id'], version]));
      }
      for (const each of Object.values(value)) open.push(each);
    }
    if (languages.size > 2 * mostLanguages) throw unreadableAs('too many languages');
    // Reading the clock takes longer than most values.
    if ((isHtml || looked % 64 === 0) && turn.isLong()) await turn.end();
  }
}
