import type { SubjectId } from '../core/model/person/subject.ts';
import type { AuditEntry } from '../core/model/staff/audit-entry.ts';
import type { KeptEvent } from '../core/model/submission/center-event.ts';
import type { JournalEntry } from '../core/model/submission/journal-entry.ts';

/** All data about one person, of every store. Times are epoch milliseconds. */
export interface PersonExport {
  readonly identifier: SubjectId;
  readonly submissions: readonly JournalEntry[];
  /** The desired state; undefined: none is kept. */
  readonly wants: unknown;
  /** Withdrawals, kept as keyed hashes; '' is everything. */
  readonly withdrawn: readonly { readonly center: string; readonly purpose: string }[];
  readonly events: readonly KeptEvent[];
  readonly hostedLinks: readonly { readonly madeAt: number; readonly endsAt: number }[];
  readonly sessions: readonly { readonly madeAt: number; readonly endsAt: number }[];
  readonly passcodes: readonly { readonly center: string; readonly endsAt: number }[];
  readonly tasks: readonly { readonly reference: string; readonly task: string | undefined }[];
  /** Actions of staff about this person. */
  readonly staff: readonly AuditEntry[];
}

/** One erasure, without the person: enough to repeat it on a restored store. One line of the list. */
export interface Erasure {
  readonly at: number;
  /** Keyed hashes under every secret of that time, as each table has them. */
  readonly subjects: readonly string[];
  readonly sessions: readonly string[];
  readonly passcodes: readonly string[];
  readonly hostedLinks: readonly string[];
  /** Withdrawals: they stay, or are deleted if `forgets`. */
  readonly words: readonly {
    readonly person: string;
    readonly purpose: string;
    readonly everything: number;
  }[];
  readonly forgets: boolean;
}

export type ErasureOutcome =
  | {
      readonly kind: 'erased';
      readonly submissions: number;
      readonly events: number;
      /** Rows of withdrawals that stay. */
      readonly words: number;
    }
  /**
   * Nothing was erased: a submission is being carried out, a grant may still land, or an event is being sent.
   */
  | { readonly kind: 'on-its-way'; readonly what: 'submission' | 'event' };

/** Exports and erases all data about a person. */
export interface PersonData {
  exported(subject: SubjectId): Promise<PersonExport>;
  /**
   * Erases in every store, completely or not at all: another process finishes an interrupted erasure at its
   * next start or sweep. `forgets`: withdrawals, too, so that they are not known any more.
   */
  erase(subject: SubjectId, how: { readonly forgets: boolean }): Promise<ErasureOutcome>;
  /** Finishes interrupted erasures; gives how many. */
  finish(): Promise<number>;
  /** All erasures, the oldest first. */
  erasures(): Promise<readonly Erasure[]>;
  /** Repeats erasures that a restored store does not know. Gives how many. */
  apply(erasures: readonly Erasure[]): Promise<number>;
}
