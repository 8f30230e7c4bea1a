import type { Request, Response, Router } from 'express';
import type { Member } from '../../core/model/staff/staff-member.ts';
import { networkOf } from '../../web/client-network.ts';
import { type Call, showPage } from './guarded-router.ts';
import type { StaffParts } from './parts.ts';
import { arrivedPage, buildNoRolePage, buildSignInPage, type SignInWhy } from './plain.ts';

/** The statuses that are not 401. */
const statusOf: Partial<Record<SignInWhy, number>> = {
  'signed-out': 200,
  'used-address': 410,
  unreachable: 503,
};

/** Adds the routes of signing in, and the page after signing out. */
export function addSignIn(router: Router, parts: StaffParts): void {
  const { sessions, log, clock, ways, takeKey, singleSignOn, failedSignIns } = parts;

  async function signIn(request: Request, member: Member, how: string): Promise<void> {
    await sessions.signIn(request, member);
    await log.begin({
      at: member.since,
      staff: member.id,
      name: member.name,
      does: 'signed in',
      about: `${how} (${networkOf(request)})`,
      outcome: 'done',
    });
  }

  const signInPage = (response: Response, why: SignInWhy) =>
    showPage(parts, { response, page: buildSignInPage(ways, why), status: statusOf[why] ?? 401 });

  /** The first page, or a one-time address with a key. A scanner's HEAD does not use up the key. */
  router.get('/', async (request, response, next) => {
    const { key } = request.query;
    if (key === undefined) {
      return sessions.memberOf(request) === undefined ? signInPage(response, 'arriving') : next();
    }
    const isAsked = request.method === 'GET' && typeof key === 'string';
    const found = isAsked ? await takeKey(request, key) : undefined;
    if (found === undefined) {
      if (request.method === 'GET') {
        const about = 'used, old or made up';
        await failedSignIns.stranger({ does: 'tried a one-time address', about, from: networkOf(request) });
      }
      return signInPage(response, 'used-address');
    }
    await signIn(request, { ...found.member, since: clock.now() }, found.how);
    if (request.get('sec-fetch-site') === 'cross-site') return showArrived(response);
    response.redirect(303, '/staff');
  });

  /**
   * Shows a page of ours after a sign-in that began on another site: the browser does not send the cookie
   * with a navigation from there, but with the next one from this page.
   */
  function showArrived(response: Response): Promise<void> {
    response.setHeader('Refresh', '0;url=/staff');
    return showPage(parts, { response, page: arrivedPage, around: { member: undefined } });
  }

  router.get('/signed-out', (request, response) =>
    sessions.memberOf(request) === undefined
      ? signInPage(response, 'signed-out')
      : response.redirect(303, '/staff'),
  );

  if (singleSignOn === undefined) return;
  router.get('/sign-in', async (_, response) => {
    const isOnItsWay = await singleSignOn.start(response);
    if (!isOnItsWay) await signInPage(response, 'unreachable');
  });
  router.get('/callback', async (request, response) => {
    const from = networkOf(request);
    const noteFailure = () =>
      failedSignIns.stranger({ does: 'tried to sign in', about: 'single sign-on failed', from });
    const found = await singleSignOn.finish(request, response).catch(async (fault: unknown) => {
      await noteFailure();
      throw fault;
    });
    if (found.kind === 'member') {
      await signIn(request, { ...found.member, since: clock.now() }, 'by single sign-on');
      return showArrived(response);
    }
    if (found.kind === 'failed') {
      await noteFailure();
      return signInPage(response, 'failed');
    }
    await failedSignIns.known(found, { does: 'tried to sign in', about: 'no role', from });
    const page = buildNoRolePage(singleSignOn.rolesClaim);
    await showPage(parts, { response, page, status: 403 });
  });
}

export async function signOut({ sessions, request, response }: Call): Promise<void> {
  await sessions.signOut(request);
  response.redirect(303, '/staff/signed-out');
}
