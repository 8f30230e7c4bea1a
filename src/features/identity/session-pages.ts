import { type Request, Router } from 'express';
import { Problem } from '../../core/model/problem.ts';
import {
  buildEverywherePage,
  buildSessionEndedPage,
  buildSessionEndingPage,
} from '../../pages/person/one-button.ts';
import { openAction, sealAction } from '../../web/action-token.ts';
import { formBody } from '../../web/body.ts';
import { addressOf, hrefOf, type IdentityParts, loadSignInContext, signInHref } from './context.ts';

/** The end of a session: a warning for pages without script, and signing out on every device. */
export function sessionRoutes(parts: IdentityParts): Router {
  const { sessions, render, forget } = parts;
  const router = Router({ mergeParams: true });

  // A page that was left open shows this. Reading it does not renew the session.
  router.get('/:center/session-ending', async (request, response) => {
    const context = await loadSignInContext(parts, request, '/session-ending');
    const { centerConfig, pageContext } = context;
    const visit = sessions.visitOf(request, centerConfig.name);
    sessions.leaveUntouched(request);
    if (visit === undefined) {
      const page = buildSessionEndedPage({ ...context, againHref: signInHref(request, centerConfig) });
      return render(response, 'identity/one-button', page);
    }
    const page = buildSessionEndingPage({
      ...context,
      pageContext: { ...pageContext, subject: visit.subject },
      continueHref: hrefOf(request, centerConfig, ''),
      lookAgainAfter: 125,
      leave: {
        action: hrefOf(request, centerConfig, '/sign-out'),
        token: sealAction(parts, { action: 'sign-out', centerConfig, visit }),
      },
    });
    await render(response, 'identity/one-button', page);
  });

  router.get('/:center/devices', async (request, response) => {
    const context = await loadSignInContext(parts, request, '/devices');
    const { centerConfig, pageContext } = context;
    const visit = sessions.visitOf(request, centerConfig.name);
    if (visit === undefined) throw new Problem('not-signed-in');
    if (visit.scope !== 'manage') return response.redirect(303, hrefOf(request, centerConfig, '/step-up'));
    const page = buildEverywherePage({
      ...context,
      pageContext: { ...pageContext, subject: visit.subject },
      form: {
        action: hrefOf(request, centerConfig, '/devices'),
        token: sealAction(parts, { action: 'everywhere', centerConfig, visit }),
      },
      backHref: hrefOf(request, centerConfig, ''),
    });
    await render(response, 'identity/one-button', page);
  });

  function requireManager(request: Request) {
    const centerConfig = addressOf(parts, request);
    const visit = sessions.visitOf(request, centerConfig.name);
    if (visit === undefined) throw new Problem('not-signed-in');
    if (visit.scope !== 'manage') throw new Problem('not-allowed');
    return { centerConfig, visit };
  }

  const button = formBody({ right: requireManager, size: 'button' });

  router.post('/:center/devices', button, async (request, response) => {
    const { centerConfig, visit } = requireManager(request);
    if (openAction(parts, request.body?.token, { action: 'everywhere', centerConfig, visit }) === undefined) {
      throw new Problem('form-refused');
    }
    const next = hrefOf(request, centerConfig, '/signed-out');
    await forget(visit.subject);
    await sessions.signOut(request);
    response.redirect(303, next);
  });

  return router;
}
