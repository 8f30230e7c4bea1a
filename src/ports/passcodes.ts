import type { CodeAnswer, LinkAnswer, PasscodeDigits } from '../core/model/person/passcode.ts';
import type { SubjectId } from '../core/model/person/subject.ts';
import type { Maintained } from './maintained.ts';

/**
 * Sign-in messages: a link and a passcode each, of which one may be used, once. Nothing is kept after their
 * end; an expired link is then unknown.
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
    /** `findShared` gives it to a visitor who asks for a message to the same receiver. */
    readonly isShared: boolean;
  }): Promise<void>;
  /** True if a try could still be right; `tryCode` decides. */
  isTryable(id: string, center: string): Promise<boolean>;
  /** The last shared message to this receiver that can still be used. */
  findShared(
    center: string,
    subject: SubjectId,
  ): Promise<{ readonly id: string; readonly digits: PasscodeDigits } | undefined>;
  /**
   * Counts the attempt and compares, as one: of concurrent tries at most five are compared, and one is right.
   */
  tryCode(id: string, center: string, code: string): Promise<CodeAnswer>;
  /** Reads it without using it up; `takeLink` decides. */
  findLink(link: string, center: string): Promise<LinkAnswer>;
  /** `right` for one of several concurrent callers, over all processes. */
  takeLink(link: string, center: string): Promise<LinkAnswer>;
  /**
   * Ends this person's valid messages. The link then is over, the passcode is wrong: a visitor who asked for
   * it in another person's name does not learn about that.
   */
  endOf(subject: SubjectId): Promise<void>;
}
