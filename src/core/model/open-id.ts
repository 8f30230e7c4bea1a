/** A client that an OpenID provider knows. */
export interface OpenIdClient {
  /** An address; the provider's metadata are found below it. */
  readonly issuer: string;
  readonly clientId: string;
  /** undefined: a public client, which proves itself by PKCE alone. */
  readonly clientSecret: string | undefined;
}

/** What must be remembered while somebody is at the provider. */
export interface OpenIdTransaction {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Somebody comes back from the provider. */
export interface OpenIdReturn {
  /** The address that the provider led to. */
  readonly url: URL;
  readonly transaction: OpenIdTransaction;
  /** Whether the ID token says all that is needed, so that UserInfo need not be asked too. */
  readonly isEnough: (claims: Claims) => boolean;
}

/** What a provider says of somebody (OpenID Connect Core 1.0, 5.1). */
export type Claims = Readonly<Record<string, unknown>> & { readonly sub: string };

/**
 * The claims of an ID token and of UserInfo about the same person. The signed ones count, but an address and whether
 * it is verified always come from the same of the two: else the one would vouch for the other's address.
 */
export function joinClaims(signed: Claims, further: Claims): Claims {
  const isSigned =
    signed['email'] !== undefined &&
    (signed['email_verified'] !== undefined || further['email'] === undefined);
  const { email, email_verified } = isSigned ? signed : further;
  return { ...further, ...signed, email, email_verified };
}
