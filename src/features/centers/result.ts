import { withinScope } from '../../core/consent/scope.ts';
import { Problem } from '../../core/model/problem.ts';
import type { Intent } from '../../core/model/submission/intent.ts';
import type { Submission } from '../../core/model/submission/submission.ts';
import { buildOutcome, buildResultPage, mayUndo, type SavedHere } from '../../pages/person/result.ts';
import { withQuery } from '../../web/href.ts';
import {
  type Call,
  type CenterContext,
  forWithdrawal,
  loadContext,
  soon,
  type VisitorRouter,
} from './context.ts';
import { offerStepUp, stepUpHref } from './step-up.ts';
import { afterSubmitHref, isToldHere, resultPath, submit, submitAgain } from './submit.ts';

/** The query of a result's address that says: the reason for leaving was cut to its maximum length. */
export const reasonCut = { reason: 'cut' };

/** The query that says: only the withdrawals of the form were submitted. */
export const restUnsaved = { rest: 'unsaved' };

/** The result of a submission, read from the journal, and its undo. */
export function resultRoutes({ parts, get, post }: VisitorRouter): void {
  const { delivery, render } = parts;

  get('/results/:reference', async (call) => {
    const { request, response } = call;
    const reference = String(request.params['reference']);
    const submission = await findHere(call, reference);
    if (submission === undefined) throw new Problem('not-found');
    const waits = submission.everything ? forWithdrawal : soon;
    const context = await loadContext(call, resultPath(reference), waits);
    const { pageHref } = context.pageContext;
    const page = buildResultPage({
      ...(await outcomeOf(context, submission)),
      againHref:
        (await unsavedOf(call, reference)) === undefined
          ? undefined
          : (page) => withQuery(pageHref(page), { again: reference }),
      backHref: call.hrefOf(''),
      stops: await stopsOf(call, reference),
      isPartlyTaken: request.query['rest'] === 'unsaved',
      isReasonCut: submission.everything && request.query['reason'] === 'cut',
    });
    await render(response, 'centers/result', page);
  });

  post('/results/:reference/undo', { size: 'button' }, async (call) => {
    const { request, response, visit } = call;
    const reference = String(request.params['reference']);
    const nonce = call.openAction(`undo ${reference}`);
    const undone = await findHere(call, reference);
    if (undone === undefined) throw new Problem('not-found');
    const { intent, leavesOut = [] } = (await delivery.undoOf(reference, visit.subject)) ?? {};
    // The undo would restore less than the page said: show the result page again, which says what is left
    // out.
    if (leavesOut.length > Number(request.body?.without ?? 0)) return call.goTo(resultPath(reference));
    if (intent !== undefined && !withinScope(intent, visit.scope))
      return offerStepUp(call, { path: `${resultPath(reference)}/undo` });
    // The submission is already undone, or its purposes are withdrawn again since: show that result.
    const submission =
      intent === undefined
        ? (undone.undoneBy && (await submitAgain(call, undone.undoneBy))) || undone
        : await submit(call, { nonce, intent, undoes: reference });
    response.redirect(303, afterSubmitHref(call, submission));
  });
}

/** Returns the submission if this visitor made it in this center. */
async function findHere({ parts, centerConfig, visit }: Call, reference: string) {
  const submission = await parts.delivery.find(reference, visit.subject);
  return submission?.center === centerConfig.center ? submission : undefined;
}

/** The result of a submission, and whether this visitor may undo it. */
async function outcomeOf(context: CenterContext, submission: Submission) {
  const { parts, visit } = context;
  const { delivery } = parts;
  const { reference } = submission;
  const undo = await delivery.undoOf(reference, visit.subject);
  const isAllowed = undo !== undefined && withinScope(undo.intent, visit.scope);
  const undoes =
    submission.undoes === undefined ? undefined : await delivery.find(submission.undoes, visit.subject);
  return {
    ...context,
    submission,
    undoes,
    now: parts.clock.now(),
    undo:
      undo !== undefined && (isAllowed || stepUpHref(context) !== undefined)
        ? {
            isByMail: !isAllowed,
            leavesOut: undo.leavesOut,
            ...context.formOf(`undo ${reference}`, `${resultPath(reference)}/undo`),
          }
        : undefined,
    kind: submission.undoes === undefined ? undefined : await kindOf(context, undoes),
  };
}

/** The result shown above its form, as long as it may be undone. */
export async function savedHere(context: CenterContext, reference: string): Promise<SavedHere | undefined> {
  const submission = await findHere(context, reference);
  if (submission === undefined || !isToldHere(submission)) return undefined;
  if (!mayUndo(submission, context.parts.clock.now())) return undefined;
  const view = buildOutcome(await outcomeOf(context, submission));
  return { ...view, here: context.pageId ?? '' };
}

/** Returns an empty list if no receiver of the center may acknowledge. */
async function stopsOf({ parts, centerConfig: { apiKeys = [] } }: Call, reference: string) {
  return apiKeys.some(({ scopes }) => scopes.includes('events')) ? await parts.events.stopsOf(reference) : [];
}

/** Tells an undo from the undo of an undo, and so on. `undone` is the submission that it undoes. */
async function kindOf({ parts, visit }: Call, undone: Submission | undefined): Promise<'undone' | 'redone'> {
  let kind: 'undone' | 'redone' = 'undone';
  let at = undone;
  for (let steps = 1; at?.undoes !== undefined && steps < 20; steps += 1) {
    kind = kind === 'undone' ? 'redone' : 'undone';
    at = await parts.delivery.find(at.undoes, visit.subject);
  }
  return kind;
}

/** The part of a submission that was not saved and that this visitor may ask for again. */
export async function unsavedOf(call: Call, reference: string): Promise<Intent | undefined> {
  const { parts, visit } = call;
  if ((await findHere(call, reference)) === undefined) return undefined;
  const intent = await parts.delivery.unsavedIntent(reference, visit.subject);
  return intent !== undefined && withinScope(intent, visit.scope) ? intent : undefined;
}
