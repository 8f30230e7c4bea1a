import type { SubjectId } from './subject.ts';
import type { ChangeKind, Channel, Outcome } from './submission.ts';

/** What is told of a submission. */
export type EventType = 'withdrawal.accepted' | 'consent.verified' | 'consent.not-saved';

export const everyEventType: readonly EventType[] = [
  'withdrawal.accepted',
  'consent.verified',
  'consent.not-saved',
];

/** One that is yet to be kept. */
export interface NewEvent {
  /** The same whenever it is told again, to any receiver. */
  readonly id: string;
  readonly type: EventType;
  /** Epoch milliseconds. */
  readonly at: number;
  /** undefined: everything of the center. */
  readonly purpose: string | undefined;
  readonly change: ChangeKind | 'everything';
  readonly outcome: Outcome | 'accepted';
  /** What a `reduce` takes out under its purpose. */
  readonly topics?: readonly string[] | undefined;
  readonly options?: readonly { readonly preference: string; readonly option: string }[] | undefined;
}

export interface CenterEvent extends NewEvent {
  readonly center: string;
  readonly subject: SubjectId;
  /** Of the submission. */
  readonly reference: string;
  readonly channel: Channel;
}

/** Whether a purpose may be used, as it was last said here; `''`: everything of the center. */
export interface SpokenWord {
  readonly purpose: string;
  readonly isOff: boolean;
}

/** A receiver acknowledged that it has stopped. */
export interface EventStop {
  /** Of the receiver, for people. */
  readonly name: string;
  /** Epoch milliseconds. */
  readonly at: number;
}
