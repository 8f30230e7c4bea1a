import type { CodeAnswer, LinkAnswer, PasscodeDigits } from '../core/model/passcode.ts';
import type { SubjectId } from '../core/model/subject.ts';

/** Messages that were sent out to let somebody in: a link and a passcode each, of which one may be used, once. */
export interface Passcodes {
  /** `link` and `code` are kept as hashes only. Times are epoch milliseconds. */
  open(made: {
    readonly id: string;
    readonly center: string;
    readonly subject: SubjectId;
    readonly link: string;
    readonly code: string;
    readonly endsAt: number;
    /** Found by whoever asks for a message to the same receiver. */
    readonly isShared: boolean;
  }): void;
  /** Whether a try could still be right. */
  isTryable(id: string, center: string): boolean;
  /** The last message to this receiver that is shared and can still be used. */
  findShared(
    center: string,
    subject: SubjectId,
  ): { readonly id: string; readonly digits: PasscodeDigits } | undefined;
  /** Counts the attempt, then compares. `over`: unknown, used, too late, or tried too often. */
  tryCode(id: string, center: string, code: string): CodeAnswer;
  /** Looks without using it up. */
  findLink(link: string, center: string): LinkAnswer;
  takeLink(link: string, center: string): LinkAnswer;
  /**
   * Ends what was sent to this person and is still good. Such a link is over; such a passcode is wrong, so that who
   * asked for it in a stranger's name does not learn of it.
   */
  endOf(subject: SubjectId): void;
  /** Deletes some of what ended long ago; 0 when there is no more. */
  sweep(): number;
  emptyLog(): void;
  close(): void;
}
