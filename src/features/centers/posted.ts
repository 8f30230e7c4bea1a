import type { FormSnapshot } from '../../core/consent/form-snapshot.ts';
import type { Posted } from '../../core/consent/posted.ts';
import { type ReadSubmission, readSubmission } from '../../core/consent/submission.ts';
import type { Center } from '../../core/model/center.ts';
import type { Intent } from '../../core/model/intent.ts';
import { Problem } from '../../core/model/problem.ts';
import { unreadCenter } from '../../core/model/unread-center.ts';
import { findPage } from '../../pages/person/preferences.ts';
import type { CenterParts, VisitContext } from './context.ts';

/** Milliseconds for which a schema that was read is still the one that a person agrees to. */
const schemaFresh = 10_000;

/**
 * What a post means, by the schema as it is. What is switched on is for the words that were shown: then the schema is
 * read afresh, unless it was since the form was drawn. Where there is none, what was switched off is known all the
 * same, and nothing else.
 */
export async function readPosted(
  parts: CenterParts,
  { centerConfig, visit }: VisitContext,
  form: { readonly page: string | undefined; readonly snapshot: FormSnapshot; readonly posted: Posted },
): Promise<ReadSubmission> {
  const { snapshot, posted } = form;
  const now = parts.clock.now();
  const readBy = (center: Center, page: string | undefined) => {
    if (page === undefined) throw new Problem('not-found');
    return readSubmission({ center, page, snapshot, posted, now, subject: visit.subject });
  };
  const known = await parts.platform.findCenter(centerConfig.center).catch(() => undefined);
  if (known === undefined) return readBy(unreadCenter(centerConfig.center), snapshot.page);
  const read = readBy(known, findPage(known, form.page)?.id);
  if (read.kind !== 'intent' || !grants(read.intent)) return read;
  const readWithin = Math.min(now - snapshot.at, schemaFresh);
  const fresh = await parts.platform.findCenter(centerConfig.center, { readWithin }).catch(() => undefined);
  if (fresh === undefined || fresh.revision === known.revision) return read;
  return readBy(fresh, findPage(fresh, form.page)?.id);
}

function grants({ purposes }: Intent): boolean {
  return purposes.some(({ kind }) => kind === 'on' || kind === 'adjust');
}
