import * as oidc from 'openid-client';
import type { SingleSignOn as Settings } from '../../core/address.ts';
import { readSubjectId, type SubjectId } from '../../core/subject.ts';
import { isLoopback } from '../../core/web-address.ts';
import type { Clock, HttpCall } from '../../ports.ts';

/** What must be remembered while a person is at the issuer. */
export interface Way {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** OpenID Connect for the people of a center: authorization code with PKCE, state and nonce. */
export interface SingleSignOn {
  /** Addresses that the form which starts it ends up at. */
  targets(settings: Settings): Promise<readonly string[]>;
  start(settings: Settings, redirectUri: string): Promise<{ readonly href: string; readonly way: Way }>;
  /** Who came back: `url` is the address that the issuer led to. undefined when nobody was told, or may be used. */
  finish(settings: Settings, url: URL, way: Way): Promise<SubjectId | undefined>;
}

/** Seconds that the issuer's clock may differ. */
const skew = 30;

/** After an issuer did not answer, pages are shown without asking it again for this long. Milliseconds. */
const pause = 30_000;

export function createSingleSignOn({
  http,
  clock,
  warn,
}: {
  http: HttpCall;
  clock: Clock;
  warn: (event: string, fault: unknown) => void;
}): SingleSignOn {
  const discovered = new Map<string, Promise<oidc.Configuration>>();
  const missedAt = new Map<string, number>();
  const customFetch: oidc.CustomFetch = async (url, { method, headers, body }) => {
    const answer = await http({
      url,
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      body: body === undefined || body === null ? undefined : String(body),
    });
    const hasBody = answer.status !== 204 && answer.status !== 304;
    return new Response(hasBody ? answer.body : null, {
      status: answer.status,
      headers: { ...answer.headers },
    });
  };

  /** Kept once it worked; asked again when it did not. */
  function discover(settings: Settings): Promise<oidc.Configuration> {
    const key = `${settings.issuer} ${settings.clientId}`;
    const known = discovered.get(key);
    if (known !== undefined) return known;
    const issuer = new URL(settings.issuer);
    const asked = oidc
      .discovery(
        issuer,
        settings.clientId,
        { [oidc.clockTolerance]: skew },
        clientAuth(settings.clientSecret),
        {
          [oidc.customFetch]: customFetch,
          ...(isLoopback(issuer) ? { execute: [oidc.allowInsecureRequests] } : {}),
        },
      )
      .catch((fault: unknown) => {
        discovered.delete(key);
        throw fault;
      });
    discovered.set(key, asked);
    return asked;
  }

  return {
    async targets(settings) {
      const missed = missedAt.get(settings.issuer);
      if (missed !== undefined && clock.now() - missed < pause) return [settings.issuer];
      try {
        const { authorization_endpoint: endpoint } = (await discover(settings)).serverMetadata();
        return [settings.issuer, ...(endpoint === undefined ? [] : [endpoint])];
      } catch (fault) {
        missedAt.set(settings.issuer, clock.now());
        warn('an issuer cannot be reached', fault);
        return [settings.issuer];
      }
    },
    async start(settings, redirectUri) {
      const configuration = await discover(settings);
      const way = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
      };
      const href = oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state: way.state,
        nonce: way.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(way.verifier),
        code_challenge_method: 'S256',
      });
      return { href: href.href, way };
    },
    async finish(settings, url, way) {
      const configuration = await discover(settings);
      const tokens = await oidc.authorizationCodeGrant(configuration, url, {
        expectedState: way.state,
        expectedNonce: way.nonce,
        pkceCodeVerifier: way.verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) return undefined;
      if (claims[settings.claim] !== undefined) return identifierIn(claims, settings.claim);
      const about = await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub);
      return identifierIn(about, settings.claim);
    },
  };
}

/**
 * An address that the issuer itself has not verified says nothing about who this is. Issuers that say nothing of it
 * are trusted to know their own people; some write it as a text.
 */
function identifierIn(claims: Readonly<Record<string, unknown>>, claim: string): SubjectId | undefined {
  const { email_verified: isVerified = true } = claims;
  if (claim === 'email' && isVerified !== true && isVerified !== 'true') return undefined;
  return readSubjectId(claims[claim]);
}

/** The way that the issuer knows; the standard's own, when it does not say. */
function clientAuth(secret: string | undefined): oidc.ClientAuth {
  if (secret === undefined) return oidc.None();
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)];
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported;
    const isBasic = methods === undefined || methods.includes('client_secret_basic');
    return (isBasic ? basic : post)(server, ...rest);
  };
}
