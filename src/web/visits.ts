import type { Request } from 'express';
import type { CenterConfig } from '../core/model/center-config.ts';
import type { Visit } from '../core/model/visit.ts';
import { readRequestPreferences } from './request-preferences.ts';
import type { Sessions } from './session.ts';

/** How a person's pages know their visitor, and how their links and forms keep that. */
export interface Visits {
  readonly frame: 'top' | 'embedded';
  find(request: Request, centerConfig: CenterConfig): Visit | undefined;
  /** The name of this visit, unlike that of any other, while it lasts; undefined without a visit. */
  sessionOf(request: Request, centerConfig: CenterConfig): string | undefined;
  /** The address of one of the center's pages: `path` is '' or begins with a slash. Keeps the language chosen here. */
  href(request: Request, centerConfig: CenterConfig, path: string, options?: { lang?: string }): string;
  /** Seconds until the visit ends; undefined when it does not end by itself. */
  secondsLeft(request: Request, centerConfig: CenterConfig): number | undefined;
  /** Ends the visit; undefined where there is nothing to forget. */
  readonly leave: ((request: Request) => Promise<void>) | undefined;
}

/** Visits kept in the session cookie. */
export function sessionVisits(sessions: Sessions): Visits {
  return {
    frame: 'top',
    find: (request, centerConfig) => sessions.visitOf(request, centerConfig.name),
    sessionOf(request, { name }) {
      return sessions.visitOf(request, name) === undefined ? undefined : request.sessionID;
    },
    href(request, centerConfig, path, { lang = readRequestPreferences(request).visit } = {}) {
      const query = lang === undefined ? '' : `?lang=${encodeURIComponent(lang)}`;
      return `/centers/${encodeURIComponent(centerConfig.name)}${path}${query}`;
    },
    secondsLeft: (request, centerConfig) => sessions.secondsLeft(request, centerConfig.name),
    leave: (request) => sessions.signOut(request),
  };
}
