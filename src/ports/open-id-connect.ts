import type { Claims, OpenIdClient, OpenIdReturn, OpenIdTransaction } from '../core/model/open-id.ts';

/** OpenID Connect: authorization code with PKCE, state and nonce. */
export interface OpenIdConnect {
  /** Addresses that the form which starts a sign-in ends up at. Never rejects. */
  targets(client: OpenIdClient): Promise<readonly string[]>;
  start(
    client: OpenIdClient,
    redirectUri: string,
  ): Promise<{ readonly href: string; readonly transaction: OpenIdTransaction }>;
  /**
   * What the provider says of who came back. Rejects unless the ID token is signed by a key that the provider
   * publishes, for this client and transaction, and not over.
   */
  finish(client: OpenIdClient, back: OpenIdReturn): Promise<Claims>;
}
