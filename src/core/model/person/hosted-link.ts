import { isGuid } from '../center/center-config.ts';

/** The outcome of opening a hosted link here. */
export type HostedOutcome = 'opened' | 'ended' | 'unknown' | 'sign-in';

export interface HostedCount {
  /** The UTC midnight at which the day begins, in epoch milliseconds. */
  readonly day: number;
  readonly center: string;
  readonly outcome: HostedOutcome;
  readonly count: number;
}

/** Length of the longest fragment that is read, in UTF-16 units. */
const longest = 2_048;
const shape = /^[#!/]*preferences\/(?:multipage\/)?(token|login)\/([^/?#]+)(?:\/([^?#]*))?/i;

/**
 * Reads the fragment of a link from an old message to a page that the platform itself hosts. The result is
 * the center in lower case and the token; a link to a sign-in has no token. Query parameters and blanks that
 * mail tools add are dropped. Any other text gives undefined.
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
 * Normalizes a link token. Mail tools escape it again, or turn its + into a blank; tables hold it plain or
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
