import { Problem } from '../../core/model/problem.ts';
import {
  buildEverywherePage,
  buildSessionEndedPage,
  buildSessionEndingPage,
} from '../../pages/person/one-button.ts';
import { openCenter } from '../../visits/call.ts';
import { openAction, sealAction } from '../../web/action-token.ts';
import { type Call, type IdentityRouter, seenBy, showButton } from './context.ts';

/** The end of a session: a warning for pages without script, and signing out on every device. */
export function sessionRoutes({ parts, get, post }: IdentityRouter): void {
  // A page that was left open shows this. Reading it does not renew the session.
  get('/session-ending', async (call) => {
    const page = await openCenter(call, '/session-ending');
    const { visit } = call;
    parts.sessions.leaveUntouched(call.request);
    if (visit === undefined)
      return showButton(call, buildSessionEndedPage({ ...page, againHref: call.signInHref() }));
    const token = sealAction(parts, { ...call, action: 'sign-out', visit });
    const ending = buildSessionEndingPage({
      ...seenBy(page, visit),
      continueHref: call.hrefOf(''),
      lookAgainAfter: 125,
      leave: { action: call.hrefOf('/sign-out'), token },
    });
    await showButton(call, ending);
  });

  get('/devices', async (call) => {
    const page = await openCenter(call, '/devices');
    const { visit } = call;
    if (visit === undefined) throw new Problem('not-signed-in');
    if (visit.scope !== 'manage') return call.goTo('/step-up');
    const form = {
      action: call.hrefOf('/devices'),
      token: sealAction(parts, { ...call, action: 'everywhere', visit }),
    };
    await showButton(call, buildEverywherePage({ ...seenBy(page, visit), form, backHref: call.hrefOf('') }));
  });

  post('/devices', { right: requireManager, size: 'button' }, async (call, visit) => {
    openAction(parts, call.request.body?.token, { ...call, action: 'everywhere', visit });
    await parts.forget(visit.subject);
    await parts.sessions.signOut(call.request);
    call.goTo('/signed-out');
  });
}

function requireManager({ visit }: Call) {
  if (visit === undefined) throw new Problem('not-signed-in');
  if (visit.scope !== 'manage') throw new Problem('not-allowed');
  return visit;
}
