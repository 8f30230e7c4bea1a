import type { OpenIdClient } from '../person/open-id.ts';
import type { EventType } from '../submission/center-event.ts';
import type { Brand } from './brand.ts';

/** The configuration of one center: its name in addresses, its id on the platform, and its look. */
export interface CenterConfig {
  /** The `:center` in its URLs: a name from the centers file, or the center's GUID. */
  readonly name: string;
  readonly center: string;
  readonly brand: Brand | undefined;
  /** Origins that may show the center in a frame (`https://shop.example`). */
  readonly embedOrigins: readonly string[];
  /** Further hosts whose images the center's schema may show; undefined: only the platform's own. */
  readonly imageHosts?: readonly string[] | undefined;
  /**
   * Controller of the data, and the contact for people's rights. Both are kept with every consent as
   * evidence.
   */
  readonly controller?: string | undefined;
  readonly rightsContact?: string | undefined;
  /** Id of the center's privacy notice on the platform. */
  readonly noticeId?: string | undefined;
  /** Keys with which the customer's backend may issue links and tickets for the center. */
  readonly linkKeys: readonly LinkKey[];
  /** Sign-in methods that the center's page offers. */
  readonly signIn: { readonly mail: boolean; readonly singleSignOn: SingleSignOn | undefined };
  /** Receivers of the center's events. */
  readonly events?: readonly EventReceiver[] | undefined;
  /** Whether the person gets a mail about every change; otherwise only about changes that staff made. */
  readonly notify?: boolean | undefined;
  /** Keys of systems that read events, or that ask which purposes they may use. */
  readonly apiKeys?: readonly ApiKey[] | undefined;
}

/** A webhook that follows the Standard Webhooks specification. */
export interface EventReceiver {
  readonly url: string;
  /** Secrets in base64; each one signs every event. */
  readonly secrets: readonly string[];
  readonly types: readonly EventType[];
}

export type ApiScope = 'events' | 'may-send';

export interface ApiKey {
  readonly name: string;
  /** The key holder's name, for people. */
  readonly label: string;
  /** SHA-256 of the key, in lower-case hexadecimal. */
  readonly sha256: string;
  readonly scopes: readonly ApiScope[];
}

export type LinkKey =
  | {
      readonly kind: 'secret';
      readonly issuer: string;
      readonly keyId: string | undefined;
      readonly secret: string;
    }
  | { readonly kind: 'jwks'; readonly issuer: string; readonly url: string }
  | { readonly kind: 'jwks-file'; readonly issuer: string; readonly keys: string };

export interface SingleSignOn extends OpenIdClient {
  /** The claim of the ID token that holds the person's identifier. */
  readonly claim: string;
  /** `trusted`: an address is accepted even if the issuer does not say that it is verified. */
  readonly missingEmailVerified: 'refused' | 'trusted';
  readonly label: string | undefined;
}

/** Whether the center offers a sign-in; otherwise people can enter by a link alone. */
export function offersSignIn({ signIn }: Pick<CenterConfig, 'signIn'>): boolean {
  return signIn.mail || signIn.singleSignOn !== undefined;
}

/** Finds a center by name; without a centers file every GUID is its own name. */
export interface CenterRegistry {
  find(name: string): CenterConfig | undefined;
  /** Finds a center by its id on the platform. Links use the name in the result. */
  findByCenter(center: string): CenterConfig | undefined;
  /** The configured centers; undefined when every center of the platform is served. */
  readonly listed: readonly CenterConfig[] | undefined;
}

const guid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isGuid(text: string): boolean {
  return guid.test(text);
}

/**
 * A registry in which every GUID is a center of that name, served with these defaults. `brands` are by GUID.
 */
export function everyCenter(
  defaults: Pick<CenterConfig, 'embedOrigins' | 'linkKeys' | 'signIn'>,
  brands: ReadonlyMap<string, Brand> = new Map(),
): CenterRegistry {
  const find = (name: string): CenterConfig | undefined => {
    if (!isGuid(name)) return undefined;
    const center = name.toLowerCase();
    return { ...defaults, name: center, center, brand: brands.get(center) };
  };
  return { find, findByCenter: find, listed: undefined };
}

export function listedCenters(listed: readonly CenterConfig[]): CenterRegistry {
  const byName = new Map(listed.map((centerConfig) => [centerConfig.name.toLowerCase(), centerConfig]));
  const byCenter = new Map(listed.map((centerConfig) => [centerConfig.center, centerConfig]));
  return {
    find: (name) => byName.get(name.toLowerCase()),
    findByCenter: (center) => byCenter.get(center.toLowerCase()),
    listed,
  };
}
