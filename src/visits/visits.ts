import type { Request } from 'express';
import type { CenterConfig } from '../core/model/center/center-config.ts';
import type { Visit } from '../core/model/person/visit.ts';
import { centerHref, type Query, withQuery } from '../web/href.ts';
import { readRequestPreferences } from '../web/request-preferences.ts';
import type { Sessions } from './session.ts';

/** Finds the visit of a request, and carries it in links and forms. */
export interface Visits {
  readonly frame: 'top' | 'embedded';
  find(request: Request, centerConfig: CenterConfig): Visit | undefined;
  /** The name of this visit, which no other visit has; undefined without a visit. */
  sessionOf(request: Request, centerConfig: CenterConfig): string | undefined;
  /** The address of a page of the center: `path` is '' or begins with a slash. Keeps the chosen language. */
  href(request: Request, centerConfig: CenterConfig, path: string, query?: Query): string;
  /** Seconds until the visit ends; undefined if it does not end by itself. */
  secondsLeft(request: Request, centerConfig: CenterConfig): number | undefined;
  /** Ends the visit; undefined if there is nothing to end. */
  readonly leave: ((request: Request) => Promise<void>) | undefined;
}

/** Visits of the session cookie. */
export function sessionVisits(sessions: Sessions): Visits {
  return {
    frame: 'top',
    find: (request, centerConfig) => sessions.visitOf(request, centerConfig.name),
    sessionOf(request, { name }) {
      return sessions.visitOf(request, name) === undefined ? undefined : request.sessionID;
    },
    href(request, centerConfig, path, { lang = readRequestPreferences(request).visit, ...more } = {}) {
      return withQuery(centerHref(centerConfig, path), { lang, ...more });
    },
    secondsLeft: (request, centerConfig) => sessions.secondsLeft(request, centerConfig.name),
    leave: (request) => sessions.signOut(request),
  };
}
