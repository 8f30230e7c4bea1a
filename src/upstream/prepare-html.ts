import { setImmediate as breathe } from 'node:timers/promises';
import type { Notes } from './notes.ts';
import { prepareHtml } from './wire-text.ts';

/** Milliseconds of work between two breaths. */
const slice = 10;

/**
 * Makes all HTML of a schema safe before the schema is read, in slices: a schema of 2 MiB may hold so much that it
 * takes a second, in which nobody else would be served. What looks like HTML in any text is made safe; what the reading
 * then asks for is there. Keeps no more than the schema itself holds.
 */
export async function prepareHtmlOf(body: unknown, { prepared }: Pick<Notes, 'prepared'>): Promise<void> {
  const open: unknown[] = [body];
  let begun = performance.now();
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === 'string') {
      if (/[<>&]/.test(value) && !prepared.has(value)) prepared.set(value, prepareHtml(value));
    } else if (typeof value === 'object' && value !== null) {
      for (const each of Object.values(value)) if (each !== undefined && each !== null) open.push(each);
    }
    if (performance.now() - begun < slice) continue;
    await breathe();
    begun = performance.now();
  }
  // The reading that follows has a turn of its own.
  await breathe();
}
