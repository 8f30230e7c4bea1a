import type { SubmissionEntry } from '../core/consent/person.ts';
import type { Channel } from '../core/model/submission.ts';
import type { Leased, LeasedQueue } from './leased-queue.ts';
import type { Maintained } from './maintained.ts';

/**
 * Messages to people about what was changed for them: written with the change. Changes of a person in a center within
 * some minutes are one message, and the next one waits. There is one receiver: the mail server.
 */
export interface Messages extends LeasedQueue<QueuedMessage>, Maintained {
  /** Of more than 10,000 no more are counted. */
  counts(): Promise<readonly { readonly state: 'waiting' | 'held'; readonly count: number }[]>;
}

/** Which submissions a person is told of by mail. */
export type MessageRule = (center: string, channel: Channel) => boolean;

export interface QueuedMessage extends Leased {
  readonly sequence: number;
  readonly owner: string;
  /** The same whenever it is sent again, and of no other message: it is about the same submissions each time. */
  readonly id: string;
  readonly center: string;
  /** The newest of them, newest first; empty where nothing of it is left. undefined: no key opens them. */
  readonly entries: readonly SubmissionEntry[] | undefined;
  readonly hasMore: boolean;
}
