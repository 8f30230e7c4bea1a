import { createTurn } from '../turn.ts';
import type { Notes } from './notes.ts';
import { prepareHtml } from './wire-html.ts';
import { isRecord, unreadableAs } from './wire-shape.ts';
import { mostLanguages } from './wire-text.ts';

/**
 * Makes all HTML of a schema safe before the schema is read, in slices: a schema of 2 MiB may hold so much that it
 * takes a second, in which no other request would be served. What looks like HTML in any text is made safe; what the reading
 * then asks for is there. Keeps no more than the schema itself holds. A schema in more languages than there are is
 * refused: each costs time wherever a text looks for the nearest of its own. Notes the versions on the way.
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
    // Asking for the time takes longer than most values do.
    if ((isHtml || looked % 64 === 0) && turn.isLong()) await turn.end();
  }
}
