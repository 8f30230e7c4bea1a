import * as z from 'zod';
import type { Posted } from '../../core/consent/posted.ts';
import { planSubmission, type SubmissionPlan } from '../../core/consent/submission-plan.ts';
import { type Center, findPage } from '../../core/model/center/center.ts';
import { unreadCenter } from '../../core/model/center/unread-center.ts';
import { Problem } from '../../core/model/problem.ts';
import { grants } from '../../core/model/submission/intent.ts';
import type { Call } from './context.ts';
import type { OpenedForm } from './form-token.ts';

/** A field that was sent once or several times. */
export const values = z.union([z.string().transform((value) => [value]), z.array(z.string())]);
const shape = z.record(z.string(), values);

/**
 * The fields of a posted preferences page; `readSubmission` interprets them: `purpose` (ids),
 * `topic.<purpose>`, `option.<purpose>.<preference>`, `element.<element>`, and those listed in
 * `pages/every-page.ts`. undefined if the body is no such form.
 */
export function readPreferenceForm(body: unknown) {
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
  const posted: Posted = {
    purposes: parsed.data['purpose'] ?? [],
    topics,
    options,
    elements,
    renewed: parsed.data['renew'] ?? [],
    subscribeAll: parsed.data['action']?.at(-1) === 'subscribe-all',
    language: parsed.data['keep-language']?.[0],
  };
  return { token, posted };
}

/** A schema read within this time counts as the one the person saw. Milliseconds. */
const schemaFresh = 10_000;

/**
 * Plans a posted form by the current schema. A grant is for the words that were shown, so the schema is read
 * again unless it was read after the form was shown. Without a schema only withdrawals are planned.
 */
export async function planPosted(
  { parts: { platform, clock }, centerConfig: { center: id }, visit: { subject, scope }, pageId }: Call,
  { displayed, posted }: { readonly displayed: OpenedForm; readonly posted: Posted },
): Promise<SubmissionPlan> {
  const now = clock.now();
  const planBy = (center: Center, page: string | undefined) => {
    if (page === undefined) throw new Problem('not-found');
    return planSubmission({ center, page, snapshot: displayed.by(center), posted, now, subject, scope });
  };
  const known = await platform.findCenter(id).catch(() => undefined);
  if (known === undefined) return planBy(unreadCenter(id), displayed.page);
  const plan = planBy(known, findPage(known, pageId)?.id);
  if (plan.kind !== 'submit' || !grants(plan.submission.intent)) return plan;
  const readWithin = Math.min(now - displayed.at, schemaFresh);
  const fresh = await platform.findCenter(id, { readWithin }).catch(() => undefined);
  if (fresh === undefined || fresh.revision === known.revision) return plan;
  return planBy(fresh, findPage(fresh, pageId)?.id);
}
