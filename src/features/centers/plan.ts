import type { Posted } from '../../core/consent/posted.ts';
import { planSubmission, type SubmissionPlan } from '../../core/consent/submission-plan.ts';
import { type Center, findPage } from '../../core/model/center.ts';
import type { Intent } from '../../core/model/intent.ts';
import { Problem } from '../../core/model/problem.ts';
import { unreadCenter } from '../../core/model/unread-center.ts';
import type { CenterParts, VisitContext } from './context.ts';
import type { DecodedForm } from './form-codec.ts';

/** Milliseconds for which a schema that was read is still the one that a person agrees to. */
const schemaFresh = 10_000;

/**
 * What a post comes to, by the schema as it is. What is switched on is for the words that were shown: then the schema
 * is read afresh, unless it was since the form was shown. Where there is none, what was switched off is known all the
 * same, and nothing else.
 */
export async function planPosted(
  { platform, clock }: Pick<CenterParts, 'platform' | 'clock'>,
  { centerConfig: { center: id }, visit: { subject, scope } }: VisitContext,
  form: { readonly page: string | undefined; readonly displayed: DecodedForm; readonly posted: Posted },
): Promise<SubmissionPlan> {
  const { displayed, posted } = form;
  const now = clock.now();
  const planBy = (center: Center, page: string | undefined) => {
    if (page === undefined) throw new Problem('not-found');
    return planSubmission({ center, page, snapshot: displayed.by(center), posted, now, subject, scope });
  };
  const known = await platform.findCenter(id).catch(() => undefined);
  if (known === undefined) return planBy(unreadCenter(id), displayed.page);
  const plan = planBy(known, findPage(known, form.page)?.id);
  if (plan.kind !== 'submit' || !grants(plan.submission.intent)) return plan;
  const readWithin = Math.min(now - displayed.at, schemaFresh);
  const fresh = await platform.findCenter(id, { readWithin }).catch(() => undefined);
  if (fresh === undefined || fresh.revision === known.revision) return plan;
  return planBy(fresh, findPage(fresh, form.page)?.id);
}

function grants({ purposes }: Intent): boolean {
  return purposes.some(({ kind }) => kind === 'on' || kind === 'adjust');
}
