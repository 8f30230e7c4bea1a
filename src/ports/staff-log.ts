import type { AuditEntry, AuditOutcome } from '../core/model/audit-entry.ts';

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

/** What the staff pages keep for themselves. Durable before it returns; throws `store-unavailable`. */
export interface StaffLog {
  /** Before anything is done; gives the number to settle it by. */
  begin(entry: AuditEntry): number;
  settle(
    number: number,
    change: { readonly outcome: AuditOutcome; readonly about: string | undefined },
  ): void;
  /** Newest first. */
  list(filter: AuditFilter): readonly AuditEntry[];
  count(filter: Omit<AuditFilter, 'limit' | 'offset'>): number;

  /** The tasks that a member opened last, newest first. */
  recentTasks(staff: string): readonly { readonly id: string; readonly name: string; readonly at: number }[];
  rememberTask(
    staff: string,
    task: { readonly id: string; readonly name: string; readonly at: number },
  ): void;

  /** False when the form was sent before: then `formResult` may know what came of it. */
  claimForm(nonce: string, at: number): boolean;
  formResult(nonce: string): string | undefined;
  finishForm(nonce: string, result: string): void;
  /** Nothing came of it: it may be sent again. */
  releaseForm(nonce: string): void;

  /** Deletes some of what is over; returns how many rows, 0 when there is no more. Epoch milliseconds. */
  sweep(over: { readonly now: number; readonly auditBefore: number }): number;
  emptyLog(): void;
  check(): void;
  close(): void;
}
