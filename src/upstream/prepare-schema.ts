import { setImmediate as breathe } from 'node:timers/promises';
import { Problem } from '../core/model/problem.ts';
import type { Notes } from './notes.ts';
import { isRecord } from './wire-shape.ts';
import { mostLanguages, prepareHtml } from './wire-text.ts';

/** Milliseconds of work between two breaths. */
const slice = 10;

/**
 * Makes all HTML of a schema safe before the schema is read, in slices: a schema of 2 MiB may hold so much that it
 * takes a second, in which nobody else would be served. What looks like HTML in any text is made safe; what the reading
 * then asks for is there. Keeps no more than the schema itself holds. A schema in more languages than there are is
 * refused: each costs time wherever a text looks for the nearest of its own.
 */
export async function prepareSchema(body: unknown, { prepared }: Pick<Notes, 'prepared'>): Promise<void> {
  const open: unknown[] = [body];
  const languages = new Set<unknown>();
  let begun = performance.now();
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string') {
      if (/[<>&]/.test(value) && !prepared.has(value)) prepared.set(value, prepareHtml(value));
    } else if (typeof value === 'object' && value !== null) {
      if (isRecord(value)) languages.add(value['language'] ?? value['Language']);
      for (const each of Object.values(value)) open.push(each);
    }
    if (languages.size > 2 * mostLanguages) {
      throw new Problem('platform-unreadable', { cause: new Error('too many languages') });
    }
    if (performance.now() - begun < slice) continue;
    await breathe();
    begun = performance.now();
  }
  // The reading that follows has a turn of its own.
  await breathe();
}
