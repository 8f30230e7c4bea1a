import type { SubjectId } from './subject.ts';

/** The digits of a passcode: usually, and while many wrong ones are tried. */
export const passcodeDigits = [6, 8] as const;
export type PasscodeDigits = (typeof passcodeDigits)[number];

/** A stored number of digits. */
export function readPasscodeDigits(value: unknown): PasscodeDigits {
  return value === 8 ? 8 : 6;
}

/**
 * The answer to a passcode. `left`: tries. `over`: not compared, because it is unknown, used, too late or tried too
 * often.
 */
export type CodeAnswer =
  | { readonly kind: 'right'; readonly subject: SubjectId }
  | { readonly kind: 'wrong'; readonly left: number }
  | { readonly kind: 'over' };

/** The answer to a link of a message. `over`: used, or too late. */
export type LinkAnswer =
  | { readonly kind: 'right'; readonly subject: SubjectId }
  | { readonly kind: 'over'; readonly subject: SubjectId }
  | { readonly kind: 'unknown' };
