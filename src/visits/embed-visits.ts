import type { Request } from 'express';
import * as z from 'zod';
import { isWithin } from '../core/model/age.ts';
import type { CenterConfig } from '../core/model/center/center-config.ts';
import { isEndedBySignOut } from '../core/model/person/sign-out.ts';
import type { Visit } from '../core/model/person/visit.ts';
import type { SignedOutAt } from '../ports/session-store.ts';
import { afterBody } from '../web/body.ts';
import { frameLookQuery, readFrameLook } from '../web/frame-look.ts';
import { type Query, withQuery } from '../web/href.ts';
import { readRequestPreferences } from '../web/request-preferences.ts';
import { sealedToken, type TokenParts } from '../web/sealed-token.ts';
import { subjectId } from '../web/tokens.ts';
import type { Visits } from './visits.ts';

const minute = 60_000;
/** The longest time between two pages of a visit. Each page renews the visit. */
const idle = 30 * minute;
/** The longest life of a visit. */
const absolute = 12 * 60 * minute;

const visitShape = z.object({
  center: z.string(),
  subject: subjectId,
  scope: z.enum(['manage', 'withdraw']),
  since: z.number(),
});

const visitToken = sealedToken({
  use: 'embed visit',
  schema: z.object({ visit: visitShape }),
  // At exactly `idle` the visit is over.
  maxAgeMs: idle - 1,
});

export type EmbedVisits = ReturnType<typeof embedVisits>;

/**
 * Visits in another site's frame. They need no cookie: every address of a page carries a sealed token for one
 * person, one center and 30 minutes. A sign-out on all devices ends them.
 */
export function embedVisits(parts: TokenParts & { readonly signedOutAt: SignedOutAt }) {
  const { clock } = parts;
  /** All addresses of a page share one sealed token. */
  const renewed = new WeakMap<Visit, string>();
  const found = new WeakMap<Request, Visit | undefined>();

  async function look(request: Request): Promise<void> {
    found.set(request, await read(request));
  }

  function find(request: Request, { name }: CenterConfig): Visit | undefined {
    const visit = found.get(request);
    return visit?.center === name ? visit : undefined;
  }

  async function read(request: Request): Promise<Visit | undefined> {
    const opened = visitToken.open(parts, request.query['v']);
    if (opened === undefined) return undefined;
    const visit: Visit = { ...opened.visit, channel: 'embed' };
    if (!isWithin(absolute - 1, { at: visit.since, now: clock.now() })) return undefined;
    return isEndedBySignOut(visit.since, await parts.signedOutAt(visit.subject)) ? undefined : visit;
  }

  const sealVisit = (visit: z.infer<typeof visitShape>) => visitToken.seal(parts, { visit });

  /** Keeps the look of the frame, and the chosen language. */
  function write(request: Request, { name }: CenterConfig, path: string, query: Query): string {
    const { v, lang = readRequestPreferences(request).visit, ...more } = query;
    const look = frameLookQuery(readFrameLook(request));
    return withQuery(`/embed/${encodeURIComponent(name)}${path}`, { v, lang, ...look, ...more });
  }

  return {
    frame: 'embedded',
    /** Reads the visit of a request. It runs once, before `find`. */
    async load(request: Request): Promise<void> {
      await look(request);
      afterBody(request, () => look(request));
    },
    find,
    sessionOf(request, centerConfig) {
      const visit = find(request, centerConfig);
      return visit === undefined ? undefined : `embed ${visit.since} ${visit.scope} ${visit.subject}`;
    },
    href(request, centerConfig, path, query = {}) {
      const visit = find(request, centerConfig);
      const v = visit && renewed.getOrInsertComputed(visit, sealVisit);
      return write(request, centerConfig, path, { v, ...query });
    },
    /** The address at which a new visit starts. `since` is in epoch milliseconds. */
    begin(
      request: Request,
      centerConfig: CenterConfig,
      { subject, scope, since }: Pick<Visit, 'subject' | 'scope' | 'since'>,
    ): string {
      const v = sealVisit({ center: centerConfig.name, subject, scope, since });
      return write(request, centerConfig, '', { v });
    },
    secondsLeft(request, centerConfig) {
      const visit = find(request, centerConfig);
      if (visit === undefined) return undefined;
      // Each address of this page starts a new 30 minutes.
      return Math.floor(Math.min(idle, visit.since + absolute - clock.now()) / 1000);
    },
    leave: undefined,
  } satisfies Visits & Record<'load' | 'begin', unknown>;
}
