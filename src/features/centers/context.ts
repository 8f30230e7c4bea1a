import type { Request } from 'express';
import type { Center } from '../../core/model/center.ts';
import type { CenterConfig, CenterRegistry } from '../../core/model/center-config.ts';
import { Problem } from '../../core/model/problem.ts';
import type { Subject } from '../../core/model/subject.ts';
import type { Underway } from '../../core/model/underway.ts';
import { unreadCenter } from '../../core/model/unread-center.ts';
import type { Visit } from '../../core/model/visit.ts';
import { builtIn } from '../../i18n/catalogue.ts';
import { choosePageLanguage } from '../../i18n/language.ts';
import type { PageContext } from '../../pages/person/layout.ts';
import type { Clock } from '../../ports/clock.ts';
import type { DayRoots } from '../../ports/day-roots.ts';
import type { Delivery } from '../../ports/delivery.ts';
import type { Events } from '../../ports/events.ts';
import type { Platform } from '../../ports/platform.ts';
import type { Random } from '../../ports/random.ts';
import type { Seal } from '../../ports/seal.ts';
import type { RecordSigner } from '../../ports/signed-records.ts';
import type { Wordings } from '../../ports/wordings.ts';
import { sealAction } from '../../web/action-token.ts';
import type { BrandOf } from '../../web/brand-view.ts';
import { readFrameLook } from '../../web/frame-look.ts';
import type { PageReads } from '../../web/page-reads.ts';
import type { RecentRecords } from '../../web/recent-records.ts';
import type { Render } from '../../web/render.ts';
import { type RequestPreferences, readRequestPreferences } from '../../web/request-preferences.ts';
import type { Visits } from '../../web/visits.ts';
import { within } from '../../web/within.ts';

/** What the pages of a center are made with. */
export interface CenterParts {
  readonly platform: Pick<Platform, 'findCenter' | 'findOpenCenter' | 'readSubject' | 'readEnds'>;
  readonly recent: RecentRecords;
  readonly reads: PageReads;
  readonly delivery: Delivery;
  readonly registry: CenterRegistry;
  readonly visits: Visits;
  readonly seal: Seal;
  readonly random: Random;
  readonly clock: Clock;
  /** Of submissions. */
  readonly forwardClock: Clock;
  readonly brandOf: BrandOf;
  readonly render: Render;
  readonly signer: RecordSigner;
  readonly dayRoots: Pick<DayRoots, 'proofs'>;
  readonly publicUrl: URL;
  readonly events: Pick<Events, 'stopsOf'>;
  readonly wordings: Wordings;
}

/** Seconds before the end of a session at which a page warns. */
const warnBefore = 120;

/** Where a request is: its center, its visit. */
export interface VisitContext {
  readonly centerConfig: CenterConfig;
  readonly visit: Visit;
}

/** Throws not-found for a center that is not served, not-signed-in without a visit. */
export function requireVisit(parts: CenterParts, request: Request): VisitContext {
  const centerConfig = parts.registry.find(String(request.params['center']));
  if (centerConfig === undefined) throw new Problem('not-found');
  const visit = parts.visits.find(request, centerConfig);
  if (visit === undefined) throw new Problem('not-signed-in');
  return { centerConfig, visit };
}

/** The center that is asked for, what the platform says of it and of the person, and how a page about both is made. */
export interface CenterContext extends VisitContext {
  readonly center: Center;
  /** To draw with, for it may be some seconds old; undefined when it was only waited for so long. */
  readonly subject: Subject | undefined;
  /** What the person said here, as it was before the record was read. */
  readonly underway: Underway;
  readonly language: string;
  readonly preferences: RequestPreferences;
  readonly pageContext: PageContext;
}

/** Milliseconds; undefined: as long as it takes, and its fault is the request's. */
export interface Waits {
  readonly record?: number | undefined;
  /** A schema that is not there in time is one of which nothing is known. */
  readonly schema?: number | undefined;
  /** What was read a few seconds ago is not good enough. */
  readonly isAnew?: true | undefined;
}

/** This page can do without the record: it is only asked for a moment. */
export const soon: Waits = { record: 1_500 };

/** What the person has just done elsewhere must be seen. */
export const anew: Waits & { readonly record?: undefined } = { isAnew: true };

/** For leaving, which must work while the platform does not. */
export const forWithdrawal: Waits = { record: 1_500, schema: 1_500 };

/**
 * What every page of a center is made of, asked for once and at the same time. `path`: where in the center the request
 * is. Throws as `requireVisit` does, and what the platform says.
 */
export async function loadContext(
  parts: CenterParts,
  request: Request,
  path: string,
  waits?: typeof anew,
): Promise<CenterContext & { readonly subject: Subject }>;
export async function loadContext(
  parts: CenterParts,
  request: Request,
  path: string,
  waits: Waits,
): Promise<CenterContext>;
export async function loadContext(
  parts: CenterParts,
  request: Request,
  path: string,
  waits: Waits = {},
): Promise<CenterContext> {
  const visitContext = requireVisit(parts, request);
  const [center, { subject, underway }] = await Promise.all([
    findCenter(parts, visitContext.centerConfig.center, waits.schema),
    recentOrRead(parts, request, visitContext, waits),
  ]);
  if (center === undefined) throw new Problem('not-found');
  return contextOf(parts, request, path, { ...visitContext, center, subject, underway });
}

/** The same without a reading of the person's record. */
export async function loadContextUnread(
  parts: CenterParts,
  request: Request,
  path: string,
): Promise<CenterContext> {
  const visitContext = requireVisit(parts, request);
  const { centerConfig, visit } = visitContext;
  const [center, underway] = await Promise.all([
    findCenter(parts, centerConfig.center, briefly),
    parts.delivery.underway(centerConfig.center, visit.subject),
  ]);
  if (center === undefined) throw new Problem('not-found');
  return contextOf(parts, request, path, { ...visitContext, center, subject: undefined, underway });
}

/** Milliseconds that a page waits which has been waited for already. */
const briefly = 300;

function contextOf(
  parts: CenterParts,
  request: Request,
  path: string,
  read: VisitContext & Pick<CenterContext, 'center' | 'subject' | 'underway'>,
): CenterContext {
  const { center, subject } = read;
  const preferences = readRequestPreferences(request);
  const language = choosePageLanguage({
    preferences: { ...preferences, subject: subject?.language },
    center,
  });
  const pageContext = pageContextOf(parts, request, read, { center, language, path });
  return { ...read, language, preferences, pageContext };
}

/** undefined when the platform has no such center; one that does not come within `longestMs` is an unread one. */
export function findCenter(
  { platform }: Pick<CenterParts, 'platform'>,
  id: string,
  longestMs: number | undefined,
): Promise<Center | undefined> {
  const found = platform.findCenter(id);
  return longestMs === undefined ? found : within(longestMs, found, () => unreadCenter(id, builtIn));
}

/** What was read a few seconds ago is shown again, unless something has happened since that it may not show. */
async function recentOrRead(
  parts: CenterParts,
  request: Request,
  visitContext: VisitContext,
  { record: longestMs, isAnew }: Waits,
): Promise<Pick<CenterContext, 'subject' | 'underway'>> {
  const { centerConfig, visit } = visitContext;
  const session = parts.visits.sessionOf(request, centerConfig);
  const record =
    session && isAnew !== true ? parts.recent.find(session, centerConfig.center, visit.subject) : undefined;
  const underway = await parts.delivery.underway(centerConfig.center, visit.subject);
  if (record && underway.isShownBy(record.at, record.reference)) return { subject: record.subject, underway };
  const at = parts.forwardClock.now();
  const subject = await readSubject(parts, visitContext, { longestMs, underway });
  // "Nothing on record" may be wrong for a moment: it is asked for each time.
  if (session !== undefined && subject !== undefined && subject.purposes.length > 0)
    parts.recent.keep(session, centerConfig.center, { subject, at, reference: undefined });
  return { subject, underway };
}

/** As often as one person's pages may. What found no room in the quota was not read, and comes again by itself. */
export async function readCounted(
  { platform, reads }: CenterParts,
  { centerConfig: { center }, visit: { subject, scope } }: VisitContext,
  { use, signal }: { readonly use: 'page' | 'objection'; readonly signal?: AbortSignal | undefined },
): Promise<Subject> {
  const giveBack = reads.take(use, { center, subject, scope });
  try {
    return await platform.readSubject(center, subject, { signal });
  } catch (fault) {
    if (isForWantOfQuota(fault)) giveBack();
    throw fault;
  }
}

export function isForWantOfQuota(fault: unknown): fault is Problem {
  return fault instanceof Problem && (fault.code === 'quota-used-up' || fault.code === 'platform-busy');
}

function readSubject(
  parts: CenterParts,
  visitContext: VisitContext,
  { longestMs, underway }: { readonly longestMs: number | undefined; readonly underway: Underway },
): Promise<Subject | undefined> {
  const signal = longestMs === undefined ? undefined : AbortSignal.timeout(longestMs);
  const read = () => readCounted(parts, visitContext, { use: 'page', signal });
  /** Who left what is on by default must not find it on because a platform had nothing to show just then. */
  async function readTwice(): Promise<Subject> {
    const first = await read();
    return first.purposes.length > 0 || !underway.isKnown ? first : read();
  }
  return signal === undefined ? readTwice() : readTwice().catch(() => undefined);
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
    look: visits.frame === 'embedded' ? readFrameLook(request) : undefined,
    pageHref: (page) =>
      visits.href(request, centerConfig, page === first ? '' : `/${encodeURIComponent(page)}`),
    languageHref: (lang) => visits.href(request, centerConfig, path, { lang }),
    recordHref: isManaging ? visits.href(request, centerConfig, '/record') : undefined,
    everywhereHref: isManaging && visits.frame === 'top' ? aside('/devices') : undefined,
    signOut:
      visits.leave === undefined
        ? undefined
        : {
            action: aside('/sign-out'),
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
