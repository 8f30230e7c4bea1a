import { type Request, type Response, Router } from 'express';
import { type FormSize, largestForm } from '../../core/consent/form-size.ts';
import { type FormSnapshot, shownSubject } from '../../core/consent/form-snapshot.ts';
import type { ShownAgain } from '../../core/consent/submission-plan.ts';
import { findPage } from '../../core/model/center/center.ts';
import { offersSignIn } from '../../core/model/center/center-config.ts';
import type { Subject } from '../../core/model/person/subject.ts';
import { Problem } from '../../core/model/problem.ts';
import { isEmptyIntent } from '../../core/model/submission/intent.ts';
import type { Submission } from '../../core/model/submission/submission.ts';
import { buildPreferencePage, type PreferencePageInput } from '../../pages/person/preferences.ts';
import { confirmedNote, tryAgainNote, unchangedNote } from '../../pages/person/result.ts';
import { endTurn } from '../../turn.ts';
import { sealAction } from '../../web/action-token.ts';
import { formBody } from '../../web/body.ts';
import { withQuery } from '../../web/href.ts';
import {
  anew,
  type CenterContext,
  type CenterParts,
  findCenter,
  isForWantOfQuota,
  loadContext,
  pagePath,
  requireVisit,
  unread,
} from './context.ts';
import { endsOf } from './ends.ts';
import { everythingRoutes } from './everything.ts';
import { planPosted, readPreferenceForm } from './form.ts';
import { openForm, sealForm } from './form-token.ts';
import { recordRoutes } from './record.ts';
import { restUnsaved, resultRoutes, savedHere, unsavedOf } from './result.ts';
import { signOutRoutes } from './sign-out.ts';
import { offerStepUp, stepUpHref } from './step-up.ts';
import { afterSubmitHref, resultHref, submit } from './submit.ts';
import { askToWait } from './waiting.ts';

/** The pages of a center: preferences, results, the person's record, and unsubscribing from everything. */
export function centerRoutes(parts: CenterParts): Router {
  const router = Router({ mergeParams: true });
  router.use(recordRoutes(parts));
  router.use(everythingRoutes(parts));
  router.use(resultRoutes(parts));
  router.use(signOutRoutes(parts));

  const asShown = formBody({
    right: (request) => requireVisit(parts, request),
    size: 'page',
    displayed: (request) => sizeOfForm(parts, request),
  });

  // The platform's double opt-in links lead here.
  router.get('/:center/confirmed', async (request, response) => {
    const context = await readOrWait(parts, request, response, '/confirmed', anew);
    if (context === undefined) return;
    await show(parts, request, response, context, { notes: [confirmedNote(context)] });
  });

  router.get('/:center{/:page}', async (request, response) => {
    const path = pathOf(request);
    const context = await readOrWait(parts, request, response, path);
    if (context === undefined) return;
    await show(parts, request, response, context, await askedAgain(parts, request, context));
  });

  router.post('/:center{/:page}', asShown, async (request, response) => {
    const form = readPreferenceForm(request.body);
    if (form === undefined) throw new Problem('bad-request');
    const visitContext = requireVisit(parts, request);
    const displayed = openForm(parts.seal, form.token);
    if (displayed === undefined) throw new Problem('form-refused');
    const page = pageOf(request);
    const plan = await planPosted(parts, visitContext, { page, displayed, posted: form.posted });
    if (plan.kind === 'refuse') throw new Problem('form-refused', { cause: plan.reason });
    if (plan.kind === 'submit' && isEmptyIntent(plan.submission.intent)) {
      const href = parts.visits.href(request, visitContext.centerConfig, pathOf(request));
      return response.redirect(303, withQuery(href, unchanged));
    }
    if (plan.kind === 'submit') {
      const submission = await submit(parts, request, visitContext, plan.submission);
      return response.redirect(303, afterSubmitHref(parts, request, { ...visitContext, submission }));
    }
    let taken: Submission | undefined;
    const take = async (withdrawals: typeof plan.withdrawNow) => {
      for (const withdrawal of withdrawals) taken = await submit(parts, request, visitContext, withdrawal);
    };
    await take(plan.withdrawNow);
    const tellTaken = (submission: Submission) => {
      const to = { ...visitContext, submission, query: restUnsaved };
      response.redirect(303, afterSubmitHref(parts, request, to));
    };
    if (plan.kind === 'ask-for-more-rights') {
      // Where the center gives no more rights, the result says more than a refusal.
      if (taken !== undefined && !offersSignIn(visitContext.centerConfig)) return tellTaken(taken);
      return offerStepUp(parts, request, response, pathOf(request));
    }
    try {
      const context = await loadContext(parts, request, pathOf(request));
      // Of what was withdrawn since the form was first shown it still grants nothing.
      const first = plan.again.review === 'too-old' ? undefined : displayed;
      await show(parts, request, response, context, plan.again, first);
    } catch (fault) {
      if (plan.again.mistakes !== undefined && !response.headersSent) {
        // A page with mistakes needs no platform: it shows the fields of its form.
        await take((plan.withdrawWhileAway ?? []).map((each) => ({ ...each, wait: 'none' })));
        const context = await loadContext(parts, request, pathOf(request), unread);
        const snapshot = displayed.by(context.center);
        const subject = shownSubject(snapshot, { center: context.center, id: visitContext.visit.subject });
        const again = { ...plan.again, isPartlyTaken: taken !== undefined };
        return show(parts, request, response, { ...context, subject }, again, snapshot);
      }
      // The withdrawals are submitted: show their result, although the page failed.
      if (taken === undefined || response.headersSent) throw fault;
      tellTaken(taken);
    }
  });

  return router;
}

/** undefined: the quota is used up, and the visitor was asked to wait. */
async function readOrWait(
  parts: CenterParts,
  request: Request,
  response: Response,
  path: string,
  waits?: typeof anew,
): Promise<ReadContext | undefined> {
  try {
    return await loadContext(parts, request, path, waits);
  } catch (fault) {
    const { told } = request.query;
    // A saved submission is shown even if the form cannot be.
    if (typeof told === 'string') return void response.redirect(303, toldApart(parts, request, told));
    if (!isForWantOfQuota(fault)) throw fault;
    await askToWait(parts, request, response, { path, problem: fault });
    return undefined;
  }
}

/** If the schema does not come in time, the body is read with the usual limits. Milliseconds. */
const schemaTimeoutMs = 1_000;

/** undefined if the center cannot be read: the handler then reports it. */
async function sizeOfForm(parts: CenterParts, request: Request): Promise<FormSize | undefined> {
  const { centerConfig } = requireVisit(parts, request);
  const center = await findCenter(parts, centerConfig.center, schemaTimeoutMs);
  const page = center && findPage(center, pageOf(request));
  return page && largestForm(page);
}

type ReadContext = CenterContext & { readonly subject: Subject };
type Over = Pick<PreferencePageInput, 'notes' | 'savedHere'>;

async function show(
  parts: CenterParts,
  request: Request,
  response: Response,
  context: ReadContext,
  again: (ShownAgain & Over) | Over | undefined,
  /** The times of a form that is shown again. */
  displayed: Pick<FormSnapshot, 'at' | 'order'> = { at: parts.clock.now(), order: context.underway.order },
): Promise<void> {
  const { seal, random, visits, render } = parts;
  const { centerConfig, center, subject, language, pageContext, visit, underway } = context;
  const { at, order } = displayed;
  const [words, ends] = await Promise.all([
    parts.wordings.shown(center, language),
    endsOf(parts, request, context),
  ]);
  const built = buildPreferencePage({
    ...again,
    pageContext,
    center,
    subject,
    language,
    scope: visit.scope,
    stepUpHref: visit.scope === 'withdraw' ? stepUpHref(parts, request, context) : undefined,
    page: pageOf(request),
    action: visits.href(request, centerConfig, pathOf(request)),
    unsubscribeHref: visits.href(request, centerConfig, '/unsubscribe'),
    underway,
    ends,
    objection: context.preferences.globalPrivacyControl
      ? {
          action: visits.href(request, centerConfig, '/objection', { lang: language }),
          token: sealAction(parts, { action: 'objection', centerConfig, visit }),
        }
      : undefined,
  });
  if (built === undefined) throw new Problem('not-found');
  const { page, snapshot } = built;
  // The submission was changed meanwhile: show its result on a page of its own.
  if (again?.savedHere !== undefined && page.outcome === undefined)
    return response.redirect(303, toldApart(parts, request, again.savedHere.submission.reference));
  await endTurn();
  const shown = words === undefined ? {} : { language, words };
  const token = sealForm(seal, { ...snapshot, ...shown, nonce: random.id(), at, order });
  await render(
    response,
    'centers/preferences',
    { ...page, form: { ...page.form, token } },
    { status: page.mistakes === undefined ? 200 : 422 },
  );
}

/** Query of a page's address: its form was sent unchanged. */
const unchanged = { saved: 'unchanged' };

/**
 * What the address asks to show above a page: a saved submission, an unsaved one, or that nothing was
 * changed. It changes nothing itself.
 */
async function askedAgain(
  parts: CenterParts,
  request: Request,
  context: CenterContext,
): Promise<Parameters<typeof show>[4]> {
  const { query } = request;
  if (typeof query['told'] === 'string')
    return { savedHere: await savedHere(parts, request, context, query['told']) };
  if (query['saved'] === 'unchanged') return { notes: [unchangedNote(context.language)] };
  if (typeof query['again'] !== 'string') return undefined;
  const draft = await unsavedOf(parts, query['again'], context);
  return draft && { draft, notes: [tryAgainNote(context.language)] };
}

function pageOf(request: Request): string | undefined {
  const page = request.params['page'];
  return page === undefined ? undefined : String(page);
}

function pathOf(request: Request): string {
  return pagePath(pageOf(request));
}

function toldApart(parts: CenterParts, request: Request, reference: string): string {
  const { centerConfig } = requireVisit(parts, request);
  return resultHref(parts, request, { centerConfig }, reference);
}
