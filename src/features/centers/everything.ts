import { type Request, Router } from 'express';
import * as z from 'zod';
import type { Center } from '../../core/center.ts';
import { noIntent } from '../../core/intent.ts';
import { Problem } from '../../core/problem.ts';
import { buildUnsubscribePage, type PostedReasons, readReasons } from '../../core/unsubscribe-page.ts';
import { formBody } from '../../web/body.ts';
import { openAction, sealAction } from './action-token.ts';
import { patience } from './patience.ts';
import { type CenterParts, enter, glanceAtPlace } from './place.ts';

const action = 'unsubscribe';
const path = '/unsubscribe';

const values = z.union([z.string().transform((value) => [value]), z.array(z.string())]).default([]);
const shape = z.object({ token: z.string(), reason: values, 'reason-text': z.string().default('') });

/** Unsubscribing from everything: one page, one button, also while the platform does not answer. */
export function everythingRoutes(parts: CenterParts): Router {
  const { delivery, visits, platform, render } = parts;
  const router = Router({ mergeParams: true });

  async function buildPage(
    request: Request,
    again: { posted?: PostedReasons; mistake?: 'too-long' | 'characters' },
  ) {
    const place = await glanceAtPlace(parts, request, path);
    const { address, visit, center, language, surroundings } = place;
    return buildUnsubscribePage({
      ...again,
      surroundings,
      center,
      language,
      form: {
        action: visits.href(request, address, path),
        token: sealAction(parts, { action, address, visit }).token,
      },
      backHref: visits.href(request, address, ''),
    });
  }

  router.get('/:center/unsubscribe', async (request, response) => {
    await render(response, 'centers/unsubscribe', await buildPage(request, {}));
  });

  router.post('/:center/unsubscribe', formBody, async (request, response) => {
    const form = shape.safeParse(request.body);
    if (!form.success) throw new Problem('bad-request');
    const { address, visit } = enter(parts, request);
    const nonce = openAction(parts, form.data.token, { action, address, visit });
    if (nonce === undefined) throw new Problem('form-refused');
    const posted = { reasons: form.data.reason, text: form.data['reason-text'] };
    const read = readReasonsOf(await known(platform.findCenter(address.center)), posted);
    if (read.kind === 'mistake') {
      const page = await buildPage(request, { posted, mistake: read.mistake });
      return render(response, 'centers/unsubscribe', page, { status: 422 });
    }
    const submission = await delivery.submit(
      {
        nonce,
        center: address.center,
        subject: visit.subject,
        intent: { ...noIntent, everything: 'withdraw' },
        door: visit.door,
        globalPrivacyControl: request.get('sec-gpc') === '1',
        undoes: undefined,
        reasons: read.reasons,
        onBehalf: undefined,
      },
      { waitMs: patience },
    );
    response.redirect(
      303,
      visits.href(request, address, `/results/${encodeURIComponent(submission.reference)}`),
    );
  });

  return router;
}

/** Leaving does not wait for a schema: without one only the reasons are lost. */
function known(center: Promise<Center | undefined>): Promise<Center | undefined> {
  return center.catch(() => undefined);
}

function readReasonsOf(center: Center | undefined, posted: PostedReasons): ReturnType<typeof readReasons> {
  return center === undefined ? { kind: 'reasons', reasons: [] } : readReasons(center, posted);
}
