import type { SubjectId } from './subject.ts';
import type { Door } from './submission-result.ts';

/** A person in one center: who, where, by which door, and what that door lets them do. */
export interface Visit {
  /** The center's address name. */
  readonly center: string;
  readonly subject: SubjectId;
  /** `withdraw`: see with masked data, switch off, unsubscribe; nothing else. */
  readonly scope: 'manage' | 'withdraw';
  readonly door: Door;
  /** Epoch milliseconds. */
  readonly since: number;
}
