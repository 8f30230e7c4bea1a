import type { Lease } from './people.ts';

/** What is sent to a few receivers, each thing by one process at a time. Times are epoch milliseconds. */
export interface LeasedQueue<Queued extends Leased> {
  /** Of these receivers, for whom something is due now. */
  dueOf(receivers: readonly string[], now: number): Promise<readonly string[]>;
  /** The next thing that is due, leased. */
  claim(receiver: string, lease: Lease): Promise<Queued | undefined>;
  /** Nothing when the lease has gone to someone else, as with the next one. */
  sent(queued: Queued, now: number): Promise<void>;
  postpone(queued: Queued, change: Postponed): Promise<void>;
  /** The receiver answers again: what was tried is due within `spread`. */
  makeDue(receiver: string, change: { readonly now: number; readonly spread: number }): Promise<void>;
}

export interface Leased {
  /** Before this one. */
  readonly attempts: number;
  /** When its turn came. */
  readonly since: number;
}

export interface Postponed {
  readonly dueAt: number;
  readonly problem: string;
  readonly isHeld: boolean;
}

/**
 * `refused`: for good, and this one alone. `gone`: the receiver wants no more. `problem`: a word of a few, for staff and
 * metrics, such as `status-500`, `timeout`, `redirect` or `address-refused`. `isOfThis`: it says nothing of the receiver.
 */
export type SendResult =
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused'; readonly problem: string }
  | { readonly kind: 'gone'; readonly problem: string }
  | {
      readonly kind: 'not-taken';
      readonly problem: string;
      readonly retryAfterMs: number;
      readonly isOfThis?: true;
    };
