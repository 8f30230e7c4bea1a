import type { Request, Response } from 'express';
import * as oidc from 'openid-client';
import * as z from 'zod';
import { type Member, readRoles } from '../../core/staff/member.ts';
import type { Clock, Seal } from '../../ports.ts';
import { readCookie } from '../../web/cookie.ts';

export interface SingleSignOnSettings {
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientSecret: { reveal(): string } | undefined;
  readonly rolesClaim: string;
}

export interface SingleSignOn {
  readonly rolesClaim: string;
  /** Sends the browser to the issuer; false, and nothing sent, when the issuer does not answer. */
  start(request: Request, response: Response): Promise<boolean>;
  /** What the issuer says of who came back. */
  finish(request: Request, response: Response): Promise<Found>;
}

export type Found =
  | { readonly kind: 'member'; readonly member: Omit<Member, 'since'> }
  | { readonly kind: 'no-role'; readonly id: string; readonly name: string }
  | { readonly kind: 'failed' };

/** Seconds that the issuer may take for an answer. */
const timeout = 8;
/** Milliseconds between leaving and coming back. */
const journey = 10 * 60 * 1000;

const wayShape = z.object({ state: z.string(), nonce: z.string(), verifier: z.string(), at: z.number() });

/**
 * OpenID Connect: authorization code with PKCE, state and nonce. What must be remembered meanwhile lies sealed in a
 * cookie of its own, Lax because the issuer leads back from another site, and gone after ten minutes or one use.
 */
export function createSingleSignOn(parts: {
  readonly settings: SingleSignOnSettings;
  readonly publicUrl: URL;
  readonly seal: Seal;
  readonly clock: Clock;
  readonly warn: (fault: unknown) => void;
}): SingleSignOn {
  const { settings, publicUrl, seal, clock } = parts;
  const https = publicUrl.protocol === 'https:';
  const name = https ? '__Host-sayso-staff-way' : 'sayso-staff-way';
  const cookie = { path: '/', httpOnly: true, sameSite: 'lax', secure: https } as const;
  const callback = new URL('/staff/callback', publicUrl);
  let discovered: Promise<oidc.Configuration> | undefined;

  /** Kept once it worked; asked again when it did not. */
  function discover(): Promise<oidc.Configuration> {
    discovered ??= oidc
      .discovery(
        settings.issuer,
        settings.clientId,
        undefined,
        settings.clientSecret === undefined
          ? oidc.None()
          : oidc.ClientSecretBasic(settings.clientSecret.reveal()),
        {
          timeout,
          ...(settings.issuer.protocol === 'http:' ? { execute: [oidc.allowInsecureRequests] } : {}),
        },
      )
      .catch((fault: unknown) => {
        discovered = undefined;
        throw fault;
      });
    return discovered;
  }

  /** Some issuers keep roles and names out of the ID token, and tell them where they are asked. */
  async function allClaims(configuration: oidc.Configuration, accessToken: string, said: oidc.IDToken) {
    const own: Readonly<Record<string, unknown>> = said;
    const isTold = claimAt(own, settings.rolesClaim) !== undefined && own['name'] !== undefined;
    if (isTold || configuration.serverMetadata().userinfo_endpoint === undefined) return own;
    const further = await oidc.fetchUserInfo(configuration, accessToken, said.sub);
    return { ...(further as Readonly<Record<string, unknown>>), ...own };
  }

  return {
    rolesClaim: settings.rolesClaim,
    async start(_request, response) {
      const configuration = await discover().catch(parts.warn);
      if (configuration === undefined) return false;
      const way = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
        at: clock.now(),
      };
      const there = oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: callback.href,
        scope: 'openid profile email',
        state: way.state,
        nonce: way.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(way.verifier),
        code_challenge_method: 'S256',
      });
      response.cookie(name, seal.seal('staff way', way), { ...cookie, maxAge: journey });
      response.redirect(303, there.href);
      return true;
    },
    async finish(request, response) {
      const carried = readCookie(request, name) ?? '';
      if (carried !== '') response.clearCookie(name, cookie);
      const way = wayShape.safeParse(seal.open('staff way', carried));
      if (!way.success || clock.now() - way.data.at > journey) return { kind: 'failed' };
      const address = new URL(request.originalUrl, publicUrl);
      address.protocol = callback.protocol;
      address.host = callback.host;
      try {
        const configuration = await discover();
        const tokens = await oidc.authorizationCodeGrant(configuration, address, {
          pkceCodeVerifier: way.data.verifier,
          expectedState: way.data.state,
          expectedNonce: way.data.nonce,
          idTokenExpected: true,
        });
        const said = tokens.claims();
        if (said === undefined) return { kind: 'failed' };
        const claims = await allClaims(configuration, tokens.access_token, said);
        const id = `${settings.issuer.host} ${said.sub}`;
        const shown = [claims['name'], claims['preferred_username'], claims['email'], said.sub].find(
          (claim) => typeof claim === 'string' && claim.trim() !== '',
        );
        const member = { id, name: String(shown).slice(0, 100) };
        const roles = readRoles(claimAt(claims, settings.rolesClaim));
        return roles.length === 0
          ? { kind: 'no-role', ...member }
          : { kind: 'member', member: { ...member, roles } };
      } catch (fault) {
        parts.warn(fault);
        return { kind: 'failed' };
      }
    },
  };
}

/** The claim of that very name, else the way into objects that its dots say. */
function claimAt(claims: object, path: string): unknown {
  const member = (value: unknown, name: string): unknown =>
    typeof value === 'object' && value !== null && Object.hasOwn(value, name)
      ? Object.entries(value).find(([key]) => key === name)?.[1]
      : undefined;
  return member(claims, path) ?? path.split('.').reduce(member, claims as unknown);
}
