import type { Center } from '../../core/model/center/center.ts';
import type { JournalEntry } from '../../core/model/submission/journal-entry.ts';
import type { Platform } from '../../ports/platform.ts';
import type { Wordings } from '../../ports/wordings.ts';
import { inOneGo } from './in-one-go.ts';
import { type Centers, wordsAskedBy } from './pages/entry-lines.ts';

/** The centers of a list, to name what was changed in them: those that can be had in a moment; and the words of then. */
export function createSchemas({
  platform,
  wordings,
}: {
  readonly platform: Pick<Platform, 'findCenter'>;
  readonly wordings: Pick<Wordings, 'read'>;
}): (entries: readonly JournalEntry[]) => Promise<Centers> {
  return async (entries) => {
    const found = new Map<string, Center>();
    const ids = [...new Set(entries.map(({ center }) => center))];
    await inOneGo(
      ids.map((id) => async () => {
        const center = await platform.findCenter(id);
        if (center !== undefined) found.set(id, center);
      }),
    );
    return Object.assign(found, { words: await wordings.read(wordsAskedBy(entries)) });
  };
}
