import type { Request } from 'express';
import type { PlannedSubmission } from '../../core/consent/submission-plan.ts';
import type { Submission } from '../../core/model/submission.ts';
import type { ShownForm, SubmissionRequest } from '../../core/model/submission-request.ts';
import { readRequestPreferences } from '../../web/request-preferences.ts';
import type { CenterParts, VisitContext } from './context.ts';

/** How long a post waits for the platform before it shows what is still being carried out. Milliseconds. */
const submitTimeoutMs = 7_500;

type Submitted = Pick<SubmissionRequest, 'nonce' | 'intent'> &
  Partial<
    Pick<
      SubmissionRequest,
      'undoes' | 'reasons' | 'form' | 'drawnByDefault' | 'globalPrivacyControl' | 'isObjection'
    >
  > &
  Partial<Pick<PlannedSubmission, 'wait'>>;

/** After a post: what came of it has the focus and is in sight, also in a frame that is scrolled far down. */
export function afterSubmitHref(
  parts: Pick<CenterParts, 'visits'>,
  request: Request,
  { centerConfig, reference, query }: SubmittedAt,
): string {
  const href = resultHref(parts, request, { centerConfig }, reference);
  const whole = query === undefined ? href : withQuery(href, query);
  return parts.visits.frame === 'embedded' ? `${whole}#result` : whole;
}

interface SubmittedAt extends Pick<VisitContext, 'centerConfig'> {
  readonly reference: string;
  readonly query?: string | undefined;
}

/** Where a submission of this visitor shows what came of it. */
export function resultHref(
  { visits }: Pick<CenterParts, 'visits'>,
  request: Request,
  { centerConfig }: Pick<VisitContext, 'centerConfig'>,
  reference: string,
): string {
  return visits.href(request, centerConfig, `/results/${encodeURIComponent(reference)}`);
}

export function withQuery(href: string, query: string): string {
  return `${href}${href.includes('?') ? '&' : '?'}${query}`;
}

/** Submits what a visitor wants, and waits for its result; the pages that follow are drawn with what was read back. */
export async function submit(
  parts: CenterParts,
  request: Request,
  { centerConfig, visit }: VisitContext,
  { wait, ...asked }: Submitted,
): Promise<Submission> {
  const { delivery, recent, visits } = parts;
  const { globalPrivacyControl } = readRequestPreferences(request);
  const submission = await delivery.submit(
    {
      center: centerConfig.center,
      subject: visit.subject,
      channel: visit.channel,
      ...(visit.linkMadeBy === undefined ? {} : { linkMadeBy: visit.linkMadeBy }),
      scope: visit.scope,
      globalPrivacyControl,
      undoes: undefined,
      reasons: [],
      onBehalf: undefined,
      ...asked,
      form: asked.form && byJournal(parts, asked.form),
    },
    { waitMs: wait === 'none' ? 0 : submitTimeoutMs },
  );
  const { readBack, reference } = submission;
  const session = visits.sessionOf(request, centerConfig);
  if (readBack !== undefined && session !== undefined) {
    recent.keep(session, centerConfig.center, { ...readBack, reference });
  }
  return submission;
}

/** When it was drawn by the time of submissions, which is ahead where the machine's was set back. */
function byJournal(
  { clock, forwardClock }: Pick<CenterParts, 'clock' | 'forwardClock'>,
  form: ShownForm,
): ShownForm {
  return { ...form, at: forwardClock.now() - (clock.now() - form.at) };
}
