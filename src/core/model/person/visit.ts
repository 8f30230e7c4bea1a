import type { Channel } from '../submission/submission.ts';
import type { SubjectId } from './subject.ts';

/** The staff member who had a link sent to a person. */
export interface LinkMaker {
  /** The member's lasting id. */
  readonly id: string;
  readonly name: string;
}

/** A person signed in to one center, with channel and rights. */
export interface Visit {
  /** The center's address name. */
  readonly center: string;
  readonly subject: SubjectId;
  /** `withdraw`: the person sees masked data and may only switch off and unsubscribe. */
  readonly scope: 'manage' | 'withdraw';
  readonly channel: Channel;
  /** The staff member who made the link of this visit. */
  readonly linkMadeBy?: LinkMaker | undefined;
  /** Epoch milliseconds. */
  readonly since: number;
}
