import type { Router } from 'express';
import { Problem } from '../../core/model/problem.ts';
import {
  buildEverywherePage,
  buildSessionEndedPage,
  buildSessionEndingPage,
} from '../../pages/person/one-button.ts';
import { openAction, sealAction } from '../../web/action-token.ts';
import {
  type Call,
  centerRouter,
  goTo,
  hrefOf,
  type IdentityParts,
  openCenter,
  seenBy,
  showButton,
  signInHref,
  visitOf,
} from './context.ts';

/** The end of a session: a warning for pages without script, and signing out on every device. */
export function sessionRoutes(parts: IdentityParts): Router {
  const { router, get, post } = centerRouter(parts);

  // A page that was left open shows this. Reading it does not renew the session.
  get('/session-ending', async (call) => {
    const page = await openCenter(call, '/session-ending');
    const visit = visitOf(call);
    parts.sessions.leaveUntouched(call.request);
    if (visit === undefined)
      return showButton(call, buildSessionEndedPage({ ...page, againHref: signInHref(call) }));
    const token = sealAction(parts, { ...call, action: 'sign-out', visit });
    const ending = buildSessionEndingPage({
      ...seenBy(page, visit),
      continueHref: hrefOf(call, ''),
      lookAgainAfter: 125,
      leave: { action: hrefOf(call, '/sign-out'), token },
    });
    await showButton(call, ending);
  });

  get('/devices', async (call) => {
    const page = await openCenter(call, '/devices');
    const visit = visitOf(call);
    if (visit === undefined) throw new Problem('not-signed-in');
    if (visit.scope !== 'manage') return goTo(call, '/step-up');
    const form = {
      action: hrefOf(call, '/devices'),
      token: sealAction(parts, { ...call, action: 'everywhere', visit }),
    };
    await showButton(call, buildEverywherePage({ ...seenBy(page, visit), form, backHref: hrefOf(call, '') }));
  });

  post('/devices', { right: requireManager, size: 'button' }, async (call, visit) => {
    openAction(parts, call.request.body?.token, { ...call, action: 'everywhere', visit });
    await parts.forget(visit.subject);
    await parts.sessions.signOut(call.request);
    goTo(call, '/signed-out');
  });

  return router;
}

function requireManager(call: Call) {
  const visit = visitOf(call);
  if (visit === undefined) throw new Problem('not-signed-in');
  if (visit.scope !== 'manage') throw new Problem('not-allowed');
  return visit;
}
