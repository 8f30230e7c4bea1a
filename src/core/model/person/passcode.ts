import type { SubjectId } from './subject.ts';

/** Number of digits of a passcode: usually, and while many wrong ones are tried. */
export const passcodeDigits = [6, 8] as const;
export type PasscodeDigits = (typeof passcodeDigits)[number];

/** Reads a stored number of digits; six if it is not valid. */
export function readPasscodeDigits(value: unknown): PasscodeDigits {
  return value === 8 ? 8 : 6;
}

/**
 * The result of a typed passcode. `left`: tries that remain. `over`: the passcode was not compared, because
 * it is unknown, used, too late or tried too often.
 */
export type CodeAnswer =
  | { readonly kind: 'right'; readonly subject: SubjectId }
  | { readonly kind: 'wrong'; readonly left: number }
  | { readonly kind: 'over' };

/** The result of opening a link from a message. `over`: the link was used, or it is too late. */
export type LinkAnswer =
  | { readonly kind: 'right'; readonly subject: SubjectId }
  | { readonly kind: 'over'; readonly subject: SubjectId }
  | { readonly kind: 'unknown' };
