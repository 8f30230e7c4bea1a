import type { Router } from 'express';
import { type FormSize, largestForm } from '../../core/consent/form-size.ts';
import { type FormSnapshot, shownSubject } from '../../core/consent/form-snapshot.ts';
import type { ShownAgain } from '../../core/consent/submission-plan.ts';
import { findPage } from '../../core/model/center/center.ts';
import { offersSignIn } from '../../core/model/center/center-config.ts';
import { Problem } from '../../core/model/problem.ts';
import { isEmptyIntent } from '../../core/model/submission/intent.ts';
import type { Submission } from '../../core/model/submission/submission.ts';
import { buildWaitingPage } from '../../pages/person/one-button.ts';
import { buildPreferencePage, type PreferencePageInput } from '../../pages/person/preferences.ts';
import { confirmedNote, tryAgainNote, unchangedNote } from '../../pages/person/result.ts';
import { endTurn } from '../../turn.ts';
import { readRequestPreferences } from '../../web/request-preferences.ts';
import {
  anew,
  type Call,
  type CenterParts,
  findCenter,
  isForWantOfQuota,
  loadContext,
  pagePath,
  type ReadContext,
  unread,
  visitorRouter,
} from './context.ts';
import { endsOf } from './ends.ts';
import { everythingRoutes, leaveAction, leavePath } from './everything.ts';
import { planPosted, readPreferenceForm } from './form.ts';
import { openForm, sealForm } from './form-token.ts';
import { recordRoutes } from './record.ts';
import { restUnsaved, resultRoutes, savedHere, unsavedOf } from './result.ts';
import { signOutRoutes } from './sign-out.ts';
import { offerStepUp, stepUpHref } from './step-up.ts';
import { afterSubmitHref, requestOf, resultPath, submit } from './submit.ts';

/** The pages of a center: preferences, results, the person's record, and unsubscribing from everything. */
export function centerRoutes(parts: CenterParts): Router {
  const routes = visitorRouter(parts);
  const { router, get, post } = routes;
  for (const add of [recordRoutes, everythingRoutes, resultRoutes, signOutRoutes]) add(routes);

  // The platform's double opt-in links lead here.
  get('/confirmed', async (call) => {
    const context = await readOrWait(call, '/confirmed', anew);
    if (context !== undefined) await show(context, { notes: [confirmedNote(context)] });
  });

  get('{/:page}', async (call) => {
    const context = await readOrWait(call, pagePath(call.pageId));
    if (context !== undefined) await show(context, await askedAgain(context));
  });

  post('{/:page}', { size: 'page', displayed: sizeOfForm }, async (call) => {
    const { response, pageId } = call;
    const path = pagePath(pageId);
    const form = readPreferenceForm(call.request.body);
    if (form === undefined) throw new Problem('bad-request');
    const displayed = openForm(parts.seal, form.token);
    if (displayed === undefined) throw new Problem('form-refused');
    const plan = await planPosted(call, { displayed, posted: form.posted });
    if (plan.kind === 'refuse') throw new Problem('form-refused', { cause: plan.reason });
    if (plan.kind === 'submit' && isEmptyIntent(plan.submission.intent)) {
      await parts.delivery.postAsShown(requestOf(call, plan.submission));
      return call.goTo(path, unchanged);
    }
    if (plan.kind === 'submit')
      return response.redirect(303, afterSubmitHref(call, await submit(call, plan.submission)));
    let taken: Submission | undefined;
    const take = async (withdrawals: typeof plan.withdrawNow) => {
      for (const withdrawal of withdrawals) taken = await submit(call, withdrawal);
    };
    await take(plan.withdrawNow);
    const tellTaken = (submission: Submission) =>
      response.redirect(303, afterSubmitHref(call, submission, restUnsaved));
    if (plan.kind === 'ask-for-more-rights') {
      // A center that gives no more rights shows the result, which says more than a refusal.
      if (taken !== undefined && !offersSignIn(call.centerConfig)) return tellTaken(taken);
      return offerStepUp(call, { path, isPartlyTaken: taken !== undefined });
    }
    try {
      const context = await loadContext(call, path);
      // The form keeps its first time, so that it still grants no purpose that was withdrawn since.
      const first = plan.again.review === 'too-old' ? undefined : displayed;
      await show(context, plan.again, first);
    } catch (fault) {
      if (plan.again.mistakes !== undefined && !response.headersSent) {
        // A page with mistakes needs no platform: it shows the fields of its form.
        await take((plan.withdrawWhileAway ?? []).map((each) => ({ ...each, wait: 'none' })));
        const context = await loadContext(call, path, unread);
        const snapshot = displayed.by(context.center);
        const subject = shownSubject(snapshot, { center: context.center, id: call.visit.subject });
        const again = { ...plan.again, isPartlyTaken: taken !== undefined };
        return show({ ...context, subject }, again, snapshot);
      }
      // The withdrawals are submitted: show their result, although the page failed.
      if (taken === undefined || response.headersSent) throw fault;
      tellTaken(taken);
    }
  });

  return router;
}

/**
 * Resolves to undefined if the visitor was sent elsewhere: to the saved result, or to a page that waits for
 * quota.
 */
async function readOrWait(call: Call, path: string, waits?: typeof anew): Promise<ReadContext | undefined> {
  try {
    return await loadContext(call, path, waits);
  } catch (fault) {
    const { told } = call.request.query;
    // A saved submission is shown even if the form cannot be.
    if (typeof told === 'string') return void call.goTo(resultPath(told));
    if (!isForWantOfQuota(fault)) throw fault;
    await askToWait(call, path, fault.retryAfter);
    return undefined;
  }
}

/** Bounds of the wait between two tries, in seconds. */
const shortest = 3;
const longest = 60;

/**
 * Answers with a page that waits for quota. A header repeats the request, so it works in a frame and without
 * script. Status 503: browsers show it, and programs do not take it for the page.
 */
async function askToWait(call: Call, path: string, retryAfter: number | undefined = shortest): Promise<void> {
  const { parts, response } = call;
  const context = await loadContext(call, path, unread);
  const waitSeconds = Math.max(shortest, retryAfter);
  // `retryAfter` differs for each visitor, so that they do not all return at once.
  const seconds = Math.ceil(Math.min(longest, waitSeconds));
  const page = buildWaitingPage({ ...context, waitSeconds, leave: call.formOf(leaveAction, leavePath) });
  response.setHeader('Retry-After', seconds);
  response.setHeader('Refresh', seconds);
  await parts.render(response, 'identity/one-button', page, { status: 503 });
}

/** Milliseconds to wait for the schema. Without it the body is read with the usual limits. */
const schemaTimeoutMs = 1_000;

/** Resolves to undefined if the center cannot be read: the handler then reports it. */
async function sizeOfForm(call: Call): Promise<FormSize | undefined> {
  const center = await findCenter(call, schemaTimeoutMs);
  const page = center && findPage(center, call.pageId);
  return page && largestForm(page);
}

type Additions = Pick<PreferencePageInput, 'notes' | 'savedHere'>;

async function show(
  context: ReadContext,
  again: (ShownAgain & Additions) | Additions | undefined,
  /** The times of a form that is shown again. */
  displayed?: Pick<FormSnapshot, 'at' | 'order'> | undefined,
): Promise<void> {
  const { parts, request, response, center, language, visit, underway, hrefOf } = context;
  const { at, order } = displayed ?? { at: parts.clock.now(), order: underway.order };
  const [words, ends] = await Promise.all([parts.wordings.shown(center, language), endsOf(context)]);
  const built = buildPreferencePage({
    ...again,
    ...context,
    ends,
    scope: visit.scope,
    stepUpHref: visit.scope === 'withdraw' ? stepUpHref(context) : undefined,
    page: context.pageId,
    action: hrefOf(pagePath(context.pageId)),
    unsubscribeHref: hrefOf('/unsubscribe'),
    objection: readRequestPreferences(request).globalPrivacyControl
      ? context.formOf('objection', '/objection', { lang: language })
      : undefined,
  });
  if (built === undefined) throw new Problem('not-found');
  const { page, snapshot } = built;
  // The submission was changed meanwhile: show its result on a page of its own.
  if (again?.savedHere !== undefined && page.outcome === undefined)
    return context.goTo(resultPath(again.savedHere.submission.reference));
  await endTurn();
  const shown = words === undefined ? {} : { language, words };
  const token = sealForm(parts.seal, { ...snapshot, ...shown, nonce: parts.random.id(), at, order });
  await parts.render(
    response,
    'centers/preferences',
    { ...page, form: { ...page.form, token } },
    { status: page.mistakes.length === 0 ? 200 : 422 },
  );
}

/** The query of a page's address that says: the form was sent unchanged. */
const unchanged = { saved: 'unchanged' };

/**
 * The additions to a page that its address asks for: a saved submission, an unsaved one, or the note that
 * nothing was changed. Reading them changes nothing.
 */
async function askedAgain(context: ReadContext): Promise<Parameters<typeof show>[1]> {
  const { told, saved, again } = context.request.query;
  if (typeof told === 'string') return { savedHere: await savedHere(context, told) };
  if (saved === 'unchanged') return { notes: [unchangedNote(context.language)] };
  if (typeof again !== 'string') return undefined;
  const draft = await unsavedOf(context, again);
  return draft && { draft, notes: [tryAgainNote(context.language)] };
}
