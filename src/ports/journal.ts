import type { JournalEntry, Work } from '../core/model/journal-entry.ts';
import type { SubjectId } from '../core/model/subject.ts';
import type { Submission } from '../core/model/submission.ts';
import type { SubmissionRequest } from '../core/model/submission-request.ts';
import type { HistoryPart } from './history-part.ts';

/** Durable before it returns. Throws `store-unavailable`; then nothing was written. */
export interface Journal {
  /**
   * The platform whose submissions these are: the given one where it was none yet, or `movedFrom`. Any other answer
   * means that nothing of this journal may be carried out there.
   */
  bindTo(platform: string, movedFrom: string | undefined): string;
  /**
   * `known`: the same nonce and intent were there before; `other`: the nonce was, with another body; `open`: an open
   * one-click does what this one asks for, too, and nothing was written. Another one-click may be due later.
   */
  record(
    request: SubmissionRequest,
    made: { reference: string; now: number; work: Work; expiresAt: number | undefined },
  ): { readonly kind: 'new' | 'known' | 'other' | 'open'; readonly entry: JournalEntry };
  /**
   * The next entry to work on, leased to `owner`: withdrawals first, of each subject only one at a time, and in
   * each center in the order of submission. An entry whose time has run out may come although an earlier one is still open.
   */
  claim(lease: { owner: string; now: number; until: number }): JournalEntry | undefined;
  /** False when the lease has gone to someone else: then nothing more may be done. */
  renew(reference: string, lease: { owner: string; now: number; until: number }): boolean;
  /**
   * False, and nothing written, when the lease has gone to someone else. A one-click that only repeats an earlier one,
   * and found nothing to withdraw, is deleted.
   */
  save(reference: string, owner: string, change: JournalChange): boolean;
  find(reference: string): JournalEntry | undefined;
  findOwn(reference: string, subject: SubjectId): JournalEntry | undefined;
  /** In the order of submission. */
  pendingOf(center: string, subject: SubjectId): readonly (JournalEntry & { readonly blocks: boolean })[];
  /**
   * Of a person in every center, in the order of submission: what is pending, and what was done at `since` or later.
   */
  recentOf(subject: SubjectId, since: number): readonly JournalEntry[];
  /** Newest first. */
  historyOf(center: string, subject: SubjectId, part: HistoryPart): readonly JournalEntry[];
  historySize(center: string, subject: SubjectId): number;
  /**
   * What came in after an entry of the same person, newest first: in any center, for one purpose in two of them may be
   * one consent.
   */
  laterThan(entry: Pick<JournalEntry, 'reference'>, subject: SubjectId): readonly JournalEntry[];
  /** Makes pending entries due no later than `now` plus a random part of `spread`; at most `limit`. */
  makeDue(which: { now: number; spread: number; limit: number; reference?: string | undefined }): void;
  /**
   * At a start: what is pending from a time that is still to come (the clock was set back) is due now, its grants
   * are over, and no lease lasts longer than `lease` from now.
   */
  resume(start: { now: number; lease: number }): void;
  nextDueAt(): number | undefined;
  /** A purpose, or a choice under one, that a later submission granted again is no longer to be withdrawn by these. */
  supersede(references: readonly string[], what: string): void;

  /** For staff, newest first. */
  list(filter: JournalFilter): readonly JournalEntry[];
  counts(): readonly {
    readonly state: Submission['state'];
    readonly count: number;
    /** Of what is pending only. */
    readonly oldestAt: number | undefined;
  }[];
  /** Without any link to a person; `day` is the epoch milliseconds of its UTC midnight. */
  reasons(filter: {
    center?: string | undefined;
    from?: number | undefined;
    to?: number | undefined;
  }): readonly {
    readonly center: string;
    readonly day: number;
    readonly id: string | undefined;
    readonly text: string;
  }[];
  /**
   * Deletes some of what is over; returns of how many rows, 0 when there is no more. Of an entry done before
   * `workBefore` only what was changed remains, until `evidenceBefore`. Epoch milliseconds.
   */
  sweep(over: {
    readonly now: number;
    readonly workBefore: number;
    readonly evidenceBefore: number;
    readonly reasonsBefore: number;
  }): number;
  /** What was deleted is then nowhere any more. */
  emptyLog(): void;
  /** Throws unless a row can be written now: for readiness. */
  check(): void;
  close(): void;
}

export interface JournalChange {
  readonly work: Work;
  readonly state: Submission['state'];
  readonly dueAt: number;
  readonly doneAt: number | undefined;
  /** When what it grants expires; undefined once nothing of it can any more. */
  readonly expiresAt: number | undefined;
  /** The platform refuses it: later submissions of the person need not wait for it. */
  readonly isPassable: boolean;
  readonly receipts: readonly string[];
  /** Gives the lease back. */
  readonly release: boolean;
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
