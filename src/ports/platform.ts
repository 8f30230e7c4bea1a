import type { Center, CenterSummary } from '../core/model/center/center.ts';
import type { PlatformState } from '../core/model/center/platform-state.ts';
import type { Subject, SubjectId } from '../core/model/person/subject.ts';
import type { NoticePage, NoticeVersionPage, NoticeWithVersion } from '../core/model/staff/notice.ts';
import type { Task, TaskCreate, TaskUpdate } from '../core/model/staff/task.ts';
import type { ConsentAnswer, ConsentUpdate } from '../core/model/submission/consent-update.ts';

/**
 * The consent platform. Every method throws `Problem` (platform-unreachable, platform-slow, platform-busy and
 * quota-used-up with `retryAfter`, platform-refused, platform-denied, platform-unreadable, wrong-subject,
 * identifier-refused).
 */
export interface Platform {
  /**
   * Cached: fresh, or stale while it is fetched again; kept up to 24 h when the platform is down.
   * `readWithin` (milliseconds): a reading of that age at most, or none. `isConfirmed`: read once more if the
   * last reading differs from the one before, or is the first.
   */
  findCenter(
    id: string,
    options?: { readWithin?: number | undefined; isConfirmed?: boolean },
  ): Promise<Center | undefined>;
  /**
   * Finds a center for visitors who are not signed in, if the platform lists it. It is kept as it is, so that
   * strangers cause almost no calls. undefined for any other id.
   */
  findOpenCenter(id: string): Promise<Center | undefined>;
  /** The known ids that `findOpenCenter` finds: for a page on which visitors choose. */
  listOpenCenters(): Promise<readonly string[]>;
  listCenters(): Promise<readonly CenterSummary[]>;
  /** Never cached. A person with nothing on record is an empty `Subject`, not a fault. */
  readSubject(center: string, subject: SubjectId, options?: CallOptions): Promise<Subject>;
  /**
   * When consents of a person end by their life span, by purpose, in any center; epoch milliseconds. Never
   * cached.
   */
  readEnds(subject: SubjectId, options?: CallOptions): Promise<ReadonlyMap<string, number>>;
  /** The end of this person's token of a hosted page; undefined: it is not theirs. Never cached. */
  findLinkToken(subject: SubjectId, token: string): Promise<{ readonly endsAt: number } | undefined>;
  /** PUT: `update.purposes` is the whole set; an absent purpose is withdrawn. */
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

  /** Never repeated: a lost answer is a Problem with `answerLost`. */
  createTask(task: TaskCreate, options?: Pick<CallOptions, 'priority'>): Promise<Task>;
  findTask(id: string): Promise<Task | undefined>;
  updateTask(id: string, task: TaskUpdate): Promise<Task | undefined>;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Default: `person`, and `withdrawal` for `withdrawAll`. */
  readonly priority?: CallPriority | undefined;
  /**
   * How many calls the quota must have room for. Default 1; 2 if another call must follow at once, which then
   * passes 0: both get room, or neither.
   */
  readonly permits?: 0 | 1 | 2 | undefined;
}

/**
 * The order of waiting calls: for a connection, after a rate limit, for the quota. `withdrawal`: a withdrawal
 * and the reads that it needs; `person`: a person waits for it; `background`: it can wait, as a read-back of
 * finished work.
 */
export type CallPriority = 'withdrawal' | 'person' | 'background';

export interface PlatformWatch {
  /** The state by the calls of this process; makes no call. */
  state(): PlatformState;
}
