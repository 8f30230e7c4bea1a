import { type NextFunction, type Request, type Response, Router } from 'express';
import type { Center } from '../../core/model/center/center.ts';
import {
  type CenterConfig,
  type CenterRegistry,
  offersSignIn,
} from '../../core/model/center/center-config.ts';
import type { Identifiers } from '../../core/model/person/identifiers.ts';
import type { SubjectId } from '../../core/model/person/subject.ts';
import type { Visit } from '../../core/model/person/visit.ts';
import { Problem } from '../../core/model/problem.ts';
import type { Channel } from '../../core/model/submission/submission.ts';
import type { FormView } from '../../pages/form.ts';
import type { OneButtonPage } from '../../pages/person/one-button.ts';
import type { Clock } from '../../ports/clock.ts';
import type { HostedLinks } from '../../ports/hosted-links.ts';
import type { OpenIdConnect } from '../../ports/open-id-connect.ts';
import type { Passcodes } from '../../ports/passcodes.ts';
import type { Platform } from '../../ports/platform.ts';
import type { Random } from '../../ports/random.ts';
import type { Seal } from '../../ports/seal.ts';
import type { SignedOutAt } from '../../ports/session-store.ts';
import type { Sessions } from '../../visits/session.ts';
import type { RefusedSignIn, SignInNotes } from '../../visits/sign-in-notes.ts';
import { formBody } from '../../web/body.ts';
import type { BrandOf } from '../../web/brand-view.ts';
import { centerHref, withQuery } from '../../web/href.ts';
import { type OpenPage, openPage } from '../../web/open-page.ts';
import type { Render } from '../../web/render.ts';
import { readRequestPreferences } from '../../web/request-preferences.ts';
import type { SingleSignOn } from '../../web/single-sign-on.ts';
import type { KnownClients } from './known-clients.ts';
import type { Limits } from './limits.ts';
import type { LinkMint, LinkTokens } from './link-token.ts';
import type { SignInMessages } from './messages.ts';
import { here, signInFormToken } from './tokens.ts';

export interface IdentityParts {
  readonly registry: CenterRegistry;
  readonly identifiers: Pick<Identifiers, 'admit'>;
  readonly sessions: Sessions;
  readonly notes: SignInNotes;
  readonly links: LinkTokens;
  readonly mint: LinkMint;
  readonly hostedLinks: HostedLinks;
  readonly platform: Pick<Platform, 'findOpenCenter' | 'listOpenCenters' | 'findLinkToken'>;
  readonly passcodes: Passcodes;
  readonly messages: SignInMessages;
  readonly limits: Limits;
  readonly known: KnownClients;
  readonly openId: Pick<OpenIdConnect, 'targets'>;
  readonly singleSignOn: SingleSignOn;
  readonly seal: Seal;
  readonly random: Random;
  readonly clock: Clock;
  readonly brandOf: BrandOf;
  readonly render: Render;
  readonly publicUrl: URL;
  readonly warn: (event: string, fault: unknown) => void;
  readonly signedOutAt: SignedOutAt;
  /** Signs the person out everywhere and ends their passcodes. */
  readonly forget: (subject: SubjectId) => Promise<void>;
}

interface Query {
  readonly lang?: string | undefined;
  readonly k?: string | undefined;
  readonly failed?: '';
}

export type Call = ReturnType<typeof createCall>;

/** A request below a center's address. */
export function createCall(
  parts: IdentityParts,
  about: { readonly request: Request; readonly response: Response; readonly centerConfig: CenterConfig },
) {
  const { request, response, centerConfig } = about;
  const center = centerConfig.name;

  function hrefOf(path: string, { lang = readRequestPreferences(request).visit, ...more }: Query = {}) {
    return withQuery(centerHref(centerConfig, path), { lang, ...more });
  }

  return {
    parts,
    ...about,
    /** An address in the center. It keeps the chosen language. */
    hrefOf,
    /** Redirects to an address in the center. */
    goTo: (path: string, query?: Query): void => response.redirect(303, hrefOf(path, query)),
    /** A form whose address holds the sealed token, so that the right is checked before the body is read. */
    formAt: (path: string, token: string): FormView => ({ action: hrefOf(path, { k: token }) }),
    /** The sign-in page; undefined if this center has no sign-in. */
    signInHref: () => (offersSignIn(centerConfig) ? hrefOf('/sign-in') : undefined),
    showButton: (page: OneButtonPage, status = 200) =>
      parts.render(response, 'identity/one-button', page, { status }),
    visit: () => parts.sessions.visitOf(request, center),
    noteRefusal: (channel: Channel, why: RefusedSignIn) =>
      parts.notes.refused(request, { center, channel, why }),
    /** Signs in the receiver of a message, and remembers the browser. */
    async signInByMail({ subject, since }: Pick<Visit, 'subject' | 'since'>): Promise<void> {
      await parts.sessions.signIn(request, { center, subject, scope: 'manage', channel: 'mail', since });
      parts.known.remember(request, response, subject);
    },
  };
}

/** The same, and all that a page for a visitor who is not signed in needs. */
export interface PageCall extends Call, OpenPage {
  readonly center: Center;
}

/** The routes of a center. Their handlers get a call. */
export function centerRouter(parts: IdentityParts) {
  const router = Router({ mergeParams: true });

  function callOf(request: Request, response: Response) {
    const centerConfig = parts.registry.find(String(request.params['center']));
    if (centerConfig === undefined) throw new Problem('not-found');
    return createCall(parts, { request, response, centerConfig });
  }

  return {
    router,
    get(path: string, show: (call: Call, next: NextFunction) => Promise<void> | void): void {
      router.get(`/:center${path}`, (request, response, next) => show(callOf(request, response), next));
    },
    /** `right` throws without a right. It is asked before the body is read, and again when the body is here. */
    post<Right>(
      path: string,
      { right, size }: { readonly right: (call: Call) => Right; readonly size: 'button' | 'page' },
      act: (call: Call, shown: Awaited<Right>) => Promise<void> | void,
    ): void {
      const body = formBody({ right: (request, response) => right(callOf(request, response)), size });
      router.post(`/:center${path}`, body, async (request, response) => {
        const call = callOf(request, response);
        await act(call, await right(call));
      });
    },
    /** A form of the sign-in page, which anyone may send for a day. */
    postSignInForm(path: string, act: (call: Call) => Promise<void>): void {
      const body = formBody({ right: 'anyone', size: 'button' });
      router.post(`/:center${path}`, body, async (request, response) => {
        const call = callOf(request, response);
        if (here(call.centerConfig, signInFormToken.open(parts, request.body?.token)) === undefined)
          throw new Problem('form-refused');
        await act(call);
      });
    },
  };
}

/** Language links lead to `path` in the center, with `k`. Throws not-found for a center that is not served. */
export async function openCenter(call: Call, path: string, k?: string): Promise<PageCall> {
  const { parts, request, centerConfig } = call;
  const center = await parts.platform.findOpenCenter(centerConfig.center);
  if (center === undefined) throw new Problem('not-found');
  const page = openPage(parts.brandOf, request, {
    centerConfig,
    center,
    frame: 'top',
    pageHref: () => call.hrefOf(''),
    languageHref: (lang) => call.hrefOf(path, { lang, k }),
  });
  return { ...call, center, ...page };
}

/** The page names the visitor. */
export function seenBy<T extends PageCall>(page: T, { subject }: Visit): T {
  return { ...page, pageContext: { ...page.pageContext, subject } };
}
