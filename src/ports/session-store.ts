import type { SubjectId } from '../core/model/person/subject.ts';
import type { Visit } from '../core/model/person/visit.ts';
import type { Maintained } from './maintained.ts';

/** Plain data; other members come back as they were. */
export type StoredSession = Readonly<Record<string, unknown>> & {
  readonly visits?: readonly Visit[] | undefined;
};

/** Sessions by id. An ended session stays ended: no concurrent save brings it back. */
export interface SessionStore extends Maintained {
  /** undefined: unknown, expired or ended. */
  find(id: string): Promise<StoredSession | undefined>;
  /**
   * Saves the session without visits of people who signed out on all devices since these visits began:
   * decided as it is written.
   */
  save(id: string, session: StoredSession): Promise<void>;
  /** Extends the session; written every 15 seconds at most. */
  touch(id: string): Promise<void>;
  end(id: string): Promise<void>;
  /** Ends every session in which this person is signed in, on any device, and all that asks `signedOutAt`. */
  endAllOf(subject: SubjectId): Promise<void>;
  /**
   * When this person last signed out on all devices, epoch milliseconds; for sessions that are not kept here.
   */
  signedOutAt(subject: SubjectId): Promise<number | undefined>;
}

/** When this person last signed out on all devices, epoch milliseconds. */
export type SignedOutAt = (subject: SubjectId) => Promise<number | undefined>;
