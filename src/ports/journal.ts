import type { SubjectId } from '../core/model/person/subject.ts';
import type { JournalEntry } from '../core/model/submission/journal-entry.ts';
import type { Submission } from '../core/model/submission/submission.ts';
import type { People } from './people.ts';

/** People's desired states, their submissions, and reports about these. */
export interface Journal extends People, JournalReports, JournalUpkeep {}

/** The reports of the journal for staff and metrics. */
export interface JournalReports {
  /** Newest first. */
  list(filter: JournalFilter): Promise<readonly JournalEntry[]>;
  /** All entries, a few at a time; without those deleted meanwhile. */
  parts(filter: JournalFilter): AsyncGenerator<readonly JournalEntry[]>;
  /** Counts by state, in the order of the state's name; none with a count of 0. */
  counts(): Promise<readonly StateCount[]>;
  /** Withdrawals that are pending and were never done; at most `most` are counted. */
  waitingWithdrawals(most: number): Promise<Waiting>;
  /** Submissions that failed at that time or later; at most `most` are counted. Epoch milliseconds. */
  failedSince(since: number, most: number): Promise<number>;
  /** Counts of days in UTC, in order, without empty days; from counters, not from the submissions. */
  days(period: DayPeriod): Promise<readonly DayCount[]>;
  /** Counts of reasons, from counters: the most frequent first, then by center and id, own words last. */
  topReasons(filter: ReasonFilter & { readonly limit: number }): Promise<readonly ReasonCount[]>;
  /** Reasons in people's own words in these centers, the newest first. */
  ownWords(filter: Omit<ReasonFilter, 'center'>, which: OwnWords): Promise<readonly Reason[]>;
  /** A part of the reasons for leaving, in the order in which they were given. */
  reasons(filter: ReasonFilter, part: ReasonPart): Promise<Reasons>;
}

/** `from`, `to`: when it was submitted. */
export interface JournalFilter extends ReasonFilter {
  readonly state?: Submission['state'] | undefined;
  readonly subject?: SubjectId | undefined;
  /** Only submissions that withdraw. */
  readonly withdraws?: true | undefined;
  readonly limit: number;
  readonly offset?: number | undefined;
}

export interface StateCount {
  readonly state: Submission['state'];
  readonly count: number;
  /** Only for pending submissions that were never done. */
  readonly oldestAt: number | undefined;
}

/** `oldestAt` is undefined where none waits. */
export type Waiting = Omit<StateCount, 'state'>;

/** Epoch milliseconds of UTC midnights: at or after, and before. */
export interface DayPeriod {
  readonly from: number;
  readonly to: number;
}

/** Deleted submissions are not counted. */
export interface DayCount {
  /** The epoch milliseconds of its UTC midnight. */
  readonly day: number;
  readonly submissions: number;
  /** Submissions that left everything. */
  readonly leavings: number;
}

export interface ReasonCount {
  readonly center: string;
  /** undefined: own words, which are counted and not shown. */
  readonly id: string | undefined;
  /** The latest text; '' for own words. */
  readonly text: string;
  readonly count: number;
}

export interface ReasonFilter {
  readonly center?: string | undefined;
  /** Submissions at `from` or later, and before `to`. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export interface OwnWords {
  readonly centers: readonly string[];
  readonly limit: number;
}

export interface ReasonPart {
  /** How many are read; those that the filter excludes are not returned. */
  readonly limit: number;
  /** `next` of the previous part; undefined: from the start. */
  readonly after: number | undefined;
}

export interface Reasons {
  readonly reasons: readonly Reason[];
  /** `after` of the next part; undefined: there is none. */
  readonly next: number | undefined;
}

/** A reason for leaving, without any link to a person. */
export interface Reason {
  readonly center: string;
  /** The epoch milliseconds of its UTC midnight. */
  readonly day: number;
  /** undefined: own words. */
  readonly id: string | undefined;
  /** '' if no key opens it. */
  readonly text: string;
}

/** Upkeep of the journal. */
export interface JournalUpkeep {
  /**
   * Binds the journal to a platform, if it has none or `movedFrom`; gives the platform that it belongs to.
   * Nothing may be carried out on any other.
   */
  bindTo(platform: string, movedFrom: string | undefined): Promise<string>;
  /**
   * Deletes some expired data; gives the number of rows, 0: none left. An entry done before `workBefore`
   * keeps only its evidence, until `evidenceBefore`. Epoch milliseconds.
   */
  sweep(over: JournalOver): Promise<number>;
  /** For readiness: rejects unless a row can be written now. */
  check(): Promise<void>;
  /** May be called again. */
  close(): Promise<void>;
}

export type JournalOver = Readonly<Record<'now' | 'workBefore' | 'evidenceBefore' | 'reasonsBefore', number>>;
