import type { Channel } from '../submission/submission.ts';
import type { SubjectId } from './subject.ts';

/** A staff member who had a link sent to a person. */
export interface LinkMaker {
  /** The member's lasting id. */
  readonly id: string;
  readonly name: string;
}

/** A signed-in person in one center, with channel and rights. */
export interface Visit {
  /** The center's address name. */
  readonly center: string;
  readonly subject: SubjectId;
  /** `withdraw`: see with masked data, switch off, unsubscribe; nothing else. */
  readonly scope: 'manage' | 'withdraw';
  readonly channel: Channel;
  /** The member of the staff who made the link that opened it. */
  readonly linkMadeBy?: LinkMaker | undefined;
  /** Epoch milliseconds. */
  readonly since: number;
}
