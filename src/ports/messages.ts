import type { SubmissionEntry } from '../core/consent/person.ts';
import type { Channel } from '../core/model/submission/submission.ts';
import type { Leased, LeasedQueue } from './leased-queue.ts';
import type { Maintained } from './maintained.ts';

/**
 * Messages to people about changes of their consent, stored with the change. Changes of a person in a center
 * within some minutes are one message. There is one receiver: the mail server.
 */
export interface Messages extends LeasedQueue<QueuedMessage>, Maintained {
  /** At most 10,000 are counted. */
  counts(): Promise<readonly { readonly state: 'waiting' | 'held'; readonly count: number }[]>;
}

/** Which submissions are reported to the person by mail. */
export type MessageRule = (center: string, channel: Channel) => boolean;

export interface QueuedMessage extends Leased {
  /** The id of the message, unique and the same in each repetition, which is about the same submissions. */
  readonly id: string;
  readonly center: string;
  /** The newest submissions, newest first; empty: nothing is left of it. undefined: no key opens them. */
  readonly entries: readonly SubmissionEntry[] | undefined;
  /** References of entries that withdraw everything right after everything was withdrawn. */
  readonly repeated: readonly string[];
  readonly hasMore: boolean;
}
