import type { NewEvent, SpokenWord } from '../core/model/center-event.ts';
import type { JournalEntry, Work } from '../core/model/journal-entry.ts';
import type { SubjectId } from '../core/model/subject.ts';
import type { Submission } from '../core/model/submission.ts';

/** The journal as the queue of what is to be carried out. Each method is one transaction. Times are epoch milliseconds. */
export interface JournalQueue {
  /**
   * The next entry to work on, leased: withdrawals first, of each subject only one at a time in all processes, and in
   * each center in the order of submission. An entry whose time has run out may come although an earlier one is still
   * open.
   */
  claim(lease: Lease): Promise<Claimed | undefined>;
  /** False when the lease has gone to someone else: then nothing more may be done. */
  renew(reference: string, lease: Lease): Promise<boolean>;
  /**
   * `lost`, and nothing written, when the lease has gone to someone else. What was superseded stays so, whoever wrote
   * it. A one-click that only repeats an earlier one, and found nothing to withdraw, is deleted. What failed is no
   * longer the undoing of another.
   */
  save(reference: string, owner: string, change: JournalChange): Promise<Saved>;
  /** Makes pending entries due no later than `now` plus a random part of `spread`; at most `limit`, the next first. */
  makeDue(which: { readonly now: number; readonly spread: number; readonly limit: number }): Promise<void>;
  /** Makes due what a person waits for in a center: what is pending, never done before (`doneAt`), and due later. */
  wake(center: string, subject: SubjectId, now: number): Promise<void>;
  /** Makes an entry due now. False when there is none, or when it is not pending. */
  retry(reference: string, now: number): Promise<boolean>;
  /**
   * At a start: what is pending from a time that is still to come (the clock was set back) is due now, its grants
   * are over, and no lease lasts longer than `lease` from now.
   */
  resume(start: { readonly now: number; readonly lease: number }): Promise<void>;
  /** When the next entry falls due, or runs out. */
  nextDueAt(): Promise<number | undefined>;
  /** Which of these are no longer pending, were done once, or are gone. Read without opening what is sealed. */
  finishedOf(references: readonly string[]): Promise<readonly string[]>;
  /**
   * Tells what happened as soon as it is durable, until the returned function is called. News may be missed, or come
   * twice: whoever listens looks at the journal now and then, too.
   */
  onNews(listener: (news: JournalNews) => void): () => void;
}

export interface Lease {
  /** Of one claim; no two have the same. */
  readonly owner: string;
  readonly now: number;
  readonly until: number;
}

export interface Claimed {
  readonly entry: JournalEntry;
  /**
   * Only its time has run out: an earlier submission of the person in the center, which it must wait for (pending and
   * not passable), is still open.
   */
  readonly isBehind: boolean;
}

/**
 * `told`: an entry was saved with `isTold`, by any process. `due`: another process has recorded something, or made it
 * due; who does so itself knows, and is not told.
 */
export type JournalNews = { readonly kind: 'due' } | { readonly kind: 'told'; readonly reference: string };

/** `overtaken`, and nothing written: the person submitted something that was not `seen`. */
export type Saved = 'saved' | 'lost' | 'overtaken';

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
  /**
   * Gives it back, or renews it under the rules of `renew`: a lease that ran out may be taken up again as long as no
   * one else has begun on the same subject.
   */
  readonly lease: 'released' | Pick<Lease, 'now' | 'until'>;
  /**
   * Purposes, and choices under them, that this grants again: each is added to what was `superseded` of every earlier
   * pending entry of the person in the same center.
   */
  readonly supersedes?: readonly string[] | undefined;
  /**
   * The reference of the newest submission of the person, in any center, that was considered. Where a newer one is
   * there, nothing is saved: `overtaken`.
   */
  readonly seen?: string | undefined;
  /** Whoever waits for it need not wait any longer. */
  readonly isTold?: boolean | undefined;
  /** As with what is recorded. */
  readonly events?: readonly NewEvent[] | undefined;
  readonly words?: readonly SpokenWord[] | undefined;
}
