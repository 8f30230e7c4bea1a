import type { PlannedSubmission } from '../../core/consent/submission-plan.ts';
import type { Center } from '../../core/model/center/center.ts';
import type { ShownWords } from '../../core/model/evidence/evidence.ts';
import type { Submission } from '../../core/model/submission/submission.ts';
import type { SubmissionRequest } from '../../core/model/submission/submission-request.ts';
import { choosePageLanguage } from '../../i18n/language.ts';
import { isSaved } from '../../pages/person/result.ts';
import type { Submitted } from '../../ports/delivery.ts';
import type { Query } from '../../web/href.ts';
import { readRequestPreferences } from '../../web/request-preferences.ts';
import { type Call, keepRecent, pagePath } from './context.ts';

/** Milliseconds that a POST waits for the platform. Then it shows the pending result. */
const submitTimeoutMs = 7_500;

type AskedFor = Pick<SubmissionRequest, 'nonce' | 'intent'> &
  Partial<SubmissionRequest> &
  Partial<Pick<PlannedSubmission, 'wait'>>;

/**
 * The address after a POST. It is the page of the form, if its field `here` (a page's id, or '') asks for
 * that and all is saved; otherwise the result page. In a frame it scrolls to the result.
 */
export function afterSubmitHref({ parts, request, hrefOf }: Call, submission: Submission, query?: Query) {
  const here: unknown = request.body?.here;
  const { reference } = submission;
  const isHere = typeof here === 'string' && query === undefined && isToldHere(submission);
  const href = isHere ? hrefOf(pagePath(here), { told: reference }) : hrefOf(resultPath(reference), query);
  return parts.visits.frame === 'embedded' ? `${href}#result` : href;
}

/** True if the result may be shown above the form, because nothing of it may still change. */
export function isToldHere(submission: Submission): boolean {
  const { everything, aftermath, undoneBy } = submission;
  const isAny = submission.items.some(({ outcome }) => outcome === 'saved');
  return isAny && !everything && aftermath === undefined && undoneBy === undefined && isSaved(submission);
}

export function resultPath(reference: string): string {
  return `/results/${encodeURIComponent(reference)}`;
}

/** Submits what a visitor asked for and waits for its result. The next pages show what was read back. */
export async function submit(call: Call, asked: AskedFor): Promise<Submission> {
  const { parts } = call;
  if (asked.shown !== undefined) await parts.wordings.kept(asked.shown.words);
  const waitMs = asked.wait === 'none' ? 0 : submitTimeoutMs;
  return noted(call, await parts.delivery.submit(requestOf(call, asked), { waitMs }));
}

/** Submits a withdrawal again, so that it withdraws what was granted since. */
export async function submitAgain(call: Call, reference: string): Promise<Submission | undefined> {
  const { parts, visit } = call;
  const again = await parts.delivery.again(reference, visit.subject, { waitMs: submitTimeoutMs });
  return again && noted(call, again);
}

function noted(call: Call, submission: Submitted): Submission {
  const { readBack, reference } = submission;
  if (readBack !== undefined) keepRecent(call, { ...readBack, reference });
  return submission;
}

/** The request of a visitor as a submission. */
export function requestOf(
  { parts: { clock, forwardClock }, request, centerConfig, visit }: Call,
  { wait: _, form, ...asked }: AskedFor,
): SubmissionRequest {
  return {
    center: centerConfig.center,
    subject: visit.subject,
    channel: visit.channel,
    ...(visit.linkMadeBy === undefined ? {} : { linkMadeBy: visit.linkMadeBy }),
    scope: visit.scope,
    globalPrivacyControl: readRequestPreferences(request).globalPrivacyControl,
    undoes: undefined,
    reasons: [],
    onBehalf: undefined,
    ...asked,
    // The time is converted to the clock of submissions, which is ahead if the machine's clock was set back.
    form: form && { ...form, at: forwardClock.now() - (clock.now() - form.at) },
  };
}

/**
 * The center's current words, for submissions without a form of their own; undefined if the center cannot be
 * read.
 */
export async function shownNow(
  { parts, request }: Call,
  center: Center | undefined,
): Promise<ShownWords | undefined> {
  if (center === undefined) return undefined;
  const language = choosePageLanguage({ preferences: readRequestPreferences(request), center });
  const words = await parts.wordings.shown(center, language);
  return words === undefined ? undefined : { by: 'center', words, language, template: center.template };
}
