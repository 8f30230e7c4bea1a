import type { Lease } from './people.ts';

/**
 * A queue of things to send to a few receivers, each by one process at a time. Times are epoch milliseconds.
 */
export interface LeasedQueue<Queued extends Leased> {
  /** The receivers for which something is due now. */
  dueOf(receivers: readonly string[], now: number): Promise<readonly string[]>;
  /** The next thing that is due, leased. */
  claim(receiver: string, lease: Lease): Promise<Queued | undefined>;
  /** Does nothing if another process has the lease; so does `postpone`. */
  sent(queued: Queued, now: number): Promise<void>;
  postpone(queued: Queued, change: Postponed): Promise<void>;
  /** The receiver answers again: makes tried things due within `spread`. */
  makeDue(receiver: string, change: { readonly now: number; readonly spread: number }): Promise<void>;
}

/** A leased thing, with its place in the queue and the owner of the lease. */
export interface Leased {
  readonly sequence: number;
  readonly owner: string;
  /** Attempts before this one. */
  readonly attempts: number;
  /** When its turn came: for an event, when it became the first of its person. */
  readonly since: number;
}

export interface Postponed {
  readonly dueAt: number;
  readonly problem: string;
  readonly isHeld: boolean;
}

/**
 * `refused`: for good, this one alone. `gone`: the receiver wants no more. `problem`: a word for staff and
 * metrics, such as `status-500`, `timeout`, `redirect` or `address-refused`. `isOfThis`: the problem is of
 * this one alone, not of the receiver.
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
