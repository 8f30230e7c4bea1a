import type { SubjectId } from '../person/subject.ts';
import type { ChangeKind, Channel, Outcome } from './submission.ts';

/** An event of a submission. */
export type EventType = 'withdrawal.accepted' | 'consent.verified' | 'consent.not-saved';

export const everyEventType: readonly EventType[] = [
  'withdrawal.accepted',
  'consent.verified',
  'consent.not-saved',
];

/** An event that is not stored yet. */
export interface NewEvent {
  /** The same in each repetition, and for any receiver. */
  readonly id: string;
  readonly type: EventType;
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
