import { Router } from 'express';
import { Problem } from '../../core/model/problem.ts';
import {
  buildEverywherePage,
  buildSessionEndedPage,
  buildSessionEndingPage,
} from '../../pages/person/one-button.ts';
import { openAction, sealAction } from '../../web/action-token.ts';
import { formBody } from '../../web/body.ts';
import { addressOf, hrefOf, type IdentityParts, loadSignInContext, signInHref } from './context.ts';

/** The end of a session: the warning for pages without script, and signing out on every device. */
export function sessionRoutes(parts: IdentityParts): Router {
  const { sessions, render, forget } = parts;
  const router = Router({ mergeParams: true });

  // Shown by a page that nobody has touched for a long time: looking at it does not renew the session.
  router.get('/:center/session-ending', async (request, response) => {
    const context = await loadSignInContext(parts, request, '/session-ending');
    const { address, surroundings } = context;
    const visit = sessions.visitOf(request, address.name);
    sessions.leaveUntouched(request);
    if (visit === undefined) {
      const page = buildSessionEndedPage({ ...context, againHref: signInHref(request, address) });
      return render(response, 'identity/one-button', page);
    }
    const page = buildSessionEndingPage({
      ...context,
      surroundings: { ...surroundings, subject: visit.subject },
      continueHref: hrefOf(request, address, ''),
      lookAgainAfter: 125,
      leave: {
        action: hrefOf(request, address, '/sign-out'),
        token: sealAction(parts, { action: 'sign-out', address, visit }),
      },
    });
    await render(response, 'identity/one-button', page);
  });

  router.get('/:center/devices', async (request, response) => {
    const context = await loadSignInContext(parts, request, '/devices');
    const { address, surroundings } = context;
    const visit = sessions.visitOf(request, address.name);
    if (visit === undefined) throw new Problem('not-signed-in');
    if (visit.scope !== 'manage') return response.redirect(303, hrefOf(request, address, '/step-up'));
    const page = buildEverywherePage({
      ...context,
      surroundings: { ...surroundings, subject: visit.subject },
      form: {
        action: hrefOf(request, address, '/devices'),
        token: sealAction(parts, { action: 'everywhere', address, visit }),
      },
      backHref: hrefOf(request, address, ''),
    });
    await render(response, 'identity/one-button', page);
  });

  router.post('/:center/devices', formBody, async (request, response) => {
    const address = addressOf(parts, request);
    const visit = sessions.visitOf(request, address.name);
    if (visit === undefined) throw new Problem('not-signed-in');
    if (visit.scope !== 'manage') throw new Problem('not-allowed');
    if (openAction(parts, request.body?.token, { action: 'everywhere', address, visit }) === undefined) {
      throw new Problem('form-refused');
    }
    const next = hrefOf(request, address, '/signed-out');
    forget(visit.subject);
    await sessions.signOut(request);
    response.redirect(303, next);
  });

  return router;
}
