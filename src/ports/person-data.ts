import type { AuditEntry } from '../core/model/audit-entry.ts';
import type { CenterEvent } from '../core/model/center-event.ts';
import type { JournalEntry } from '../core/model/journal-entry.ts';
import type { SubjectId } from '../core/model/subject.ts';

/** All that is kept about one person, in every store. Times are epoch milliseconds. */
export interface PersonExport {
  readonly identifier: SubjectId;
  readonly submissions: readonly JournalEntry[];
  /** The desired state; undefined where none is kept. */
  readonly wants: unknown;
  /** Of what was withdrawn, by keyed hashes; '' is everything. */
  readonly withdrawn: readonly { readonly center: string; readonly purpose: string }[];
  readonly events: readonly CenterEvent[];
  readonly hostedLinks: readonly { readonly madeAt: number; readonly endsAt: number }[];
  readonly sessions: readonly { readonly madeAt: number; readonly endsAt: number }[];
  readonly passcodes: readonly { readonly center: string; readonly endsAt: number }[];
  readonly tasks: readonly { readonly reference: string; readonly task: string | undefined }[];
  /** What staff did that was about this person. */
  readonly staff: readonly AuditEntry[];
}

/** What one erasure was, without the person: enough to do it again over a restored store. One line of the list. */
export interface Erasure {
  readonly at: number;
  /** Keyed hashes under every secret of then, as each table has them. */
  readonly subjects: readonly string[];
  readonly sessions: readonly string[];
  readonly passcodes: readonly string[];
  readonly hostedLinks: readonly string[];
  /** What was withdrawn: stays, or goes where `forgets`. */
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
      /** Rows of last words that stay. */
      readonly words: number;
    }
  /** Nothing was changed: a submission or what was granted is being carried out, or an event is on its way to a receiver. */
  | { readonly kind: 'on-its-way'; readonly what: 'submission' | 'event' };

/** Gives out and erases what is kept about a person. */
export interface PersonData {
  exported(subject: SubjectId): Promise<PersonExport>;
  /**
   * In every store, completely or not at all: what a process could not finish another one does at its next start or
   * sweep. `forgets`: what was withdrawn, too, so that it is not known any more.
   */
  erase(subject: SubjectId, how: { readonly forgets: boolean }): Promise<ErasureOutcome>;
  /** Does what was begun and not finished; gives how many. */
  finish(): Promise<number>;
  /** Of all erasures, the oldest first. */
  erasures(): Promise<readonly Erasure[]>;
  /** Does erasures again that this store does not know, since it was restored. Gives how many. */
  apply(erasures: readonly Erasure[]): Promise<number>;
}
