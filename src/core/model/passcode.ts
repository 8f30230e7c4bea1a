import type { SubjectId } from './subject.ts';

/** How long passcodes are: usually, and while many wrong ones are tried. */
export const passcodeDigits = [6, 8] as const;
export type PasscodeDigits = (typeof passcodeDigits)[number];

/** A length that was written down; six where there was but one. */
export function readPasscodeDigits(value: unknown): PasscodeDigits {
  return value === 8 ? 8 : 6;
}

/** What comes of trying a passcode. `left`: tries. `over`: it was not tried: unknown, used, too late, or too often. */
export type CodeAnswer =
  | { readonly kind: 'right'; readonly subject: SubjectId }
  | { readonly kind: 'wrong'; readonly left: number }
  | { readonly kind: 'over' };

/** What a link from a message is. `over`: used, or too late. */
export type LinkAnswer =
  | { readonly kind: 'right'; readonly subject: SubjectId }
  | { readonly kind: 'over'; readonly subject: SubjectId }
  | { readonly kind: 'unknown' };
