import { Router } from 'express';
import * as z from 'zod';
import { unreadCenter } from '../../core/model/center/unread-center.ts';
import { Problem } from '../../core/model/problem.ts';
import { type Intent, noIntent } from '../../core/model/submission/intent.ts';
import { buildUnsubscribePage, readReasons } from '../../pages/person/unsubscribe.ts';
import { openAction, sealAction } from '../../web/action-token.ts';
import { formBody } from '../../web/body.ts';
import { type CenterParts, findCenter, forWithdrawal, loadContext, requireVisit } from './context.ts';
import { values } from './form.ts';
import { reasonCut } from './result.ts';
import { afterSubmitHref, shownNow, submit } from './submit.ts';

/** Without the schema only the reasons are lost, so the withdrawal waits no longer. Milliseconds. */
const schemaTimeoutMs = 1_000;

export const leaveAction = 'unsubscribe';
export const leavePath = '/unsubscribe';

/** Invalid reasons never stop the withdrawal. */
const shape = z.object({
  token: z.string(),
  reason: values.catch([]),
  'reason-text': values.transform((texts) => texts.join('\n')).catch(''),
});

/** Unsubscribing from everything: one page with one button. It works while the platform does not answer. */
export function everythingRoutes(parts: CenterParts): Router {
  const { visits, render } = parts;
  const router = Router({ mergeParams: true });

  router.get('/:center/unsubscribe', async (request, response) => {
    const context = await loadContext(parts, request, leavePath, forWithdrawal);
    const { centerConfig, visit, center, language, pageContext } = context;
    const page = buildUnsubscribePage({
      pageContext,
      center,
      subject: context.subject,
      language,
      form: {
        action: visits.href(request, centerConfig, leavePath, { lang: language }),
        token: sealAction(parts, { action: leaveAction, centerConfig, visit }),
      },
      backHref: visits.href(request, centerConfig, ''),
    });
    await render(response, 'centers/unsubscribe', page);
  });

  const form = formBody({ right: (request) => requireVisit(parts, request), size: 'page' });

  router.post('/:center/unsubscribe', form, async (request, response) => {
    const form = shape.safeParse(request.body);
    if (!form.success) throw new Problem('bad-request');
    const { centerConfig, visit } = requireVisit(parts, request);
    const nonce = openAction(parts, form.data.token, { action: leaveAction, centerConfig, visit });
    if (nonce === undefined) throw new Problem('form-refused');
    const posted = { reasons: form.data.reason, text: form.data['reason-text'] };
    const center = await findCenter(parts, centerConfig.center, schemaTimeoutMs);
    const { reasons, isCut } = readReasons(center ?? unreadCenter(centerConfig.center), posted);
    const intent: Intent = { ...noIntent, everything: 'withdraw' };
    const shown = await shownNow(parts, request, center);
    const asked = { nonce, intent, reasons, shown };
    const submission = await submit(parts, request, { centerConfig, visit }, asked);
    const query = isCut ? reasonCut : undefined;
    response.redirect(303, afterSubmitHref(parts, request, { centerConfig, submission, query }));
  });

  return router;
}
