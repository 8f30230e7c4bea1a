import type { OpenIdClient } from '../person/open-id.ts';
import type { EventType } from '../submission/center-event.ts';
import type { Brand } from './brand.ts';

/** A center as this installation serves it: its address name, the platform's id, and how it looks. */
export interface CenterConfig {
  /** The `:center` of its URLs: a name from the centers file, or the center's GUID. */
  readonly name: string;
  readonly center: string;
  readonly brand: Brand | undefined;
  /** Origins that may frame it (`https://shop.example`). */
  readonly embedOrigins: readonly string[];
  /** Hosts whose images its schema may show, beside the platform's own; undefined: none. */
  readonly imageHosts?: readonly string[] | undefined;
  /** Controller of the data, and contact for people's rights: kept with what people agree to. */
  readonly controller?: string | undefined;
  readonly rightsContact?: string | undefined;
  /** Id of its privacy notice on the platform. */
  readonly noticeId?: string | undefined;
  /** Keys of the customer's backend that may mint links and tickets for it. */
  readonly linkKeys: readonly LinkKey[];
  /** Ways to sign in that its page offers. */
  readonly signIn: { readonly mail: boolean; readonly singleSignOn: SingleSignOn | undefined };
  /** Receivers of its events. */
  readonly events?: readonly EventReceiver[] | undefined;
  /** People get a mail about every change, not only about those that staff made. */
  readonly notify?: boolean | undefined;
  /** Keys of systems that read events or ask what they may use. */
  readonly apiKeys?: readonly ApiKey[] | undefined;
}

/** A webhook after Standard Webhooks. */
export interface EventReceiver {
  readonly url: string;
  /** Each in base64; all of them sign. */
  readonly secrets: readonly string[];
  readonly types: readonly EventType[];
}

export type ApiScope = 'events' | 'may-send';

export interface ApiKey {
  readonly name: string;
  /** The name of its holder for people. */
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
  /** The ID token's claim that is the identifier. */
  readonly claim: string;
  /** `trusted`: an address counts even if the issuer does not say that it verified it. */
  readonly missingEmailVerified: 'refused' | 'trusted';
  readonly label: string | undefined;
}

/** Whether the center offers a sign-in; else people come by a link alone. */
export function offersSignIn({ signIn }: Pick<CenterConfig, 'signIn'>): boolean {
  return signIn.mail || signIn.singleSignOn !== undefined;
}

/** Finds a center by name; without a centers file every GUID is its own name. */
export interface CenterRegistry {
  find(name: string): CenterConfig | undefined;
  /** The center as it is served; links are made with its name. */
  findByCenter(center: string): CenterConfig | undefined;
  /** undefined when every center of the platform is served. */
  readonly listed: readonly CenterConfig[] | undefined;
}

const guid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isGuid(text: string): boolean {
  return guid.test(text);
}

/** Every GUID is a name of its own, served with the defaults given; `brands` by GUID. */
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
