import type { SubjectId } from '../core/model/subject.ts';
import type { Visit } from '../core/model/visit.ts';
import type { Maintained } from './maintained.ts';

/** Plain data; what else is in it comes back as it was. */
export type StoredSession = Readonly<Record<string, unknown>> & {
  readonly visits?: readonly Visit[] | undefined;
};

/** Sessions, each found by its id. One that has ended stays so: no save that was under way brings it back. */
export interface SessionStore extends Maintained {
  /** undefined for one that is unknown, over, or ended. */
  find(id: string): Promise<StoredSession | undefined>;
  /** Without the visits of people who have signed out on all devices since these began: decided as it is written. */
  save(id: string, session: StoredSession): Promise<void>;
  /** A sign of life; written every 15 seconds at most. */
  touch(id: string): Promise<void>;
  end(id: string): Promise<void>;
  /** Ends every session in which this person is signed in, on whatever device, and what asks `signedOutAt`. */
  endAllOf(subject: SubjectId): Promise<void>;
  /** When this person last ended all of them, epoch milliseconds; for what is not kept here. */
  signedOutAt(subject: SubjectId): Promise<number | undefined>;
}

/** When this person last signed out on all devices, epoch milliseconds. */
export type SignedOutAt = (subject: SubjectId) => Promise<number | undefined>;
