import { Router } from 'express';
import { offersSignIn } from '../../core/model/center/center-config.ts';
import { Problem } from '../../core/model/problem.ts';
import { buildSignedOutPage } from '../../pages/person/problem.ts';
import { openAction } from '../../web/action-token.ts';
import { formBody } from '../../web/body.ts';
import { openPage } from '../../web/open-page.ts';
import { type CenterParts, requireVisit } from './context.ts';

export function signOutRoutes(parts: CenterParts): Router {
  const { registry, visits, platform, brandOf, render } = parts;
  const router = Router({ mergeParams: true });

  const button = formBody({ right: (request) => requireVisit(parts, request), size: 'button' });

  router.post('/:center/sign-out', button, async (request, response) => {
    const { centerConfig, visit } = requireVisit(parts, request);
    if (visits.leave === undefined) throw new Problem('not-found');
    openAction(parts, request.body?.token, { action: 'sign-out', centerConfig, visit });
    const next = visits.href(request, centerConfig, '/signed-out');
    await visits.leave(request);
    response.redirect(303, next);
  });

  router.get('/:center/signed-out', async (request, response) => {
    const centerConfig = registry.find(String(request.params['center']));
    if (centerConfig === undefined || visits.leave === undefined) throw new Problem('not-found');
    const center = await platform.findOpenCenter(centerConfig.center);
    if (center === undefined) throw new Problem('not-found');
    const page = buildSignedOutPage({
      center,
      again: offersSignIn(centerConfig) ? visits.href(request, centerConfig, '/sign-in') : undefined,
      ...openPage(brandOf, request, {
        centerConfig,
        center,
        frame: visits.frame,
        pageHref: () => visits.href(request, centerConfig, ''),
        languageHref: (lang) => visits.href(request, centerConfig, '/signed-out', { lang }),
      }),
    });
    await render(response, 'centers/signed-out', page);
  });

  return router;
}
