import type * as oidc from 'openid-client';
import { joinClaims, type OpenIdClient } from '../core/model/person/open-id.ts';
import { isLoopback } from '../core/model/web-address.ts';
import type { Clock } from '../ports/clock.ts';
import type { HttpCall } from '../ports/http-call.ts';
import type { OpenIdConnect } from '../ports/open-id-connect.ts';

/** Seconds by which the provider's clock may differ. */
const skew = 30;

/** Milliseconds for which a provider that failed is not asked again for a page. */
const pause = 30_000;

/** Imports the client at the first use, because most centers have no issuer. */
export const loadClient = () => import('openid-client');

interface Surroundings {
  readonly http: HttpCall;
  readonly clock: Clock;
  readonly warn: (event: string, fault: unknown) => void;
}

/** Signs in visitors and staff by OpenID Connect. */
export function createOpenIdConnect({ http, clock, warn }: Surroundings): OpenIdConnect {
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

  /** Finds the provider of a client. A success is cached; a failure is tried again. */
  function discover(client: OpenIdClient): Promise<oidc.Configuration> {
    const key = JSON.stringify([client.issuer, client.clientId, client.clientSecret]);
    const known = discovered.get(key);
    if (known !== undefined) return known;
    const issuer = new URL(client.issuer);
    const asked = loadClient()
      .then((oidc) => {
        const auth = clientAuth(oidc, client.clientSecret);
        return oidc.discovery(issuer, client.clientId, { [oidc.clockTolerance]: skew }, auth, {
          [oidc.customFetch]: customFetch,
          execute: [
            // Without this check the signature is not verified: TLS to the token endpoint alone is trusted.
            oidc.enableNonRepudiationChecks,
            ...(isLoopback(issuer) ? [oidc.allowInsecureRequests] : []),
          ],
        });
      })
      .catch((fault: unknown) => {
        discovered.delete(key);
        throw fault;
      });
    discovered.set(key, asked);
    return asked;
  }

  return {
    async targets(client) {
      const missed = missedAt.get(client.issuer);
      if (missed !== undefined && clock.now() - missed < pause) return [client.issuer];
      try {
        const { authorization_endpoint: endpoint } = (await discover(client)).serverMetadata();
        return [client.issuer, ...(endpoint === undefined ? [] : [endpoint])];
      } catch (fault) {
        missedAt.set(client.issuer, clock.now());
        warn('an issuer cannot be reached', fault);
        return [client.issuer];
      }
    },
    async start(client, redirectUri) {
      const [oidc, configuration] = await Promise.all([loadClient(), discover(client)]);
      const transaction = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
      };
      const { href } = oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state: transaction.state,
        nonce: transaction.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(transaction.verifier),
        code_challenge_method: 'S256',
      });
      return { href, transaction };
    },
    async finish(client, { url, transaction, isEnough }) {
      const [oidc, configuration] = await Promise.all([loadClient(), discover(client)]);
      const tokens = await oidc.authorizationCodeGrant(configuration, url, {
        expectedState: transaction.state,
        expectedNonce: transaction.nonce,
        pkceCodeVerifier: transaction.verifier,
        idTokenExpected: true,
      });
      const signed = tokens.claims();
      if (signed === undefined) throw new Error('the provider gave no ID token');
      const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined;
      if (isEnough(signed) || !hasMore) return signed;
      return joinClaims(signed, await oidc.fetchUserInfo(configuration, tokens.access_token, signed.sub));
    },
  };
}

/**
 * Sends the secret in the body if the provider supports that: many providers do not decode the secret in the
 * header, although RFC 6749 requires it. Other providers get it in the header.
 */
function clientAuth(
  { None, ClientSecretPost }: Pick<typeof oidc, 'None' | 'ClientSecretPost'>,
  secret: string | undefined,
): oidc.ClientAuth {
  if (secret === undefined) return None();
  const post = ClientSecretPost(secret);
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const isBasic = methods.includes('client_secret_basic') && !methods.includes('client_secret_post');
    if (!isBasic) return post(server, client, body, headers);
    headers.set('authorization', `Basic ${btoa(`${formEncoded(client.client_id)}:${formEncoded(secret)}`)}`);
  };
}

/**
 * Encodes the secret for the header. Form encoding leaves `-`, `_` and `.` unchanged: right for a provider
 * that decodes, and for one that does not.
 */
function formEncoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}
