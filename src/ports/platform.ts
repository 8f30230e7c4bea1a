import type { Center, CenterSummary } from '../core/model/center.ts';
import type { ConsentAnswer, ConsentUpdate } from '../core/model/consent-update.ts';
import type { NoticePage, NoticeVersionPage, NoticeWithVersion } from '../core/model/notice.ts';
import type { PlatformState } from '../core/model/platform-state.ts';
import type { Subject, SubjectId } from '../core/model/subject.ts';
import type { Task, TaskCreate, TaskUpdate } from '../core/model/task.ts';

/**
 * The consent platform. Every method throws `Problem` (platform-unreachable, platform-slow, platform-busy and
 * quota-used-up with `retryAfter`, platform-refused, platform-denied, platform-unreadable, wrong-subject, identifier-refused).
 */
export interface Platform {
  /**
   * Cached: fresh, or stale while it is fetched again; kept up to 24 h when the platform is down. `readWithin`
   * (milliseconds): only as it was read so long ago at most, or not at all. `isConfirmed`: read once more where the
   * last reading differs from the one before, or is the first.
   */
  findCenter(
    id: string,
    options?: { readWithin?: number | undefined; isConfirmed?: boolean },
  ): Promise<Center | undefined>;
  /**
   * For visitors without a right: a center that the platform lists, kept as it is, so that strangers cause next
   * to no calls. undefined for every other id.
   */
  findOpenCenter(id: string): Promise<Center | undefined>;
  /** What `findOpenCenter` would find, as far as it is known: for a page on which strangers choose. */
  listOpenCenters(): Promise<readonly string[]>;
  listCenters(): Promise<readonly CenterSummary[]>;
  /** Never cached. A person with nothing on record is an empty `Subject`, not a fault. */
  readSubject(center: string, subject: SubjectId, options?: CallOptions): Promise<Subject>;
  /** When consents of a person end by their life span, by purpose, in whatever center; epoch milliseconds. Never cached. */
  readEnds(subject: SubjectId, options?: CallOptions): Promise<ReadonlyMap<string, number>>;
  /** Until when the token of a hosted page is this person's; undefined where it is not. Never cached. */
  findLinkToken(subject: SubjectId, token: string): Promise<{ readonly endsAt: number } | undefined>;
  /** PUT: `update.purposes` is the whole set; what is absent is withdrawn. */
  updateConsent(
    center: string,
    subject: SubjectId,
    update: ConsentUpdate,
    options?: CallOptions,
  ): Promise<ConsentAnswer>;
  /** DELETE: every purpose is withdrawn. */
  withdrawAll(center: string, subject: SubjectId, options?: CallOptions): Promise<ConsentAnswer>;

  /** GET v2/privacynotices; `page` zero-based, `size` 1 to 50. */
  listNotices(query: { page: number; size: number }): Promise<NoticePage>;
  /** The version that was active strictly before `date` (yyyy-MM-dd or yyyy-MM-ddTHH:mm:ss). */
  findNoticeVersion(id: string, date: string): Promise<NoticeWithVersion | undefined>;
  listNoticeVersions(
    id: string,
    query: { page: number; size: number },
  ): Promise<NoticeVersionPage | undefined>;

  /** Never repeated by itself: a lost answer is a Problem that says so. */
  createTask(task: TaskCreate, options?: Pick<CallOptions, 'priority'>): Promise<Task>;
  findTask(id: string): Promise<Task | undefined>;
  updateTask(id: string, task: TaskUpdate): Promise<Task | undefined>;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Where nothing is said `person`, and of `withdrawAll` `withdrawal`. */
  readonly priority?: CallPriority | undefined;
  /**
   * For how many calls there must be room in the quota: 1 where nothing is said, 2 where another one must follow this at
   * once, which then passes 0. They get it in one step, or neither is made.
   */
  readonly permits?: 0 | 1 | 2 | undefined;
}

/**
 * Who goes first wherever calls wait: for a free connection, when a rate limit ends, and for the platform's quota.
 * `withdrawal`: with every call that carries one out, the reads that it needs included; `person`: somebody waits for it;
 * `background`: it can wait, as the reading back of what is done.
 */
export type CallPriority = 'withdrawal' | 'person' | 'background';

export interface PlatformWatch {
  /** Makes no call: what the calls of this process have shown. */
  state(): PlatformState;
}
