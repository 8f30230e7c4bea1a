import type { Request } from 'express';
import type { PlannedSubmission } from '../../core/consent/submission-plan.ts';
import type { Center } from '../../core/model/center/center.ts';
import type { ShownWords } from '../../core/model/evidence/evidence.ts';
import type { Submission } from '../../core/model/submission/submission.ts';
import type { FormFacts, SubmissionRequest } from '../../core/model/submission/submission-request.ts';
import { choosePageLanguage } from '../../i18n/language.ts';
import { isSaved } from '../../pages/person/result.ts';
import { withQuery } from '../../web/href.ts';
import { readRequestPreferences } from '../../web/request-preferences.ts';
import { type CenterParts, pagePath, type VisitContext } from './context.ts';

/** A POST waits this long for the platform, then shows the pending result. Milliseconds. */
const submitTimeoutMs = 7_500;

type Submitted = Pick<SubmissionRequest, 'nonce' | 'intent'> &
  Partial<SubmissionRequest> &
  Partial<Pick<PlannedSubmission, 'wait'>>;

/**
 * Where to go after a POST: the page of the form, if its field `here` (a page's id, or '') asks for that and
 * everything is saved; else the result page. In a frame the address scrolls to the result.
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
    ? withQuery(parts.visits.href(request, centerConfig, pagePath(here)), { told: reference })
    : withQuery(resultHref(parts, request, { centerConfig }, reference), query ?? {});
  return parts.visits.frame === 'embedded' ? `${href}#result` : href;
}

interface SubmittedAt extends Pick<VisitContext, 'centerConfig'> {
  readonly submission: Submission;
  readonly query?: Readonly<Record<string, string>> | undefined;
}

/** Whether the result may be shown above the form: nothing of it may still change. */
export function isToldHere(submission: Submission): boolean {
  const { everything, aftermath, undoneBy } = submission;
  const isAny = submission.items.some(({ outcome }) => outcome === 'saved');
  return isAny && !everything && aftermath === undefined && undoneBy === undefined && isSaved(submission);
}

export function resultHref(
  { visits }: Pick<CenterParts, 'visits'>,
  request: Request,
  { centerConfig }: Pick<VisitContext, 'centerConfig'>,
  reference: string,
): string {
  return visits.href(request, centerConfig, `/results/${encodeURIComponent(reference)}`);
}

/** Submits what a visitor asked for and waits for its result. The next pages show what was read back. */
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

/**
 * The center's current words, for submissions without a form of their own; undefined if the center cannot be
 * read.
 */
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

/**
 * Converts the time the form was shown to the clock of submissions, which is ahead if the machine's clock was
 * set back.
 */
function byJournal(
  { clock, forwardClock }: Pick<CenterParts, 'clock' | 'forwardClock'>,
  form: FormFacts,
): FormFacts {
  return { ...form, at: forwardClock.now() - (clock.now() - form.at) };
}
