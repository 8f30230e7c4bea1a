import type { JournalEntry } from '../core/model/journal-entry.ts';
import type { SubjectId } from '../core/model/subject.ts';
import type { Submission } from '../core/model/submission.ts';

/** What staff and metrics ask of the journal. */
export interface JournalReports {
  /** Newest first. */
  list(filter: JournalFilter): Promise<readonly JournalEntry[]>;
  /** By state, in the order of its name; none with a count of 0. */
  counts(): Promise<readonly StateCount[]>;
  /** A part of the reasons for leaving, in the order in which they were given. */
  reasons(filter: ReasonFilter, part: ReasonPart): Promise<Reasons>;
}

export interface JournalFilter {
  readonly state?: Submission['state'] | undefined;
  readonly center?: string | undefined;
  readonly subject?: SubjectId | undefined;
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

export interface ReasonFilter {
  readonly center?: string | undefined;
  /** Given on a day at or after, and before. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export interface ReasonPart {
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
