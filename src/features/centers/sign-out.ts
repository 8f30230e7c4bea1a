import { Problem } from '../../core/model/problem.ts';
import { buildSignedOutPage } from '../../pages/person/problem.ts';
import { openCenter } from '../../visits/call.ts';
import type { VisitorRouter } from './context.ts';

export function signOutRoutes({ parts, router, callOf, post }: VisitorRouter): void {
  const { visits, render } = parts;

  post('/sign-out', { size: 'button' }, async ({ request, response, openAction, hrefOf }) => {
    if (visits.leave === undefined) throw new Problem('not-found');
    openAction('sign-out');
    const next = hrefOf('/signed-out');
    await visits.leave(request);
    response.redirect(303, next);
  });

  router.get('/:center/signed-out', async (request, response) => {
    const call = callOf(request, response);
    if (visits.leave === undefined) throw new Problem('not-found');
    const page = await openCenter(call, '/signed-out');
    await render(response, 'centers/signed-out', buildSignedOutPage({ ...page, again: call.signInHref() }));
  });
}
