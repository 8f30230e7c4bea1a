import type { Center } from '../../core/model/center/center.ts';
import { unreadCenter } from '../../core/model/center/unread-center.ts';
import type { Subject } from '../../core/model/person/subject.ts';
import { Problem } from '../../core/model/problem.ts';
import type { Underway } from '../../core/model/submission/underway.ts';
import { builtIn } from '../../i18n/catalogue.ts';
import { choosePageLanguage } from '../../i18n/language.ts';
import type { FormView } from '../../pages/form.ts';
import type { PageContext } from '../../pages/person/layout.ts';
import type { Clock } from '../../ports/clock.ts';
import type { DayRoots } from '../../ports/day-roots.ts';
import type { Delivery } from '../../ports/delivery.ts';
import type { Events } from '../../ports/events.ts';
import type { Platform } from '../../ports/platform.ts';
import type { RecordSigner } from '../../ports/signed-records.ts';
import type { Wordings } from '../../ports/wordings.ts';
import { type CallParts, type Call as CallWith, centerRouter, type PostRule } from '../../visits/call.ts';
import type { PageReads } from '../../visits/page-reads.ts';
import type { RecentRecord, RecentRecords } from '../../visits/recent-records.ts';
import { openAction, sealAction } from '../../web/action-token.ts';
import { readFrameLook } from '../../web/frame-look.ts';
import type { Query } from '../../web/href.ts';
import { readRequestPreferences } from '../../web/request-preferences.ts';
import { within } from '../../web/within.ts';

export interface CenterParts extends CallParts {
  readonly platform: Pick<Platform, 'findCenter' | 'findOpenCenter' | 'readSubject' | 'readEnds'>;
  readonly recent: RecentRecords;
  readonly reads: PageReads;
  readonly delivery: Delivery;
  /** The clock of submissions. */
  readonly forwardClock: Clock;
  readonly signer: RecordSigner;
  readonly dayRoots: Pick<DayRoots, 'proofs'>;
  readonly events: Pick<Events, 'stopsOf'>;
  readonly wordings: Wordings;
}

/** A page warns this many seconds before the session ends. */
const warnBefore = 120;

/** A request with the visit of its visitor. */
export type Call = ReturnType<typeof requireVisit>;

/** Throws not-signed-in without a visit. */
function requireVisit(call: CallWith<CenterParts>) {
  const { parts, request, centerConfig, visit, hrefOf } = call;
  if (visit === undefined) throw new Problem('not-signed-in');
  const { page } = request.params;
  return {
    ...call,
    visit,
    /** The id of the page in the address; undefined for the center's first page. */
    pageId: page === undefined ? undefined : String(page),
    /** A form with one button that does this action. */
    formOf: (action: string, path: string, query?: Query): FormView & { readonly token: string } => ({
      action: hrefOf(path, query),
      token: sealAction(parts, { action, centerConfig, visit }),
    }),
    /** Returns the nonce of the posted form of this action. Throws form-refused. */
    openAction: (action: string, token: unknown = request.body?.token) =>
      openAction(parts, token, { action, centerConfig, visit }),
  };
}

export type VisitorRouter = ReturnType<typeof visitorRouter>;
type Act = (call: Call) => Promise<void> | void;

/** Routes for visitors alone: their handlers run with a visit. */
export function visitorRouter(parts: CenterParts) {
  const { get, post, ...routes } = centerRouter(parts);
  return {
    ...routes,
    get: (path: string, show: Act) => get(path, (call) => show(requireVisit(call))),
    post: (path: string, rule: Omit<PostRule<CenterParts, Call>, 'right'>, act: Act) =>
      post(path, { ...rule, right: requireVisit }, (_call, visitor) => act(visitor)),
  };
}

/** The path of a page; the first page of a center has none. */
export function pagePath(page: string | undefined): string {
  return page === undefined || page === '' ? '' : `/${encodeURIComponent(page)}`;
}

/** All that a page of a center needs: visit, schema, record, language. */
export interface CenterContext extends Call {
  readonly center: Center;
  /** The record, for display only: it may be some seconds old. undefined if it did not come in time. */
  readonly subject: Subject | undefined;
  /** The person's submissions that are under way, as known before the record was read. */
  readonly underway: Underway;
  readonly language: string;
  readonly pageContext: PageContext;
}

export type ReadContext = CenterContext & { readonly subject: Subject };

/** Milliseconds that a page waits. undefined: without limit, and a failure fails the request. */
export interface Waits {
  /** `none`: the record is not read. */
  readonly record?: number | 'none' | undefined;
  /** A schema that does not come in time is replaced by an empty one (`unreadCenter`). */
  readonly schema?: number | undefined;
  /** Reads the record again, even if it was read a few seconds ago. */
  readonly isAnew?: true | undefined;
}

/** Waits of pages that work without the record. */
export const soon: Waits = { record: 1_500 };

/** Waits of pages that must show what the person just did elsewhere. */
export const anew: Waits & { readonly record?: undefined } = { isAnew: true };

/** Waits of pages that do not read the record, for a visitor who has already waited once. */
export const unread: Waits = { record: 'none', schema: 300 };

/** Waits of withdrawing, which must work while the platform fails. */
export const forWithdrawal: Waits = { record: 1_500, schema: 1_500 };

/**
 * Loads schema, record and pending submissions of a request in parallel. `path` is the request's path within
 * the center. Throws the platform's problems, and not-found if it does not know the center.
 */
export async function loadContext(call: Call, path: string, waits?: typeof anew): Promise<ReadContext>;
export async function loadContext(call: Call, path: string, waits: Waits): Promise<CenterContext>;
export async function loadContext(call: Call, path: string, waits: Waits = {}): Promise<CenterContext> {
  const { parts, request, centerConfig, visit, hrefOf } = call;
  const { visits } = parts;
  const [center, { subject, underway }] = await Promise.all([
    findCenter(call, waits.schema),
    recentOrRead(call, waits),
  ]);
  if (center === undefined) throw new Problem('not-found');
  const preferences = { ...readRequestPreferences(request), subject: subject?.language };
  const language = choosePageLanguage({ preferences, center });
  const endsIn = visits.secondsLeft(request, centerConfig);
  const first = center.pages[0]?.id;
  const isManaging = visit.scope === 'manage';
  const isTop = visits.frame === 'top';
  // Pages that do not read the record do not know the person's language, so the link names it.
  const inLanguage = { lang: language };
  const pageContext: PageContext = {
    brand: parts.brandOf(centerConfig, center.title),
    subject: visit.subject,
    frame: visits.frame,
    hosts: isTop ? undefined : centerConfig.embedOrigins,
    look: isTop ? undefined : readFrameLook(request),
    pageHref: (page) => hrefOf(page === first ? '' : pagePath(page)),
    languageHref: (lang) => hrefOf(path, { lang }),
    recordHref: isManaging ? hrefOf('/record') : undefined,
    everywhereHref: isManaging && isTop ? hrefOf('/devices', inLanguage) : undefined,
    signOut: visits.leave && call.formOf('sign-out', '/sign-out', inLanguage),
    session:
      endsIn === undefined
        ? undefined
        : {
            endsIn,
            warnBefore,
            continueHref: hrefOf(path),
            endingHref: isTop ? hrefOf('/session-ending', inLanguage) : undefined,
          },
  };
  return { ...call, center, subject, underway, language, pageContext };
}

/**
 * Returns undefined if the platform has no such center, and an empty center if the schema does not come in
 * time.
 */
export function findCenter({ parts, centerConfig: { center } }: Call, longestMs?: number) {
  const found = parts.platform.findCenter(center);
  return longestMs === undefined ? found : within(longestMs, found, () => unreadCenter(center, builtIn));
}

/** The record that this visit read a few seconds ago. */
export function recentOf({ parts, request, centerConfig, visit }: Call): RecentRecord | undefined {
  const session = parts.visits.sessionOf(request, centerConfig);
  return session === undefined ? undefined : parts.recent.find(session, centerConfig.center, visit.subject);
}

export function keepRecent({ parts, request, centerConfig }: Call, record: RecentRecord): void {
  const session = parts.visits.sessionOf(request, centerConfig);
  if (session !== undefined) parts.recent.keep(session, centerConfig.center, record);
}

/** Shows a record again that was read a few seconds ago, unless a later submission may be missing in it. */
async function recentOrRead(call: Call, { record: longestMs, isAnew }: Waits) {
  const { parts, centerConfig, visit } = call;
  const record = isAnew ? undefined : recentOf(call);
  const underway = await parts.delivery.underway(centerConfig.center, visit.subject);
  if (longestMs === 'none') return { subject: undefined, underway };
  if (record && underway.isShownBy(record.at, record.reference)) return { subject: record.subject, underway };
  const at = parts.forwardClock.now();
  const signal = longestMs === undefined ? undefined : AbortSignal.timeout(longestMs);
  const read = () => readCounted(call, 'page', signal);
  // A lagging platform may return an empty record. Then a purpose that is on by default would look granted
  // again after the person withdrew it, so an empty record is read twice.
  const isSure = ({ purposes }: Subject) => purposes.length > 0 || !underway.isKnown;
  const subject = await read()
    .then((first) => (isSure(first) ? first : read()))
    .catch((fault: unknown) => {
      if (signal === undefined) throw fault;
      return undefined;
    });
  // An empty record may be wrong for a moment, so it is not kept.
  if (subject !== undefined && subject.purposes.length > 0)
    keepRecent(call, { subject, at, reference: undefined });
  return { subject, underway };
}

/**
 * Reads the record and counts the read against the person's limit. A read refused for lack of quota is not
 * counted, because the waiting page repeats it.
 */
export async function readCounted(
  { parts: { platform, reads }, centerConfig: { center }, visit: { subject, scope } }: Call,
  use: 'page' | 'objection',
  signal?: AbortSignal | undefined,
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
