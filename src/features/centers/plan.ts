import type { Posted } from '../../core/consent/posted.ts';
import { planSubmission, type SubmissionPlan } from '../../core/consent/submission-plan.ts';
import { type Center, findPage } from '../../core/model/center/center.ts';
import { unreadCenter } from '../../core/model/center/unread-center.ts';
import { Problem } from '../../core/model/problem.ts';
import type { Intent } from '../../core/model/submission/intent.ts';
import type { CenterParts, VisitContext } from './context.ts';
import type { DecodedForm } from './form-codec.ts';

/** A schema read within this time counts as the one the person saw. Milliseconds. */
const schemaFresh = 10_000;

/**
 * Plans a posted form by the current schema. A grant is for the words that were shown, so the schema is read
 * again unless it was read after the form was shown. Without a schema only withdrawals are planned.
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
