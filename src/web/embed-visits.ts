import type { Request } from 'express';
import * as z from 'zod';
import { isWithin } from '../core/model/age.ts';
import type { CenterConfig } from '../core/model/center-config.ts';
import { isEndedBySignOut } from '../core/model/sign-out.ts';
import type { Visit } from '../core/model/visit.ts';
import type { SignedOutAt } from '../ports/session-store.ts';
import { afterBody } from './after-body.ts';
import { frameLookQuery, readFrameLook } from './frame-look.ts';
import { readRequestPreferences } from './request-preferences.ts';
import { sealedToken } from './sealed-token.ts';
import { subjectId } from './tokens.ts';
import type { Visits } from './visits.ts';

const minute = 60_000;
/** Every page renews it. */
const idle = 30 * minute;
/** Whatever happens. */
const absolute = 12 * 60 * minute;

const visitToken = sealedToken({
  use: 'embed visit',
  schema: z.object({
    visit: z.object({
      center: z.string(),
      subject: subjectId,
      scope: z.enum(['manage', 'withdraw']),
      since: z.number(),
    }),
  }),
  // At the end of its time it is over.
  maxAgeMs: idle - 1,
});

export interface EmbedVisits extends Visits {
  /** Once for a request, before anybody is looked for in it. */
  load(request: Request): Promise<void>;
  /** Where a visit goes on that began at `since`, epoch milliseconds. */
  begin(
    request: Request,
    centerConfig: CenterConfig,
    who: Pick<Visit, 'subject' | 'scope' | 'since'>,
  ): string;
}

export interface EmbedVisitsParts {
  readonly seal: {
    seal(purpose: string, value: unknown): string;
    open(purpose: string, token: string): unknown;
  };
  readonly clock: { now(): number };
  readonly signedOutAt: SignedOutAt;
}

/**
 * Visits in another site's frame. No cookie may be needed there, so every address of a page says who is here, sealed:
 * for this center, this channel, and 30 minutes. It ends with the person's sessions when they sign out on all devices.
 */
export function embedVisits({ seal, clock, signedOutAt }: EmbedVisitsParts): EmbedVisits {
  /** One sealing, and one look, serves all addresses of a page. */
  const renewed = new WeakMap<Request, string>();
  const found = new WeakMap<Request, Visit>();

  async function load(request: Request): Promise<void> {
    await look(request);
    afterBody(request, found, () => look(request));
  }

  async function look(request: Request): Promise<void> {
    renewed.delete(request);
    const visit = await read(request);
    if (visit === undefined) found.delete(request);
    else found.set(request, visit);
  }

  function find(request: Request, { name }: CenterConfig): Visit | undefined {
    const visit = found.get(request);
    return visit?.center === name ? visit : undefined;
  }

  async function read(request: Request): Promise<Visit | undefined> {
    const opened = visitToken.open({ seal, clock }, request.query['v']);
    if (opened === undefined) return undefined;
    const visit: Visit = { ...opened.visit, channel: 'embed' };
    if (!isWithin(absolute - 1, { at: visit.since, now: clock.now() })) return undefined;
    return isEndedBySignOut(visit.since, await signedOutAt(visit.subject)) ? undefined : visit;
  }

  function write(
    centerConfig: CenterConfig,
    path: string,
    query: Record<string, string | undefined>,
  ): string {
    const pairs = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
    );
    const search = pairs.length === 0 ? '' : `?${pairs.join('&')}`;
    return `/embed/${encodeURIComponent(centerConfig.name)}${path}${search}`;
  }

  function renew(request: Request, centerConfig: CenterConfig): string | undefined {
    const known = renewed.get(request);
    if (known !== undefined) return known;
    const visit = find(request, centerConfig);
    if (visit === undefined) return undefined;
    const made = visitToken.seal({ seal, clock }, { visit });
    renewed.set(request, made);
    return made;
  }

  return {
    frame: 'embedded',
    load,
    find,
    sessionOf(request, centerConfig) {
      const visit = find(request, centerConfig);
      return visit === undefined ? undefined : `embed ${visit.since} ${visit.scope} ${visit.subject}`;
    },
    href(request, centerConfig, path, { lang = readRequestPreferences(request).visit } = {}) {
      const look = frameLookQuery(readFrameLook(request));
      return write(centerConfig, path, { v: renew(request, centerConfig), lang, ...look });
    },
    begin(request, centerConfig, { subject, scope, since }) {
      const visit = { center: centerConfig.name, subject, scope, since };
      return write(centerConfig, '', {
        v: visitToken.seal({ seal, clock }, { visit }),
        lang: readRequestPreferences(request).visit,
        ...frameLookQuery(readFrameLook(request)),
      });
    },
    secondsLeft(request, centerConfig) {
      const visit = find(request, centerConfig);
      if (visit === undefined) return undefined;
      // The addresses of this page begin their 30 minutes now.
      return Math.floor(Math.min(idle, visit.since + absolute - clock.now()) / 1000);
    },
    leave: undefined,
  };
}
