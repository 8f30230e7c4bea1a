import type { Request } from 'express';
import type { Center } from '../../core/model/center/center.ts';
import type { CenterConfig, CenterRegistry } from '../../core/model/center/center-config.ts';
import { unreadCenter } from '../../core/model/center/unread-center.ts';
import type { Subject } from '../../core/model/person/subject.ts';
import type { Visit } from '../../core/model/person/visit.ts';
import { Problem } from '../../core/model/problem.ts';
import type { Underway } from '../../core/model/submission/underway.ts';
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
import type { PageReads } from '../../visits/page-reads.ts';
import type { RecentRecords } from '../../visits/recent-records.ts';
import type { Visits } from '../../visits/visits.ts';
import { sealAction } from '../../web/action-token.ts';
import type { BrandOf } from '../../web/brand-view.ts';
import { readFrameLook } from '../../web/frame-look.ts';
import type { Render } from '../../web/render.ts';
import { type RequestPreferences, readRequestPreferences } from '../../web/request-preferences.ts';
import { within } from '../../web/within.ts';

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
  /** The clock of submissions. */
  readonly forwardClock: Clock;
  readonly brandOf: BrandOf;
  readonly render: Render;
  readonly signer: RecordSigner;
  readonly dayRoots: Pick<DayRoots, 'proofs'>;
  readonly publicUrl: URL;
  readonly events: Pick<Events, 'stopsOf'>;
  readonly wordings: Wordings;
}

/** A page warns this many seconds before the session ends. */
const warnBefore = 120;

/** The center and the visit of a request. */
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

/** The path of a page; the first page of a center has none. */
export function pagePath(page: string | undefined): string {
  return page === undefined || page === '' ? '' : `/${encodeURIComponent(page)}`;
}

/** Everything a page of a center needs: visit, schema, record, language. */
export interface CenterContext extends VisitContext {
  readonly center: Center;
  /** For display only: it may be some seconds old. undefined if it did not come in time. */
  readonly subject: Subject | undefined;
  /** What the person asked for here, as known before the record was read. */
  readonly underway: Underway;
  readonly language: string;
  readonly preferences: RequestPreferences;
  readonly pageContext: PageContext;
}

/** How long a page waits, in milliseconds. undefined: without limit, and a failure fails the request. */
export interface Waits {
  /** `none`: the record is not read. */
  readonly record?: number | 'none' | undefined;
  /** A schema that does not come in time is replaced by an empty one (`unreadCenter`). */
  readonly schema?: number | undefined;
  /** Reads the record even if it was read a few seconds ago. */
  readonly isAnew?: true | undefined;
}

/** For pages that work without the record. */
export const soon: Waits = { record: 1_500 };

/** For pages that must show what the person just did elsewhere. */
export const anew: Waits & { readonly record?: undefined } = { isAnew: true };

/** Without the record, for a visitor who has already waited once. */
export const unread: Waits = { record: 'none', schema: 300 };

/** For withdrawing, which must work while the platform fails. */
export const forWithdrawal: Waits = { record: 1_500, schema: 1_500 };

/**
 * Loads schema, record and pending submissions of a request in parallel. `path` is the request's path within
 * the center. Throws like `requireVisit`, and the platform's problems.
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
  const preferences = readRequestPreferences(request);
  const language = choosePageLanguage({
    preferences: { ...preferences, subject: subject?.language },
    center,
  });
  const pageContext = pageContextOf(parts, request, visitContext, { center, language, path });
  return { ...visitContext, center, subject, underway, language, preferences, pageContext };
}

/**
 * Returns undefined if the platform has no such center, and an empty center if the schema does not come in
 * time.
 */
export function findCenter(
  { platform }: Pick<CenterParts, 'platform'>,
  id: string,
  longestMs: number | undefined,
): Promise<Center | undefined> {
  const found = platform.findCenter(id);
  return longestMs === undefined ? found : within(longestMs, found, () => unreadCenter(id, builtIn));
}

/** Shows a record read a few seconds ago again, unless a later submission may be missing in it. */
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
  if (longestMs === 'none') return { subject: undefined, underway };
  if (record && underway.isShownBy(record.at, record.reference)) return { subject: record.subject, underway };
  const at = parts.forwardClock.now();
  const subject = await readSubject(parts, visitContext, { longestMs, underway });
  // An empty record may be wrong for a moment, so it is not kept.
  if (session !== undefined && subject !== undefined && subject.purposes.length > 0)
    parts.recent.keep(session, centerConfig.center, { subject, at, reference: undefined });
  return { subject, underway };
}

/**
 * Reads the record and counts the read against the person's limit. A read refused for lack of quota is not
 * counted, because the waiting page repeats it.
 */
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
  /**
   * A lagging platform may return an empty record. Then a purpose that is on by default would look granted
   * again after the person withdrew it, so an empty record is read twice.
   */
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
  // Pages that do not read the record do not know the person's language, so the link names it.
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
