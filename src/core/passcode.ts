import type { SubjectId } from './subject.ts';

/** What comes of trying a passcode. `left`: tries. */
export type CodeAnswer =
  | { readonly kind: 'right'; readonly subject: SubjectId }
  | { readonly kind: 'wrong'; readonly left: number }
  | { readonly kind: 'over' };

/** What a link from a message is. `over`: used, or too late. */
export type LinkAnswer =
  | { readonly kind: 'right'; readonly subject: SubjectId }
  | { readonly kind: 'over'; readonly subject: SubjectId }
  | { readonly kind: 'unknown' };
