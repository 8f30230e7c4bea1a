import type { EndedEvidence } from '../model/evidence/evidence.ts';
import type { SubjectId } from '../model/person/subject.ts';
import type { ProblemCode } from '../model/problem.ts';
import type { NewEvent, SpokenWord } from '../model/submission/center-event.ts';
import type { Intent } from '../model/submission/intent.ts';
import type { CallMade, JournalEntry } from '../model/submission/journal-entry.ts';
import type { Submission } from '../model/submission/submission.ts';
import type { SubmissionRequest } from '../model/submission/submission-request.ts';
import type { DesiredState, Line } from './desired-state.ts';

/** One sealed row for each person: their desired state, and the progress of their submissions. */
export interface Person {
  readonly subject: SubjectId;
  readonly desired: DesiredState;
  /** Submissions that are pending, or that a word of `desired` still carries out. */
  readonly open: readonly OpenSubmission[];
  /** Failed tries by center; absent: the last try had a result. */
  readonly tries: readonly Tries[];
  /** Repeated clicks within the hour that ends at `until`; the last one is carried out at `dueAt`. */
  readonly clicks: { readonly count: number; readonly until: number; readonly dueAt: number };
  /**
   * Forms that were posted as they were shown, by their nonces: a later post of one of them grants nothing.
   */
  readonly asShown?: readonly { readonly nonce: string; readonly at: number }[] | undefined;
}

export interface OpenSubmission
  extends Pick<
    Submission,
    'reference' | 'center' | 'channel' | 'submittedAt' | 'undoes' | 'state' | 'doneAt'
  > {
  readonly intent: Intent;
  readonly progress: Progress;
}

/** The results of a submission: evidence. */
export interface Progress {
  readonly lines: readonly Line[];
  /** The first and the latest few when there were many. */
  readonly calls: readonly MadeCall[];
  /** The number of the submission's events, which is the number of the next one. */
  readonly events: number;
}

export interface MadeCall extends CallMade {
  /** Order of the call in the desired state; the two calls of a refusal share it. */
  readonly order: number;
}

export interface Tries {
  readonly center: string;
  /** Tries in a row without a result. */
  readonly attempts: number;
  /** The fault of the last try; undefined: the platform answered, and did not carry it out. */
  readonly problem: ProblemCode | undefined;
  /** An answered call is not repeated before this time; epoch milliseconds. */
  readonly until: number;
}

/** The content that one transaction writes for a person. */
export interface PersonChange {
  readonly person: Person;
  /** The time when the person is due next, in epoch milliseconds; undefined: never. */
  readonly dueAt: number | undefined;
  /** True if a withdrawal is open: it goes before the grants of all people. */
  readonly withdraws: boolean;
  /** New contents of the rows of earlier submissions. */
  readonly submissions: readonly SubmissionChange[];
  readonly news: readonly SubmissionNews[];
  /** Submissions whose waiting callers, in any process, get the result now. */
  readonly told: readonly string[];
}

export interface SubmissionChange {
  readonly reference: string;
  readonly state: Submission['state'];
  readonly doneAt: number | undefined;
  readonly receipts: readonly string[];
  readonly progress: Progress;
  /** The end of the submission; undefined: pending. */
  readonly ended: ChangedEnd | undefined;
  /** The submission that this one failed to undo: it can be undone again. */
  readonly undoesNoMore: string | undefined;
}

export interface ChangedEnd extends EndedEvidence {
  /** The time when this became known: later than `endedAt` if something was found out since. */
  readonly at: number;
}

/** Events of one submission for receivers; `words` are stored even without a receiver. */
export interface SubmissionNews extends Pick<OpenSubmission, 'reference' | 'center' | 'channel'> {
  readonly events: readonly NewEvent[];
  readonly words: readonly SpokenWord[];
}

/** One submission as it is kept. Times are epoch milliseconds. */
export interface SubmissionEntry extends Omit<JournalEntry, 'dueAt' | 'work'> {
  /** The time when the person is due next; undefined: never. */
  readonly dueAt: number | undefined;
  /** The work of the submission; undefined 30 days after it was done, or when its key is gone. */
  readonly work: SubmissionWork | undefined;
}

export interface SubmissionWork {
  readonly request: SubmissionRequest;
  readonly progress: Progress;
  /** The person's state, as it was read with the submission. */
  readonly desired: DesiredState;
  /** Tries in its center; undefined: the last try had a result. */
  readonly tries: Tries | undefined;
}
