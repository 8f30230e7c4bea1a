import { Router } from 'express';
import { withinScope } from '../../core/consent/scope.ts';
import type { CenterConfig } from '../../core/model/center-config.ts';
import type { Intent } from '../../core/model/intent.ts';
import { Problem } from '../../core/model/problem.ts';
import type { SubjectId } from '../../core/model/subject.ts';
import type { Submission } from '../../core/model/submission.ts';
import { buildResultPage } from '../../pages/person/result.ts';
import { openAction, sealAction } from '../../web/action-token.ts';
import { formBody } from '../../web/body.ts';
import {
  type CenterParts,
  forWithdrawal,
  loadContext,
  requireVisit,
  soon,
  type VisitContext,
} from './context.ts';
import { offerStepUp } from './step-up.ts';
import { afterSubmitHref, submit, withQuery } from './submit.ts';

/** In the address of a result: of the reason for leaving only the beginning was kept. */
export const reasonCut = 'reason=cut';

/** Only what the form switched off was taken. */
export const restUnsaved = 'rest=unsaved';

/** What became of a submission, read from the journal; and its undoing. */
export function resultRoutes(parts: CenterParts): Router {
  const { delivery, visits, clock, render } = parts;
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
    const undo = await delivery.undoIntent(reference, visit.subject);
    const canUndo = undo !== undefined && withinScope(undo, visit.scope);
    const undoes =
      submission.undoes === undefined ? undefined : await delivery.find(submission.undoes, visit.subject);
    const page = buildResultPage({
      pageContext: context.pageContext,
      center: context.center,
      subject: context.subject,
      language: context.language,
      submission,
      now: clock.now(),
      undo: canUndo
        ? {
            action: visits.href(request, centerConfig, `/results/${encodeURIComponent(reference)}/undo`),
            token: sealAction(parts, { action: `undo ${reference}`, centerConfig, visit }),
          }
        : undefined,
      kind: await kindOf(parts, { submission, undoes }, visit.subject),
      undoes,
      againHref:
        (await unsavedOf(parts, reference, { centerConfig, visit })) === undefined
          ? undefined
          : (page) => withQuery(context.pageContext.pageHref(page), `again=${encodeURIComponent(reference)}`),
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
    const nonce = openAction(parts, request.body?.token, {
      action: `undo ${reference}`,
      centerConfig,
      visit,
    });
    if (nonce === undefined) throw new Problem('form-refused');
    const undone = await delivery.find(reference, visit.subject);
    if (undone === undefined || undone.center !== centerConfig.center) throw new Problem('not-found');
    const intent = await delivery.undoIntent(reference, visit.subject);
    if (intent !== undefined && !withinScope(intent, visit.scope)) {
      return offerStepUp(parts, request, response, `/results/${encodeURIComponent(reference)}/undo`);
    }
    // Undone already, by this very form or another, or taken back anew since: its result is the answer.
    const shown =
      intent === undefined
        ? (undone.undoneBy ?? reference)
        : (await submit(parts, request, { centerConfig, visit }, { nonce, intent, undoes: reference }))
            .reference;
    response.redirect(303, afterSubmitHref(parts, request, { centerConfig, reference: shown }));
  });

  return router;
}

/** Nobody acknowledges anything where nobody may. */
async function stopsOf({ events }: CenterParts, { apiKeys = [] }: CenterConfig, reference: string) {
  return apiKeys.some(({ scopes }) => scopes.includes('events')) ? await events.stopsOf(reference) : [];
}

/** Whether a submission undoes another one, or undoes an undoing, and so on. */
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

/** What of a submission in this center was not saved, and may be asked for by the visitor who asks. */
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
