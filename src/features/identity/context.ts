import type { Request, Response } from 'express';
import type { Identifiers } from '../../core/model/person/identifiers.ts';
import type { SubjectId } from '../../core/model/person/subject.ts';
import type { Visit } from '../../core/model/person/visit.ts';
import { Problem } from '../../core/model/problem.ts';
import type { Channel } from '../../core/model/submission/submission.ts';
import type { OneButtonPage } from '../../pages/person/one-button.ts';
import type { HostedLinks } from '../../ports/hosted-links.ts';
import type { OpenIdConnect } from '../../ports/open-id-connect.ts';
import type { Passcodes } from '../../ports/passcodes.ts';
import type { Platform } from '../../ports/platform.ts';
import type { SignedOutAt } from '../../ports/session-store.ts';
import {
  type CallParts,
  type Call as CallWith,
  centerRouter,
  type PageCall as PageCallWith,
} from '../../visits/call.ts';
import type { Sessions } from '../../visits/session.ts';
import type { RefusedSignIn, SignInNotes } from '../../visits/sign-in-notes.ts';
import { formBody } from '../../web/body.ts';
import type { ToHtml } from '../../web/render.ts';
import type { SingleSignOn } from '../../web/single-sign-on.ts';
import type { KnownClients } from './known-clients.ts';
import type { Limits } from './limits.ts';
import type { LinkMint, LinkTokens } from './link-token.ts';
import type { Outbox } from './outbox.ts';
import { here, signInFormToken } from './tokens.ts';

export interface IdentityParts extends CallParts {
  readonly identifiers: Pick<Identifiers, 'admit'>;
  readonly sessions: Sessions;
  readonly notes: SignInNotes;
  readonly links: LinkTokens;
  readonly mint: LinkMint;
  readonly hostedLinks: HostedLinks;
  readonly platform: Pick<Platform, 'findOpenCenter' | 'listOpenCenters' | 'findLinkToken'>;
  readonly passcodes: Passcodes;
  readonly outbox: Outbox;
  readonly toHtml: ToHtml;
  readonly limits: Limits;
  readonly known: KnownClients;
  readonly openId: Pick<OpenIdConnect, 'targets'>;
  readonly singleSignOn: SingleSignOn;
  readonly warn: (event: string, fault: unknown) => void;
  readonly signedOutAt: SignedOutAt;
  /** Signs the person out everywhere and ends their passcodes. */
  readonly forget: (subject: SubjectId) => Promise<void>;
}

export type Call = CallWith<IdentityParts>;
export type PageCall = PageCallWith<IdentityParts>;
export type IdentityRouter = ReturnType<typeof identityRouter>;

export function identityRouter(parts: IdentityParts) {
  const routes = centerRouter(parts);
  return {
    ...routes,
    /** A form of the sign-in page, which anyone may send for a day. */
    postSignInForm(path: string, act: (call: Call) => Promise<void>): void {
      const body = formBody({ right: 'anyone', size: 'button' });
      routes.router.post(`/:center${path}`, body, async (request: Request, response: Response) => {
        const call = routes.callOf(request, response);
        if (here(call.centerConfig, signInFormToken.open(parts, request.body?.token)) === undefined)
          throw new Problem('form-refused');
        await act(call);
      });
    },
  };
}

export function showButton({ parts, response }: Call, page: OneButtonPage, status = 200): Promise<void> {
  return parts.render(response, 'identity/one-button', page, { status });
}

export function noteRefusal({ parts, request, centerConfig }: Call, channel: Channel, why: RefusedSignIn) {
  parts.notes.refused(request, { center: centerConfig.name, channel, why });
}

/** Starts a visit of this center. Every way to sign in ends here. */
export function signIn({ parts, request, centerConfig }: Call, visit: Omit<Visit, 'center'>): Promise<void> {
  return parts.sessions.signIn(request, { ...visit, center: centerConfig.name });
}

/** Signs in the receiver of a message, and remembers the browser. */
export async function signInByMail(call: Call, visit: Pick<Visit, 'subject' | 'since'>): Promise<void> {
  await signIn(call, { ...visit, scope: 'manage', channel: 'mail' });
  call.parts.known.remember(call.request, call.response, visit.subject);
}

/** Adds the visitor, so that the page names them. */
export function seenBy<T extends PageCall>(page: T, { subject }: Visit): T {
  return { ...page, pageContext: { ...page.pageContext, subject } };
}
