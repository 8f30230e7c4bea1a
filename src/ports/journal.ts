import type { JournalEntry } from '../core/model/journal-entry.ts';
import type { SubjectId } from '../core/model/subject.ts';
import type { Submission } from '../core/model/submission.ts';
import type { People } from './people.ts';

/** What people last said, their submissions, and what is asked of them. */
export interface Journal extends People, JournalReports, JournalUpkeep {}

/** What staff and metrics ask of the journal. */
export interface JournalReports {
  /** Newest first. */
  list(filter: JournalFilter): Promise<readonly JournalEntry[]>;
  /** The same, however many they are, a few at a time; without what went meanwhile. */
  parts(filter: JournalFilter): AsyncGenerator<readonly JournalEntry[]>;
  /** By state, in the order of its name; none with a count of 0. */
  counts(): Promise<readonly StateCount[]>;
  /** Withdrawals that are pending and were never done; of more than `most` no more are counted. */
  waitingWithdrawals(most: number): Promise<Waiting>;
  /** What failed at that time or later; of more than `most` no more are counted. Epoch milliseconds. */
  failedSince(since: number, most: number): Promise<number>;
  /** From counters, not from the submissions themselves. Days in UTC, in their order; none on which nothing came. */
  days(period: DayPeriod): Promise<readonly DayCount[]>;
  /** From counters. The most frequent first; of as many, in the order of center and id, own words last. */
  topReasons(filter: ReasonFilter & { readonly limit: number }): Promise<readonly ReasonCount[]>;
  /** What people wrote in their own words in these centers, the newest first. */
  ownWords(filter: Omit<ReasonFilter, 'center'>, which: OwnWords): Promise<readonly Reason[]>;
  /** A part of the reasons for leaving, in the order in which they were given. */
  reasons(filter: ReasonFilter, part: ReasonPart): Promise<Reasons>;
}

export interface JournalFilter {
  readonly state?: Submission['state'] | undefined;
  readonly center?: string | undefined;
  readonly subject?: SubjectId | undefined;
  /** Only what withdraws something. */
  readonly withdraws?: true | undefined;
  /** Submitted at or after, and before. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly limit: number;
  readonly offset?: number | undefined;
}

export interface StateCount {
  readonly state: Submission['state'];
  readonly count: number;
  /** Of what is pending only, and was never done. */
  readonly oldestAt: number | undefined;
}

export interface Waiting {
  readonly count: number;
  /** undefined: none waits. */
  readonly oldestAt: number | undefined;
}

/** Epoch milliseconds of UTC midnights: at or after, and before. */
export interface DayPeriod {
  readonly from: number;
  readonly to: number;
}

/** What is swept is no longer counted. */
export interface DayCount {
  /** The epoch milliseconds of its UTC midnight. */
  readonly day: number;
  readonly submissions: number;
  /** Of these, from everything. */
  readonly leavings: number;
}

export interface ReasonCount {
  readonly center: string;
  /** undefined: in their own words, which are counted and not given. */
  readonly id: string | undefined;
  /** As it was given last; '' for own words. */
  readonly text: string;
  readonly count: number;
}

export interface ReasonFilter {
  readonly center?: string | undefined;
  /** Given on a day at or after, and before. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export interface OwnWords {
  readonly centers: readonly string[];
  readonly limit: number;
}

export interface ReasonPart {
  /** So many are looked at; those that the filter leaves out are not given. */
  readonly limit: number;
  /** What came with the part before; undefined: from the start. */
  readonly after: number | undefined;
}

export interface Reasons {
  readonly reasons: readonly Reason[];
  /** Of the part that follows; undefined when there is none. */
  readonly next: number | undefined;
}

/** Without any link to a person. */
export interface Reason {
  readonly center: string;
  /** The epoch milliseconds of its UTC midnight. */
  readonly day: number;
  /** undefined: in their own words. */
  readonly id: string | undefined;
  /** '' for what no key opens. */
  readonly text: string;
}

/** What keeps the journal itself. */
export interface JournalUpkeep {
  /**
   * The platform whose submissions these are: the given one where it was none yet, or `movedFrom`. Any other answer
   * means that nothing of this journal may be carried out there.
   */
  bindTo(platform: string, movedFrom: string | undefined): Promise<string>;
  /**
   * Deletes some of what is over; gives of how many rows, 0 when there is no more. Of an entry done before
   * `workBefore` only what was changed remains, until `evidenceBefore`. Epoch milliseconds.
   */
  sweep(over: JournalOver): Promise<number>;
  /** Rejects unless a row can be written now: for readiness. */
  check(): Promise<void>;
  /** Once, or again. */
  close(): Promise<void>;
}

export interface JournalOver {
  readonly now: number;
  readonly workBefore: number;
  readonly evidenceBefore: number;
  readonly reasonsBefore: number;
}
