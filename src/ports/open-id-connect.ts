import type { Claims, OpenIdClient, OpenIdReturn, OpenIdTransaction } from '../core/model/person/open-id.ts';

/** OpenID Connect: authorization code with PKCE, state and nonce. */
export interface OpenIdConnect {
  /** Addresses that the form of a sign-in leads to. Never rejects. */
  targets(client: OpenIdClient): Promise<readonly string[]>;
  start(
    client: OpenIdClient,
    redirectUri: string,
  ): Promise<{ readonly href: string; readonly transaction: OpenIdTransaction }>;
  /**
   * The claims about the visitor who came back. Rejects unless the ID token is signed by a key that the
   * provider publishes, is for this client and transaction, and has not expired.
   */
  finish(client: OpenIdClient, back: OpenIdReturn): Promise<Claims>;
}
