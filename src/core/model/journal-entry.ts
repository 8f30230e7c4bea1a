import type { ConsentAnswer, ConsentUpdate } from './consent-update.ts';
import type { Intent, PurposeChange } from './intent.ts';
import type { ProblemCode } from './problem.ts';
import type { Subject } from './subject.ts';
import type { Channel, ItemResult, Outcome, Submission } from './submission.ts';
import type { SubmissionRequest } from './submission-request.ts';
import type { LinkMaker } from './visit.ts';

/** One submission as the journal keeps it. Times are epoch milliseconds. */
export interface JournalEntry {
  readonly reference: string;
  readonly center: string;
  readonly channel: Channel;
  readonly state: Submission['state'];
  readonly everything: boolean;
  readonly globalPrivacyControl: boolean;
  readonly submittedAt: number;
  /** When it is to be worked on next. */
  readonly dueAt: number;
  readonly doneAt: number | undefined;
  readonly undoes: string | undefined;
  readonly undoneBy: string | undefined;
  /** The reference of a done one-click that this one may turn out to say once more; then it is not kept. */
  readonly repeats: string | undefined;
  /** When a one-click that is not kept said this once more, at the latest. */
  readonly saidAgainAt: number | undefined;
  readonly receipts: readonly string[];
  /** What it takes to carry it out; undefined 30 days after it was done, or when its key is gone. */
  readonly work: Work | undefined;
  /** What remains then. */
  readonly evidence: Evidence | undefined;
}

/** What was changed. Nothing that was typed, and no call. */
export interface Evidence {
  readonly items: readonly ItemResult[];
  readonly linkMadeBy?: LinkMaker | undefined;
}

/** The encrypted part of a journal entry: what was asked, which calls were made, what came of it. */
export interface Work {
  readonly request: SubmissionRequest;
  /** The record as it was read before the first call; where everything was left without reading, after it. */
  readonly before: Subject | undefined;
  /** How each change stands now; final once the entry is no longer pending. */
  readonly items: readonly ItemResult[];
  /** Newest last; the first and the latest few when there were many. */
  readonly calls: readonly CallMade[];
  /** Tries that ended without a result. */
  readonly attempts: number;
  /** The fault of the last one. */
  readonly problem: ProblemCode | undefined;
  /** Purposes, and choices under them, of this withdrawal that a later submission granted again. */
  readonly superseded: readonly string[];
  /** What takes it back, computed when it was done. */
  readonly undo: Intent | undefined;
  /** Of the center, as it was read when it was done: the words that an undoing would agree to. */
  readonly revision?: string | undefined;
  /** Everything: another submission had left it, and seen that, only just before. */
  readonly isLeftAlready?: boolean | undefined;
  /** Done, but looked at again, for a call in doubt may still land. */
  readonly watch?: Watch | undefined;
  /** Choices that a call in doubt brought along under what was switched on without them; to be taken out again. */
  readonly lateChoices?: readonly Extract<PurposeChange, { kind: 'reduce' }>[] | undefined;
  /** What was switched off had come on again by a call in doubt, and was switched off once more. */
  readonly isRepeated?: boolean | undefined;
  /** What was told of it to those who listen: how many events, and as what each change last. */
  readonly told?: { readonly count: number; readonly marks: Readonly<Record<string, Outcome>> } | undefined;
}

export interface Watch {
  /** When it was done, in epoch milliseconds. */
  readonly since: number;
  /** Looks that were had. */
  readonly looked: number;
  /** Purposes that the calls in doubt carried. */
  readonly carried: readonly string[];
  /** Purposes that this granted, and that a call in doubt is without: it may take them out. */
  readonly granted?: readonly string[] | undefined;
  /** Purposes that were off already, by a reading before which nothing was called: for one look. */
  readonly unseen?: readonly string[] | undefined;
}

/** A writing call. With neither answer nor problem it is not known whether it arrived. */
export interface CallMade {
  readonly at: number;
  readonly kind: 'put' | 'delete';
  /** `record-refusal`: carries a purpose only so that leaving it out at once leaves a refusal on record. */
  readonly why: 'change' | 'record-refusal';
  /** Purpose ids, data element ids and language it was made for, as `what:id`; or `everyChange`. */
  readonly changes: readonly string[];
  readonly update: ConsentUpdate | undefined;
  readonly answer: ConsentAnswer | undefined;
  /** No connection was made: it surely did nothing. */
  readonly isUnsent?: boolean | undefined;
  /** Why there is no answer. Only after platform-refused, identifier-refused and platform-busy it surely did nothing. */
  readonly problem: ProblemCode | undefined;
}
