import type { Request, Response } from 'express';
import type { Center } from '../../core/model/center/center.ts';
import {
  type CenterConfig,
  type CenterRegistry,
  offersSignIn,
} from '../../core/model/center/center-config.ts';
import type { Identifiers } from '../../core/model/person/identifiers.ts';
import { isEndedBySignOut } from '../../core/model/person/sign-out.ts';
import type { SubjectId } from '../../core/model/person/subject.ts';
import type { Visit } from '../../core/model/person/visit.ts';
import { Problem } from '../../core/model/problem.ts';
import type { FormView } from '../../pages/form.ts';
import type { Clock } from '../../ports/clock.ts';
import type { HostedLinks } from '../../ports/hosted-links.ts';
import type { OpenIdConnect } from '../../ports/open-id-connect.ts';
import type { Passcodes } from '../../ports/passcodes.ts';
import type { Platform } from '../../ports/platform.ts';
import type { Random } from '../../ports/random.ts';
import type { Seal } from '../../ports/seal.ts';
import type { SignedOutAt } from '../../ports/session-store.ts';
import type { Sessions } from '../../visits/session.ts';
import type { SignInNotes } from '../../visits/sign-in-notes.ts';
import type { BrandOf } from '../../web/brand-view.ts';
import { centerHref, withQuery } from '../../web/href.ts';
import { type OpenPage, openPage } from '../../web/open-page.ts';
import type { Render } from '../../web/render.ts';
import { readRequestPreferences } from '../../web/request-preferences.ts';
import type { SingleSignOn } from '../../web/single-sign-on.ts';
import { freshLinkToken } from '../../web/tokens.ts';
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

/** The context of a page for a visitor who is not signed in. */
export interface SignInContext extends OpenPage {
  readonly centerConfig: CenterConfig;
  readonly center: Center;
}

/** Language links lead to `path` in the center, with `k`. Throws not-found for a center that is not served. */
export async function loadSignInContext(
  parts: IdentityParts,
  request: Request,
  path: string,
  k?: string,
): Promise<SignInContext> {
  const centerConfig = addressOf(parts, request);
  const center = await parts.platform.findOpenCenter(centerConfig.center);
  if (center === undefined) throw new Problem('not-found');
  const page = openPage(parts.brandOf, request, {
    centerConfig,
    center,
    frame: 'top',
    pageHref: () => hrefOf(request, centerConfig, ''),
    languageHref: (lang) => hrefOf(request, centerConfig, path, { lang, k }),
  });
  return { centerConfig, center, ...page };
}

export function addressOf({ registry }: Pick<IdentityParts, 'registry'>, request: Request): CenterConfig {
  const centerConfig = registry.find(String(request.params['center']));
  if (centerConfig === undefined) throw new Problem('not-found');
  return centerConfig;
}

/** An address in the center. It keeps the chosen language. */
export function hrefOf(
  request: Request,
  centerConfig: CenterConfig,
  path: string,
  query: { readonly lang?: string | undefined; readonly k?: string | undefined; readonly failed?: '' } = {},
): string {
  const { lang = readRequestPreferences(request).visit, ...more } = query;
  return withQuery(centerHref(centerConfig, path), { lang, ...more });
}

/** A form whose address holds the sealed token, so that the right is checked before the body is read. */
export function formAt(
  request: Request,
  centerConfig: CenterConfig,
  { path, token }: { readonly path: string; readonly token: string },
): FormView {
  return { action: hrefOf(request, centerConfig, path, { k: token }), token: undefined };
}

/** The sign-in page; undefined if this center has no sign-in. */
export function signInHref(request: Request, centerConfig: CenterConfig): string | undefined {
  return offersSignIn(centerConfig) ? hrefOf(request, centerConfig, '/sign-in') : undefined;
}

/** The form of the button that sends a fresh link to the person's own address. */
export function freshLinkForm(
  parts: IdentityParts,
  request: Request,
  { centerConfig, subject }: { readonly centerConfig: CenterConfig; readonly subject: SubjectId },
): FormView {
  const token = freshLinkToken.seal(parts, { center: centerConfig.center, subject });
  return formAt(request, centerConfig, { path: '/sign-in/fresh', token });
}

export async function openFresh(
  parts: IdentityParts,
  centerConfig: CenterConfig,
  token: unknown,
): Promise<SubjectId | undefined> {
  const opened = here(centerConfig, freshLinkToken.open(parts, token));
  if (opened === undefined) return undefined;
  const { subject, at } = opened;
  return isEndedBySignOut(at, await parts.signedOutAt(subject)) ? undefined : subject;
}

/** Throws form-refused unless the token is of this center and of the last day. */
export function checkSignInForm(parts: IdentityParts, centerConfig: CenterConfig, token: unknown): void {
  if (here(centerConfig, signInFormToken.open(parts, token)) === undefined) throw new Problem('form-refused');
}

/** Signs in the receiver of a message, and remembers the browser. */
export async function signInByMail(
  { sessions, known }: IdentityParts,
  request: Request,
  response: Response,
  visit: Pick<Visit, 'center' | 'subject' | 'since'>,
): Promise<void> {
  await sessions.signIn(request, { ...visit, scope: 'manage', channel: 'mail' });
  known.remember(request, response, visit.subject);
}
