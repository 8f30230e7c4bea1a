import type { NewEvent, SpokenWord } from '../core/model/center-event.ts';
import type { JournalEntry, Work } from '../core/model/journal-entry.ts';
import type { SubjectId } from '../core/model/subject.ts';
import type { SubmissionRequest } from '../core/model/submission-request.ts';
import type { HistoryPart } from './history-part.ts';

/** What comes in, and what a person's own pages read. */
export interface JournalIntake {
  /**
   * Durable when it resolves; each nonce once, also when two processes record it at the same time. Another one-click
   * may be due later.
   */
  record(request: SubmissionRequest, made: SubmissionMade): Promise<Recorded>;
  find(reference: string): Promise<JournalEntry | undefined>;
  /** undefined also for another person's. */
  findOwn(reference: string, subject: SubjectId): Promise<JournalEntry | undefined>;
  /** In the order of submission. */
  pendingOf(center: string, subject: SubjectId): Promise<readonly JournalEntry[]>;
  /**
   * Of a person in every center, in the order of submission: what is pending, and what was done at `since` or later;
   * of either the latest 100.
   */
  recentOf(subject: SubjectId, since: number): Promise<readonly JournalEntry[]>;
  /**
   * What came in after an entry of the same person, newest first: in any center, for one purpose in two of them may be
   * one consent.
   */
  laterThan(entry: Pick<JournalEntry, 'reference'>, subject: SubjectId): Promise<readonly JournalEntry[]>;
  /** Newest first. */
  historyOf(center: string, subject: SubjectId, part: HistoryPart): Promise<readonly JournalEntry[]>;
  historySize(center: string, subject: SubjectId): Promise<number>;
}

export interface SubmissionMade {
  /** Of a new one; no other entry has it. */
  readonly reference: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly work: Work;
  readonly expiresAt: number | undefined;
  /** Kept in the same transaction, where anybody is told of that center; the words always. */
  readonly events?: readonly NewEvent[] | undefined;
  readonly words?: readonly SpokenWord[] | undefined;
}

/**
 * `known`: the same nonce and intent were there before; `other`: the nonce was, with another body; `open`: an open
 * one-click does what this one asks for, too. Only of `new` anything was written; `entry` is the one that is there.
 */
export interface Recorded {
  readonly kind: 'new' | 'known' | 'other' | 'open';
  readonly entry: JournalEntry;
  /** Of a new one: nothing else of the person in this center is to be tried again at a later time. */
  readonly isAlone?: boolean | undefined;
}
