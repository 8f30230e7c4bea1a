import { type Request, type Response, Router } from 'express';
import { type FormSize, largestForm } from '../../core/consent/form-size.ts';
import { drawnByDefault, shownForm } from '../../core/consent/form-snapshot.ts';
import { postedWithin, withinScope } from '../../core/consent/scope.ts';
import { noIntent } from '../../core/model/intent.ts';
import { Problem } from '../../core/model/problem.ts';
import type { Subject } from '../../core/model/subject.ts';
import type { Submission } from '../../core/model/submission.ts';
import { buildPreferencePage, findPage, type PreferencePageInput } from '../../pages/person/preferences.ts';
import { sealAction } from '../../web/action-token.ts';
import { formBodyAs } from '../../web/body.ts';
import { type CenterContext, type CenterParts, centerInTime, loadContext, requireVisit } from './context.ts';
import { everythingRoutes } from './everything.ts';
import { readPreferenceForm } from './form.ts';
import { openForm, sealForm } from './form-token.ts';
import { readPosted } from './posted.ts';
import { resultRoutes } from './result.ts';
import { signOutRoutes } from './sign-out.ts';
import { offerStepUp, stepUpHref, withdrawAtOnce } from './step-up.ts';
import { submit } from './submit.ts';

/** The pages of a center: preferences, their result, and unsubscribing from everything. */
export function centerRoutes(parts: CenterParts): Router {
  const router = Router({ mergeParams: true });
  router.use(everythingRoutes(parts));
  router.use(resultRoutes(parts));
  router.use(signOutRoutes(parts));

  const asDrawn = formBodyAs((request) => sizeOfForm(parts, request));

  router.get('/:center{/:page}', async (request, response) => {
    const context = await loadContext(parts, request, pathOf(request));
    await show(parts, request, response, context, {});
  });

  router.post('/:center{/:page}', asDrawn, async (request, response) => {
    const form = readPreferenceForm(request.body);
    if (form === undefined) throw new Problem('bad-request');
    const { centerConfig, visit } = requireVisit(parts, request);
    const snapshot = openForm(parts.seal, form.token);
    if (snapshot === undefined) throw new Problem('form-refused');
    const { posted, isBeyond } = postedWithin(form.posted, visit.scope);
    const read = await readPosted(
      parts,
      { centerConfig, visit },
      { page: pageOf(request), snapshot, posted },
    );
    if (read.kind === 'refused') throw new Problem('form-refused', { cause: read.reason });
    const intent = read.kind === 'intent' ? read.intent : read.draft;
    const outOfSight = read.kind === 'review' ? read.outOfSight : [];
    const purposes = outOfSight.map((purpose) => ({ kind: 'off', purpose }) as const);
    const shown = shownForm(snapshot);
    const unseen = {
      nonce: `${snapshot.nonce} unseen`,
      intent: { ...noIntent, purposes },
      form: shown,
      waitMs: 0,
    };
    await withdrawAtOnce(parts, request, { centerConfig, visit }, unseen);
    const off = { nonce: `${snapshot.nonce} off`, intent: intent, form: shown };
    // To leave needs no other words: only what is switched on is shown again.
    if (read.kind === 'review' && read.reason === 'schema-changed') {
      await withdrawAtOnce(parts, request, { centerConfig, visit }, off);
    }
    if (isBeyond || !withinScope(intent, visit.scope)) {
      if (read.kind === 'intent') await withdrawAtOnce(parts, request, { centerConfig, visit }, off);
      return offerStepUp(parts, request, response, pathOf(request));
    }
    if (read.kind === 'intent') {
      const asked = {
        nonce: snapshot.nonce,
        intent: read.intent,
        form: shown,
        drawnByDefault: drawnByDefault(snapshot),
      };
      const submission = await submit(parts, request, { centerConfig, visit }, asked);
      return response.redirect(303, parts.visits.href(request, centerConfig, resultPath(submission)));
    }
    const context = await loadContext(parts, request, pathOf(request));
    await show(
      parts,
      request,
      response,
      context,
      read.kind === 'mistakes'
        ? { draft: read.draft, mistakes: read.mistakes }
        : { draft: read.draft, review: read.reason, outOfSight },
      read.kind === 'mistakes' ? 422 : 200,
    );
  });

  return router;
}

/** The body is not held up by a schema that does not come: then it is read as any other. Milliseconds. */
const recordTimeoutMs = 1_000;

/** undefined for strangers, and where the center cannot be read: that is told to who posted, by what reads the form. */
async function sizeOfForm(parts: CenterParts, request: Request): Promise<FormSize | undefined> {
  const centerConfig = parts.registry.find(String(request.params['center']));
  if (centerConfig === undefined || parts.visits.find(request, centerConfig) === undefined) return undefined;
  const center = await centerInTime(parts, centerConfig.center, recordTimeoutMs);
  const page = center && findPage(center, pageOf(request));
  return page && largestForm(page);
}

async function show(
  parts: CenterParts,
  request: Request,
  response: Response,
  context: CenterContext & { readonly subject: Subject },
  again: Pick<PreferencePageInput, 'draft' | 'mistakes' | 'review' | 'outOfSight'>,
  status = 200,
): Promise<void> {
  const { seal, random, clock, visits, delivery, render } = parts;
  const { centerConfig, center, subject, language, pageContext, visit } = context;
  const page = buildPreferencePage({
    ...again,
    pageContext,
    center,
    subject,
    language,
    scope: visit.scope,
    stepUpHref: stepUpHref(parts, request, context),
    page: pageOf(request),
    action: visits.href(request, centerConfig, pathOf(request)),
    unsubscribeHref: visits.href(request, centerConfig, '/unsubscribe'),
    withdrawing: delivery.withdrawing(center.id, visit.subject),
    objects: context.preferences.globalPrivacyControl,
    objection: {
      action: visits.href(request, centerConfig, '/objection'),
      token: sealAction(parts, { action: 'objection', centerConfig, visit }),
    },
    seal: (snapshot) => sealForm(seal, { ...snapshot, nonce: random.id(), at: clock.now() }),
  });
  if (page === undefined) throw new Problem('not-found');
  await render(response, 'centers/preferences', page, { status });
}

function pageOf(request: Request): string | undefined {
  const page = request.params['page'];
  return page === undefined ? undefined : String(page);
}

function pathOf(request: Request): string {
  const page = pageOf(request);
  return page === undefined ? '' : `/${encodeURIComponent(page)}`;
}

function resultPath(submission: Submission): string {
  return `/results/${encodeURIComponent(submission.reference)}`;
}
