/** A client that is registered at an OpenID provider. */
export interface OpenIdClient {
  /** The issuer's address, below which the provider's metadata are found. */
  readonly issuer: string;
  readonly clientId: string;
  /** The client's secret; undefined for a public client, which proves itself by PKCE alone. */
  readonly clientSecret: string | undefined;
}

/** State to keep while a visitor is at the provider. */
export interface OpenIdTransaction {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The return of a visitor from the provider. */
export interface OpenIdReturn {
  /** The address to which the provider sent the visitor. */
  readonly url: URL;
  readonly transaction: OpenIdTransaction;
  /** Whether these claims of the ID token suffice, so that UserInfo is not called. */
  readonly isEnough: (claims: Claims) => boolean;
}

/** The claims about a person (OpenID Connect Core 1.0, 5.1). */
export type Claims = Readonly<Record<string, unknown>> & { readonly sub: string };

/**
 * Joins the claims of an ID token and of UserInfo. The signed claims win. `email` and `email_verified` always
 * come from the same source; otherwise one source would vouch for the address of the other.
 */
export function joinClaims(signed: Claims, further: Claims): Claims {
  const isSigned =
    signed['email'] !== undefined &&
    (signed['email_verified'] !== undefined || further['email'] === undefined);
  const { email, email_verified } = isSigned ? signed : further;
  return { ...further, ...signed, email, email_verified };
}
