import type { AuditEntry, AuditOutcome } from '../core/model/staff/audit-entry.ts';
import type { FailedSignIn } from '../core/model/staff/failed-sign-in.ts';
import type { JournalFilter } from './journal.ts';
import type { Maintained } from './maintained.ts';

export interface AuditFilter extends Pick<JournalFilter, 'from' | 'to' | 'limit' | 'offset'> {
  /** The member's id. */
  readonly staff?: string | undefined;
  /** A part of the text of `does` or `about`. */
  readonly text?: string | undefined;
}

/** Data of the staff pages. Durable before it resolves; rejects with `store-unavailable`. */
export interface StaffLog extends Maintained {
  /** Writes an entry before the action; gives the number for `settle`. */
  begin(entry: AuditEntry): Promise<number>;
  settle(
    number: number,
    change: { readonly outcome: AuditOutcome; readonly about: string | undefined },
  ): Promise<void>;
  /** Newest first. */
  list(filter: AuditFilter): Promise<readonly AuditEntry[]>;
  /** All entries, a few at a time. */
  parts(filter: AuditFilter): AsyncGenerator<readonly AuditEntry[]>;
  count(filter: Omit<AuditFilter, 'limit' | 'offset'>): Promise<number>;

  /**
   * Adds `times` failed sign-ins, `failed` being the last. Within `failedSignInLimits`, counted over all
   * processes, it is a line of its own; the others are a number in one more line. `until`: when the hour of
   * its kind ends, epoch milliseconds; after `number` there is no new line before that.
   */
  addFailedSignIn(
    failed: FailedSignIn,
    times: number,
  ): Promise<{ readonly kind: 'line' | 'number'; readonly until: number }>;

  /** The tasks that a staff member opened last, newest first. */
  recentTasks(
    staff: string,
  ): Promise<readonly { readonly id: string; readonly name: string; readonly at: number }[]>;
  rememberTask(staff: string, task: { readonly id: string; readonly name: string }): Promise<void>;

  /**
   * True for one of several concurrent senders, over all processes. False: it was sent before; `formResult`
   * may know the result.
   */
  claimForm(nonce: string): Promise<boolean>;
  formResult(nonce: string): Promise<string | undefined>;
  finishForm(nonce: string, result: string): Promise<void>;
  /** The form had no effect: it may be sent again. */
  releaseForm(nonce: string): Promise<void>;
}
