import type { Request } from 'express';
import type { Address } from '../core/model/center-config.ts';
import type { Visit } from '../core/model/visit.ts';
import type { Sessions } from './session.ts';
import { readWishes } from './wishes.ts';

/** How a person's pages know who is there, and how their links and forms keep it. */
export interface Visits {
  readonly frame: 'top' | 'embedded';
  find(request: Request, address: Address): Visit | undefined;
  /** The address of one of the center's pages: `path` is '' or begins with a slash. Keeps the language chosen here. */
  href(request: Request, address: Address, path: string, options?: { lang?: string }): string;
  /** Seconds until the visit ends; undefined when it does not end by itself. */
  secondsLeft(request: Request, address: Address): number | undefined;
  /** Ends the visit; undefined where there is nothing to forget. */
  readonly leave: ((request: Request) => Promise<void>) | undefined;
}

/** Visits kept in the session cookie. */
export function sessionVisits(sessions: Sessions): Visits {
  return {
    frame: 'top',
    find: (request, address) => sessions.visitOf(request, address.name),
    href(request, address, path, { lang = readWishes(request).visit } = {}) {
      const query = lang === undefined ? '' : `?lang=${encodeURIComponent(lang)}`;
      return `/centers/${encodeURIComponent(address.name)}${path}${query}`;
    },
    secondsLeft: (request, address) => sessions.secondsLeft(request, address.name),
    leave: (request) => sessions.signOut(request),
  };
}
