import type { SignedRecord } from '../evidence/record-copy.ts';
import type { SubjectId } from '../person/subject.ts';
import type { ChangeKind, Channel, Outcome } from './submission.ts';

/** Types of the events of submissions: all go to a receiver that names no types. */
export const everyEventType = ['withdrawal.accepted', 'consent.verified', 'consent.not-saved'] as const;
export type SubmissionEventType = (typeof everyEventType)[number];

export type EventType = SubmissionEventType | 'root.signed';

/** An event that is not stored yet. */
export interface NewEvent {
  /** An id that stays the same in each repetition and for every receiver. */
  readonly id: string;
  readonly type: SubmissionEventType;
  /** Epoch milliseconds. */
  readonly at: number;
  /** The purpose; undefined: all purposes of the center. */
  readonly purpose: string | undefined;
  readonly change: ChangeKind | 'everything';
  readonly outcome: Outcome | 'accepted';
  /** Topics that a `reduce` removes. */
  readonly topics?: readonly string[] | undefined;
  readonly options?: readonly { readonly preference: string; readonly option: string }[] | undefined;
}

export interface CenterEvent extends NewEvent {
  readonly center: string;
  readonly subject: SubjectId;
  readonly reference: string;
  readonly channel: Channel;
}

/** The signed root of a day, for a receiver that stores it out of the operator's reach. */
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

/** The latest word about a purpose in this product; `purpose` is `''` for all purposes of the center. */
export interface SpokenWord {
  readonly purpose: string;
  readonly isOff: boolean;
}

/** The acknowledgement of a receiver that it has stopped. */
export interface EventStop {
  /** The receiver's name, for people. */
  readonly name: string;
  /** Epoch milliseconds. */
  readonly at: number;
}
