import type { AuditEntry, AuditOutcome } from '../core/model/audit-entry.ts';
import type { FailedSignIn } from '../core/model/failed-sign-in.ts';
import type { Maintained } from './maintained.ts';

export interface AuditFilter {
  /** The member's id. */
  readonly staff?: string | undefined;
  /** Part of what was done or what it was about. */
  readonly text?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly limit: number;
  readonly offset?: number | undefined;
}

/** What the staff pages keep for themselves. Durable before it resolves; rejects with `store-unavailable`. */
export interface StaffLog extends Maintained {
  /** Before anything is done; gives the number to settle it by. */
  begin(entry: AuditEntry): Promise<number>;
  settle(
    number: number,
    change: { readonly outcome: AuditOutcome; readonly about: string | undefined },
  ): Promise<void>;
  /** Newest first. */
  list(filter: AuditFilter): Promise<readonly AuditEntry[]>;
  /** The same, however many they are, a few at a time. */
  parts(filter: AuditFilter): AsyncGenerator<readonly AuditEntry[]>;
  count(filter: Omit<AuditFilter, 'limit' | 'offset'>): Promise<number>;

  /**
   * Failed sign-ins, `failed` the last of so many: within `failedSignInLimits`, counted over all processes, it is a line
   * of its own; all others are a number in one more line. `until`: when the hour of its kind ends, epoch milliseconds;
   * after `number` nothing becomes a line before.
   */
  addFailedSignIn(
    failed: FailedSignIn,
    times: number,
  ): Promise<{ readonly kind: 'line' | 'number'; readonly until: number }>;

  /** The tasks that a member opened last, newest first. */
  recentTasks(
    staff: string,
  ): Promise<readonly { readonly id: string; readonly name: string; readonly at: number }[]>;
  rememberTask(staff: string, task: { readonly id: string; readonly name: string }): Promise<void>;

  /**
   * True for one of those who send it at once, on whatever process. False when it was sent before: then `formResult`
   * may know what came of it.
   */
  claimForm(nonce: string): Promise<boolean>;
  formResult(nonce: string): Promise<string | undefined>;
  finishForm(nonce: string, result: string): Promise<void>;
  /** Nothing came of it: it may be sent again. */
  releaseForm(nonce: string): Promise<void>;
}
