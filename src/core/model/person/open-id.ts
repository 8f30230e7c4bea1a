/** A client that an OpenID provider knows. */
export interface OpenIdClient {
  /** An address; the provider's metadata are found below it. */
  readonly issuer: string;
  readonly clientId: string;
  /** undefined: a public client, which proves itself by PKCE alone. */
  readonly clientSecret: string | undefined;
}

/** State to keep while a visitor is at the provider. */
export interface OpenIdTransaction {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** A visitor comes back from the provider. */
export interface OpenIdReturn {
  /** The address that the provider led to. */
  readonly url: URL;
  readonly transaction: OpenIdTransaction;
  /** Whether the ID token holds all claims needed, so that UserInfo is not asked. */
  readonly isEnough: (claims: Claims) => boolean;
}

/** The claims about a person (OpenID Connect Core 1.0, 5.1). */
export type Claims = Readonly<Record<string, unknown>> & { readonly sub: string };

/**
 * Joins the claims of an ID token and of UserInfo. The signed ones win, but `email` and `email_verified` always come
 * from the same source: else one would vouch for the address of the other.
 */
export function joinClaims(signed: Claims, further: Claims): Claims {
  const isSigned =
    signed['email'] !== undefined &&
    (signed['email_verified'] !== undefined || further['email'] === undefined);
  const { email, email_verified } = isSigned ? signed : further;
  return { ...further, ...signed, email, email_verified };
}
