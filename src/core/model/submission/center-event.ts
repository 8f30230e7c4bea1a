import type { SignedRecord } from '../evidence/record-copy.ts';
import type { SubjectId } from '../person/subject.ts';
import type { ChangeKind, Channel, Outcome } from './submission.ts';

/** Events of submissions: what a receiver gets that names no types. */
export const everyEventType = ['withdrawal.accepted', 'consent.verified', 'consent.not-saved'] as const;
export type SubmissionEventType = (typeof everyEventType)[number];

export type EventType = SubmissionEventType | 'root.signed';

/** An event that is not stored yet. */
export interface NewEvent {
  /** The same in each repetition, and for any receiver. */
  readonly id: string;
  readonly type: SubmissionEventType;
  /** Epoch milliseconds. */
  readonly at: number;
  /** undefined: everything of the center. */
  readonly purpose: string | undefined;
  readonly change: ChangeKind | 'everything';
  readonly outcome: Outcome | 'accepted';
  /** Choices that a `reduce` removes. */
  readonly topics?: readonly string[] | undefined;
  readonly options?: readonly { readonly preference: string; readonly option: string }[] | undefined;
}

export interface CenterEvent extends NewEvent {
  readonly center: string;
  readonly subject: SubjectId;
  /** Reference of the submission. */
  readonly reference: string;
  readonly channel: Channel;
}

/** The signed root of a day, for a receiver that keeps it where the operator cannot reach. */
export interface RootEvent
  extends Partial<Record<'subject' | 'reference' | 'purpose' | 'change' | 'outcome', undefined>> {
  readonly id: string;
  readonly type: 'root.signed';
  /** Epoch milliseconds. */
  readonly at: number;
  readonly center: string;
  /** `yyyy-MM-dd`. */
  readonly day: string;
  readonly root: SignedRecord;
}

export type KeptEvent = CenterEvent | RootEvent;

/** Whether a purpose may be used, by the last word here; `''`: everything of the center. */
export interface SpokenWord {
  readonly purpose: string;
  readonly isOff: boolean;
}

/** A receiver acknowledged that it has stopped. */
export interface EventStop {
  /** Name of the receiver, for people. */
  readonly name: string;
  /** Epoch milliseconds. */
  readonly at: number;
}
