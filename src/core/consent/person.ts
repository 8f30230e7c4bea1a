import type { NewEvent, SpokenWord } from '../model/center-event.ts';
import type { EndedEvidence, Evidence } from '../model/evidence.ts';
import type { Intent } from '../model/intent.ts';
import type { CallMade } from '../model/journal-entry.ts';
import type { ProblemCode } from '../model/problem.ts';
import type { SubjectId } from '../model/subject.ts';
import type { Channel, Submission } from '../model/submission.ts';
import type { SubmissionRequest } from '../model/submission-request.ts';
import type { DesiredState, Line } from './desired-state.ts';

/** One sealed row for each person: what they last said, in all centers, and how far their submissions are. */
export interface Person {
  readonly subject: SubjectId;
  readonly desired: DesiredState;
  /** Submissions that a word of `desired` still carries out, or that may still be told otherwise. */
  readonly open: readonly OpenSubmission[];
  /** By center; absent: the last try had a result. */
  readonly tries: readonly Tries[];
  /** Clicks that said what was said already, within the hour that ends at `until`; the last one is looked at at `dueAt`. */
  readonly clicks: { readonly count: number; readonly until: number; readonly dueAt: number };
}

export interface OpenSubmission {
  readonly reference: string;
  readonly center: string;
  readonly channel: Channel;
  /** Epoch milliseconds. */
  readonly submittedAt: number;
  readonly intent: Intent;
  readonly undoes: string | undefined;
  readonly state: Submission['state'];
  readonly doneAt: number | undefined;
  readonly progress: Progress;
}

/** What became of a submission: evidence. */
export interface Progress {
  readonly lines: readonly Line[];
  /** The first and the latest few when there were many. */
  readonly calls: readonly MadeCall[];
  /** Events that were told of it: the number of the next one. */
  readonly events: number;
}

export interface MadeCall extends CallMade {
  /** Of the call in the desired state; the two calls of a refusal have the same. */
  readonly order: number;
}

export interface Tries {
  readonly center: string;
  /** In a row, without a result. */
  readonly attempts: number;
  /** The fault of the last one; undefined: the platform was there, and did not do it. */
  readonly problem: ProblemCode | undefined;
  /** What was answered already is not sent again before; epoch milliseconds. */
  readonly until: number;
}

/** What one transaction writes of a person. */
export interface PersonChange {
  readonly person: Person;
  /** Epoch milliseconds; undefined: at rest. */
  readonly dueAt: number | undefined;
  /** Something is to be switched off, or taken out: it goes before everybody else's grants. */
  readonly withdraws: boolean;
  /** Of submissions that were recorded before: their rows. */
  readonly submissions: readonly SubmissionChange[];
  readonly news: readonly SubmissionNews[];
  /** References of which those who wait for a result are told now, in whatever process. */
  readonly told: readonly string[];
}

export interface SubmissionChange {
  readonly reference: string;
  readonly state: Submission['state'];
  readonly doneAt: number | undefined;
  readonly receipts: readonly string[];
  readonly progress: Progress;
  /** undefined: pending. */
  readonly ended: ChangedEnd | undefined;
  /** The submission that this one was to undo, and did not: it can be undone again. */
  readonly undoesNoMore: string | undefined;
}

export interface ChangedEnd extends EndedEvidence {
  /** When it became so, which is later than it ended where something was found out since. */
  readonly at: number;
}

/** What is told of one submission to those who listen; the words always. */
export interface SubmissionNews extends Pick<OpenSubmission, 'reference' | 'center' | 'channel'> {
  readonly events: readonly NewEvent[];
  readonly words: readonly SpokenWord[];
}

/** One submission as it is kept. Times are epoch milliseconds. */
export interface SubmissionEntry extends Pick<OpenSubmission, 'reference' | 'center' | 'channel'> {
  readonly state: Submission['state'];
  readonly everything: boolean;
  readonly globalPrivacyControl: boolean;
  readonly submittedAt: number;
  readonly doneAt: number | undefined;
  readonly undoes: string | undefined;
  readonly undoneBy: string | undefined;
  readonly receipts: readonly string[];
  /** When the person is next worked for; undefined: at rest. */
  readonly dueAt: number | undefined;
  /** undefined 30 days after it was done, or when its key is gone. */
  readonly work: SubmissionWork | undefined;
  /** What was frozen of it, which remains then. */
  readonly evidence: Evidence | undefined;
}

export interface SubmissionWork {
  readonly request: SubmissionRequest;
  readonly progress: Progress;
  /** Of the person, as it was read with the submission. */
  readonly desired: DesiredState;
  /** In its center; undefined: the last try had a result. */
  readonly tries: Tries | undefined;
}
