import { setTimeout as pause } from 'node:timers/promises';
import type { Request } from 'express';
import type { Center } from '../../core/model/center.ts';
import type { CenterConfig, CenterRegistry } from '../../core/model/center-config.ts';
import { Problem } from '../../core/model/problem.ts';
import type { Subject } from '../../core/model/subject.ts';
import { unreadCenter } from '../../core/model/unread-center.ts';
import type { Visit } from '../../core/model/visit.ts';
import { builtIn } from '../../i18n/catalogue.ts';
import { choosePageLanguage } from '../../i18n/language.ts';
import type { PageContext } from '../../pages/person/layout.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Delivery } from '../../ports/delivery.ts';
import type { Platform } from '../../ports/platform.ts';
import type { Random } from '../../ports/random.ts';
import type { Seal } from '../../ports/seal.ts';
import { sealAction } from '../../web/action-token.ts';
import type { BrandOf } from '../../web/brand-view.ts';
import type { Render } from '../../web/render.ts';
import { type RequestPreferences, readRequestPreferences } from '../../web/request-preferences.ts';
import type { Visits } from '../../web/visits.ts';

/** What the pages of a center are made with. */
export interface CenterParts {
  readonly platform: Pick<Platform, 'findCenter' | 'findOpenCenter' | 'readSubject'>;
  readonly delivery: Delivery;
  readonly registry: CenterRegistry;
  readonly visits: Visits;
  readonly seal: Seal;
  readonly random: Random;
  readonly clock: Clock;
  readonly brandOf: BrandOf;
  readonly render: Render;
}

/** Seconds before the end of a session at which a page warns. */
const warnBefore = 120;

/** Where a request is: which center, who is there. */
export interface VisitContext {
  readonly centerConfig: CenterConfig;
  readonly visit: Visit;
}

/** Throws not-found for a center nobody serves, not-signed-in when nobody is there. */
export function requireVisit(parts: CenterParts, request: Request): VisitContext {
  const centerConfig = parts.registry.find(String(request.params['center']));
  if (centerConfig === undefined) throw new Problem('not-found');
  const visit = parts.visits.find(request, centerConfig);
  if (visit === undefined) throw new Problem('not-signed-in');
  return { centerConfig, visit };
}

/** The center that is asked for, and what the platform says of the center behind it. */
export interface CenterContext extends VisitContext {
  readonly center: Center;
  readonly language: string;
  readonly preferences: RequestPreferences;
  readonly pageContext: PageContext;
}

/** Asks the platform for both at once. `path` is where in the center the request is. */
export async function loadContext(
  parts: CenterParts,
  request: Request,
  path: string,
): Promise<CenterContext & { readonly subject: Subject }> {
  const visitContext = requireVisit(parts, request);
  const [center, subject] = await Promise.all([
    parts.platform.findCenter(visitContext.centerConfig.center),
    parts.platform.readSubject(visitContext.centerConfig.center, visitContext.visit.subject),
  ]);
  return { ...contextOf(parts, request, { visitContext, center, subject, path }), subject };
}

/** The record is only asked for a moment: this page can do without it. Milliseconds. */
const recordTimeoutMs = 1_500;

type LoadContext = (
  parts: CenterParts,
  request: Request,
  path: string,
) => Promise<CenterContext & { readonly subject: Subject | undefined }>;

/** For pages that can do without the record: it is undefined when it does not come at once. */
export const loadContextSoon: LoadContext = (parts, request, path) =>
  loadWithin(parts, request, path, (id) => parts.platform.findCenter(id));

/** For leaving, which must work while the platform does not: the schema is done without too. */
export const loadContextForWithdrawal: LoadContext = (parts, request, path) =>
  loadWithin(parts, request, path, (id) => centerInTime(parts, id, recordTimeoutMs));

async function loadWithin(
  parts: CenterParts,
  request: Request,
  path: string,
  findCenter: (id: string) => Promise<Center | undefined>,
) {
  const visitContext = requireVisit(parts, request);
  const { center: id } = visitContext.centerConfig;
  const [center, subject] = await Promise.all([
    findCenter(id),
    parts.platform
      .readSubject(id, visitContext.visit.subject, { signal: AbortSignal.timeout(recordTimeoutMs) })
      .catch(() => undefined),
  ]);
  return { ...contextOf(parts, request, { visitContext, center, subject, path }), subject };
}

/** A center that cannot be read, or not within `longest` milliseconds, is one of which nothing is known. */
export async function centerInTime(
  { platform }: Pick<CenterParts, 'platform'>,
  id: string,
  longest: number,
): Promise<Center | undefined> {
  const waiting = new AbortController();
  const unread = unreadCenter(id, builtIn);
  const center = await Promise.race([
    platform.findCenter(id).catch(() => unread),
    pause(longest, unread, { signal: waiting.signal }).catch(() => unread),
  ]);
  waiting.abort();
  return center;
}

function contextOf(
  parts: CenterParts,
  request: Request,
  found: {
    visitContext: VisitContext;
    center: Center | undefined;
    subject: Subject | undefined;
    path: string;
  },
): CenterContext {
  const { visitContext, center, subject, path } = found;
  if (center === undefined) throw new Problem('not-found');
  const preferences = readRequestPreferences(request);
  const language = choosePageLanguage({
    preferences: { ...preferences, subject: subject?.language },
    center,
  });
  const pageContext = pageContextOf(parts, request, visitContext, { center, language, path });
  return { ...visitContext, center, language, preferences, pageContext };
}

function pageContextOf(
  { visits, brandOf, seal, random, clock }: CenterParts,
  request: Request,
  { centerConfig, visit }: VisitContext,
  { center, language, path }: { center: Center; language: string; path: string },
): PageContext {
  const endsIn = visits.secondsLeft(request, centerConfig);
  const first = center.pages[0]?.id;
  const isManaging = visit.scope === 'manage';
  // Pages that do not read the record would not know the language it asks for.
  const aside = (name: string) => visits.href(request, centerConfig, name, { lang: language });
  return {
    brand: brandOf(centerConfig, center.title),
    subject: visit.subject,
    frame: visits.frame,
    hosts: visits.frame === 'embedded' ? centerConfig.embedOrigins : undefined,
    pageHref: (page) =>
      visits.href(request, centerConfig, page === first ? '' : `/${encodeURIComponent(page)}`),
    languageHref: (lang) => visits.href(request, centerConfig, path, { lang }),
    recordHref: isManaging ? visits.href(request, centerConfig, '/record') : undefined,
    everywhereHref: isManaging && visits.frame === 'top' ? aside('/devices') : undefined,
    signOut:
      visits.leave === undefined
        ? undefined
        : {
            action: visits.href(request, centerConfig, '/sign-out'),
            token: sealAction({ seal, random, clock }, { action: 'sign-out', centerConfig, visit }),
          },
    session:
      endsIn === undefined
        ? undefined
        : {
            endsIn,
            warnBefore,
            continueHref: visits.href(request, centerConfig, path),
            endingHref: visits.frame === 'top' ? aside('/session-ending') : undefined,
          },
  };
}
