import type { CodeAnswer, LinkAnswer, PasscodeDigits } from '../core/model/passcode.ts';
import type { SubjectId } from '../core/model/subject.ts';
import type { Maintained } from './maintained.ts';

/**
 * Messages that were sent out to let somebody in: a link and a passcode each, of which one may be used, once. Nothing of
 * them is kept beyond their end; a link that is over is then unknown.
 */
export interface Passcodes extends Maintained {
  /** `link` and `code` are kept as hashes only. Times are epoch milliseconds. */
  open(made: {
    readonly id: string;
    readonly center: string;
    readonly subject: SubjectId;
    readonly link: string;
    readonly code: string;
    readonly endsAt: number;
    /** Found by a visitor who asks for a message to the same receiver. */
    readonly isShared: boolean;
  }): Promise<void>;
  /** Whether a try could still be right. Only looks; `tryCode` decides. */
  isTryable(id: string, center: string): Promise<boolean>;
  /** The last message to this receiver that is shared and can still be used. */
  findShared(
    center: string,
    subject: SubjectId,
  ): Promise<{ readonly id: string; readonly digits: PasscodeDigits } | undefined>;
  /** Counts the attempt and compares, as one: of tries at once no more than five are compared, and one is right. */
  tryCode(id: string, center: string, code: string): Promise<CodeAnswer>;
  /** Looks without using it up; `takeLink` decides. */
  findLink(link: string, center: string): Promise<LinkAnswer>;
  /** `right` for one of those who take it at once, on whatever process. */
  takeLink(link: string, center: string): Promise<LinkAnswer>;
  /**
   * Ends what was sent to this person and is still good. Such a link is over; such a passcode is wrong, so that who
   * asked for it in a stranger's name does not learn of it.
   */
  endOf(subject: SubjectId): Promise<void>;
}
