import { isGuid } from '../center/center-config.ts';

/** How a hosted link ended here. */
export type HostedOutcome = 'opened' | 'ended' | 'unknown' | 'sign-in';

export interface HostedCount {
  /** Midnight UTC. */
  readonly day: number;
  readonly center: string;
  readonly outcome: HostedOutcome;
  readonly count: number;
}

/** The longest fragment that is looked at. */
const longest = 2_048;
const shape = /^[#!/]*preferences\/(?:multipage\/)?(token|login)\/([^/?#]+)(?:\/([^?#]*))?/i;

/**
 * Reads a link in an old message to a page that the platform hosts itself, by the fragment of its address: the center in
 * lower case, and the token, undefined for a link to a sign-in. Drops query parameters and blanks that mail tools add.
 * undefined for any other text.
 */
export function readHostedLink(fragment: unknown) {
  if (typeof fragment !== 'string' || fragment.length > longest) return undefined;
  const [, kind = '', id = '', rest = ''] = shape.exec(fragment.trim()) ?? [];
  const center = unescaped(id)?.trim().toLowerCase();
  if (center === undefined || !isGuid(center)) return undefined;
  if (kind.toLowerCase() === 'login') return { center, token: undefined };
  const token = readLinkToken(rest);
  return token === undefined ? undefined : { center, token };
}

/**
 * Brings a link token into one form: mail tools escape it again, or turn its + into a blank; tables hold it plain or
 * escaped, in either alphabet of base64.
 */
export function readLinkToken(text: string): string | undefined {
  let plain = text;
  for (let times = 0; times < 3 && plain.includes('%'); times += 1) {
    const once = unescaped(plain);
    if (once === undefined) return undefined;
    plain = once;
  }
  const usual = plain.trim().replaceAll(' ', '+').replaceAll('-', '+').replaceAll('_', '/');
  return /^([A-Za-z0-9+/]{15,511}[A-Za-z0-9+])[=/]*$/.exec(usual)?.[1];
}

function unescaped(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
