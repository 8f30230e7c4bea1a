import { type Request, Router } from 'express';
import { withinScope } from '../../core/consent/scope.ts';
import type { CenterConfig } from '../../core/model/center/center-config.ts';
import type { SubjectId } from '../../core/model/person/subject.ts';
import { Problem } from '../../core/model/problem.ts';
import type { Intent } from '../../core/model/submission/intent.ts';
import type { Submission } from '../../core/model/submission/submission.ts';
import {
  buildOutcome,
  buildResultPage,
  mayUndo,
  type OutcomeInput,
  type SavedHere,
} from '../../pages/person/result.ts';
import { openAction, sealAction } from '../../web/action-token.ts';
import { formBody } from '../../web/body.ts';
import { withQuery } from '../../web/href.ts';
import {
  type CenterContext,
  type CenterParts,
  forWithdrawal,
  loadContext,
  requireVisit,
  soon,
  type VisitContext,
} from './context.ts';
import { offerStepUp, stepUpHref } from './step-up.ts';
import { afterSubmitHref, isToldHere, resultHref, submit } from './submit.ts';

/** Query of a result's address: the reason for leaving was cut to its maximum length. */
export const reasonCut = { reason: 'cut' };

/** Query: only the withdrawals of the form were submitted. */
export const restUnsaved = { rest: 'unsaved' };

/** The result of a submission, read from the journal, and its undo. */
export function resultRoutes(parts: CenterParts): Router {
  const { delivery, visits, render } = parts;
  const router = Router({ mergeParams: true });

  router.get('/:center/results/:reference', async (request, response) => {
    const reference = String(request.params['reference']);
    const visitContext = requireVisit(parts, request);
    const submission = await delivery.find(reference, visitContext.visit.subject);
    if (submission === undefined || submission.center !== visitContext.centerConfig.center)
      throw new Problem('not-found');
    const waits = submission.everything ? forWithdrawal : soon;
    const context = await loadContext(parts, request, `/results/${encodeURIComponent(reference)}`, waits);
    const { centerConfig, visit } = context;
    const page = buildResultPage({
      ...(await outcomeOf(parts, request, context, submission)),
      pageContext: context.pageContext,
      againHref:
        (await unsavedOf(parts, reference, { centerConfig, visit })) === undefined
          ? undefined
          : (page) => withQuery(context.pageContext.pageHref(page), { again: reference }),
      backHref: visits.href(request, centerConfig, ''),
      stops: await stopsOf(parts, centerConfig, reference),
      isPartlyTaken: request.query['rest'] === 'unsaved',
      isReasonCut: submission.everything && request.query['reason'] === 'cut',
    });
    await render(response, 'centers/result', page);
  });

  const button = formBody({ right: (request) => requireVisit(parts, request), size: 'button' });

  router.post('/:center/results/:reference/undo', button, async (request, response) => {
    const reference = String(request.params['reference']);
    const { centerConfig, visit } = requireVisit(parts, request);
    const use = { action: `undo ${reference}`, centerConfig, visit };
    const nonce = openAction(parts, request.body?.token, use);
    const undone = await delivery.find(reference, visit.subject);
    if (undone === undefined || undone.center !== centerConfig.center) throw new Problem('not-found');
    const { intent, leavesOut = [] } = (await delivery.undoOf(reference, visit.subject)) ?? {};
    // The undo would restore less than the page said: show the result page again, which says what is left
    // out.
    if (leavesOut.length > Number(request.body?.without ?? 0))
      return response.redirect(303, resultHref(parts, request, { centerConfig }, reference));
    if (intent !== undefined && !withinScope(intent, visit.scope)) {
      return offerStepUp(parts, request, response, `/results/${encodeURIComponent(reference)}/undo`);
    }
    // Already undone by a form, or withdrawn again since: show that result.
    const submission =
      intent === undefined
        ? (undone.undoneBy && (await delivery.find(undone.undoneBy, visit.subject))) || undone
        : await submit(parts, request, { centerConfig, visit }, { nonce, intent, undoes: reference });
    response.redirect(303, afterSubmitHref(parts, request, { centerConfig, submission }));
  });

  return router;
}

/** The result of a submission, and whether this visitor may undo it. */
async function outcomeOf(
  parts: CenterParts,
  request: Request,
  context: CenterContext,
  submission: Submission,
): Promise<OutcomeInput> {
  const { delivery, visits, clock } = parts;
  const { centerConfig, visit, center, subject, language } = context;
  const { reference } = submission;
  const undo = await delivery.undoOf(reference, visit.subject);
  const isAllowed = undo !== undefined && withinScope(undo.intent, visit.scope);
  const undoes =
    submission.undoes === undefined ? undefined : await delivery.find(submission.undoes, visit.subject);
  return {
    center,
    subject,
    language,
    submission,
    now: clock.now(),
    undo:
      undo !== undefined && (isAllowed || stepUpHref(parts, request, context) !== undefined)
        ? {
            isByMail: !isAllowed,
            leavesOut: undo.leavesOut,
            action: visits.href(request, centerConfig, `/results/${encodeURIComponent(reference)}/undo`),
            token: sealAction(parts, { action: `undo ${reference}`, centerConfig, visit }),
          }
        : undefined,
    kind: await kindOf(parts, { submission, undoes }, visit.subject),
    undoes,
  };
}

/** The result shown above the form it came from, as long as it may be undone. */
export async function savedHere(
  parts: CenterParts,
  request: Request,
  context: CenterContext,
  reference: string,
): Promise<SavedHere | undefined> {
  const submission = await parts.delivery.find(reference, context.visit.subject);
  if (submission?.center !== context.centerConfig.center || !isToldHere(submission)) return undefined;
  if (!mayUndo(submission, parts.clock.now())) return undefined;
  const view = buildOutcome(await outcomeOf(parts, request, context, submission));
  return { ...view, here: String(request.params['page'] ?? '') };
}

/** None, if no receiver of the center may acknowledge. */
async function stopsOf({ events }: CenterParts, { apiKeys = [] }: CenterConfig, reference: string) {
  return apiKeys.some(({ scopes }) => scopes.includes('events')) ? await events.stopsOf(reference) : [];
}

/** Tells an undo from the undo of an undo, and so on. */
async function kindOf(
  { delivery }: CenterParts,
  { submission, undoes }: { readonly submission: Submission; readonly undoes: Submission | undefined },
  subject: SubjectId,
): Promise<'undone' | 'redone' | undefined> {
  if (submission.undoes === undefined) return undefined;
  let kind: 'undone' | 'redone' = 'undone';
  let at = undoes;
  for (let steps = 1; at?.undoes !== undefined && steps < 20; steps += 1) {
    kind = kind === 'undone' ? 'redone' : 'undone';
    at = await delivery.find(at.undoes, subject);
  }
  return kind;
}

/** The part of a submission that was not saved and that this visitor may ask for again. */
export async function unsavedOf(
  { delivery }: CenterParts,
  reference: string,
  { centerConfig, visit }: VisitContext,
): Promise<Intent | undefined> {
  const submission = await delivery.find(reference, visit.subject);
  if (submission?.center !== centerConfig.center) return undefined;
  const intent = await delivery.unsavedIntent(reference, visit.subject);
  return intent !== undefined && withinScope(intent, visit.scope) ? intent : undefined;
}
