import { Router } from 'express';
import * as z from 'zod';
import type { Center } from '../../core/center.ts';
import { noIntent } from '../../core/intent.ts';
import { Problem } from '../../core/problem.ts';
import {
  buildUnsubscribePage,
  type PostedReasons,
  type ReadReasons,
  readReasons,
} from '../../core/unsubscribe-page.ts';
import { formBody } from '../../web/body.ts';
import { openAction, sealAction } from './action-token.ts';
import { patience } from './patience.ts';
import { type CenterParts, enter, glanceAtPlace } from './place.ts';
import { reasonCut } from './result.ts';

const action = 'unsubscribe';
const path = '/unsubscribe';

const values = z.union([z.string().transform((value) => [value]), z.array(z.string())]);
/** Whatever stands in the fields for reasons, leaving is not held up by it. */
const shape = z.object({
  token: z.string(),
  reason: values.catch([]),
  'reason-text': values.transform((texts) => texts.join('\n')).catch(''),
});

/** Unsubscribing from everything: one page, one button, also while the platform does not answer. */
export function everythingRoutes(parts: CenterParts): Router {
  const { delivery, visits, platform, render } = parts;
  const router = Router({ mergeParams: true });

  router.get('/:center/unsubscribe', async (request, response) => {
    const place = await glanceAtPlace(parts, request, path);
    const { address, visit, center, language, surroundings } = place;
    const page = buildUnsubscribePage({
      surroundings,
      center,
      language,
      form: {
        action: visits.href(request, address, path),
        token: sealAction(parts, { action, address, visit }).token,
      },
      backHref: visits.href(request, address, ''),
    });
    await render(response, 'centers/unsubscribe', page);
  });

  router.post('/:center/unsubscribe', formBody, async (request, response) => {
    const form = shape.safeParse(request.body);
    if (!form.success) throw new Problem('bad-request');
    const { address, visit } = enter(parts, request);
    const nonce = openAction(parts, form.data.token, { action, address, visit });
    if (nonce === undefined) throw new Problem('form-refused');
    const posted = { reasons: form.data.reason, text: form.data['reason-text'] };
    const { reasons, isCut } = readReasonsOf(await known(platform.findCenter(address.center)), posted);
    const submission = await delivery.submit(
      {
        nonce,
        center: address.center,
        subject: visit.subject,
        intent: { ...noIntent, everything: 'withdraw' },
        door: visit.door,
        globalPrivacyControl: request.get('sec-gpc') === '1',
        undoes: undefined,
        reasons,
        onBehalf: undefined,
      },
      { waitMs: patience },
    );
    const href = visits.href(request, address, `/results/${encodeURIComponent(submission.reference)}`);
    response.redirect(303, isCut ? `${href}${href.includes('?') ? '&' : '?'}${reasonCut}` : href);
  });

  return router;
}

/** Leaving does not wait for a schema: without one only the reasons are lost. */
function known(center: Promise<Center | undefined>): Promise<Center | undefined> {
  return center.catch(() => undefined);
}

function readReasonsOf(center: Center | undefined, posted: PostedReasons): ReadReasons {
  return center === undefined ? { reasons: [], isCut: false } : readReasons(center, posted);
}
