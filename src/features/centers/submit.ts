import type { Request } from 'express';
import type { PlannedSubmission } from '../../core/consent/submission-plan.ts';
import type { Center } from '../../core/model/center.ts';
import type { ShownWords } from '../../core/model/evidence.ts';
import type { Submission } from '../../core/model/submission.ts';
import type { FormFacts, SubmissionRequest } from '../../core/model/submission-request.ts';
import { choosePageLanguage } from '../../i18n/language.ts';
import { isSaved } from '../../pages/person/result.ts';
import { readRequestPreferences } from '../../web/request-preferences.ts';
import type { CenterParts, VisitContext } from './context.ts';

/** How long a post waits for the platform before it shows what is still being carried out. Milliseconds. */
const submitTimeoutMs = 7_500;

type Submitted = Pick<SubmissionRequest, 'nonce' | 'intent'> &
  Partial<
    Pick<
      SubmissionRequest,
      'undoes' | 'reasons' | 'form' | 'shown' | 'drawnByDefault' | 'globalPrivacyControl' | 'isObjection'
    >
  > &
  Partial<Pick<PlannedSubmission, 'wait'>>;

/**
 * After a post: over the form, where it asked for that by its field `here` (the page's id, or '') and all of it is
 * saved; else on a page of its own. In a frame that is scrolled far down it is in sight, too.
 */
export function afterSubmitHref(
  parts: Pick<CenterParts, 'visits'>,
  request: Request,
  { centerConfig, submission, query }: SubmittedAt,
): string {
  const here: unknown = request.body?.here;
  const { reference } = submission;
  const isHere = typeof here === 'string' && query === undefined && isToldHere(submission);
  const href = isHere
    ? withQuery(
        parts.visits.href(request, centerConfig, pagePath(here)),
        `told=${encodeURIComponent(reference)}`,
      )
    : resultHref(parts, request, { centerConfig }, reference);
  const whole = query === undefined ? href : withQuery(href, query);
  return parts.visits.frame === 'embedded' ? `${whole}#result` : whole;
}

interface SubmittedAt extends Pick<VisitContext, 'centerConfig'> {
  readonly submission: Submission;
  readonly query?: string | undefined;
}

/** Whether a form may say it over itself: nothing of it may still change. */
export function isToldHere(submission: Submission): boolean {
  const { everything, aftermath, undoneBy } = submission;
  const isAny = submission.items.some(({ outcome }) => outcome === 'saved');
  return isAny && !everything && aftermath === undefined && undoneBy === undefined && isSaved(submission);
}

/** Of a page of a center; the first one has no id of its own in its address. */
export function pagePath(page: string | undefined): string {
  return page === undefined || page === '' ? '' : `/${encodeURIComponent(page)}`;
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

/** Submits what a visitor wants, and waits for its result; the pages that follow show what was read back. */
export async function submit(
  parts: CenterParts,
  request: Request,
  { centerConfig, visit }: VisitContext,
  { wait, ...asked }: Submitted,
): Promise<Submission> {
  const { delivery, recent, visits, wordings } = parts;
  const { globalPrivacyControl } = readRequestPreferences(request);
  if (asked.shown !== undefined) await wordings.kept(asked.shown.words);
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

/** What a center says now, to whom no form of its own was shown. undefined where it cannot be read. */
export async function shownNow(
  { wordings }: Pick<CenterParts, 'wordings'>,
  request: Request,
  center: Center | undefined,
): Promise<ShownWords | undefined> {
  if (center === undefined) return undefined;
  const preferences = { ...readRequestPreferences(request), subject: undefined };
  const language = choosePageLanguage({ preferences, center });
  const words = await wordings.shown(center, language);
  return words === undefined ? undefined : { by: 'center', words, language, template: center.template };
}

/** When it was shown by the time of submissions, which is ahead where the machine's was set back. */
function byJournal(
  { clock, forwardClock }: Pick<CenterParts, 'clock' | 'forwardClock'>,
  form: FormFacts,
): FormFacts {
  return { ...form, at: forwardClock.now() - (clock.now() - form.at) };
}
