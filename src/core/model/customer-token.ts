import type { SubjectId } from './subject.ts';
import type { Visit } from './visit.ts';

/** What a token says that a customer's backend signed. */
export type CustomerToken =
  | {
      readonly kind: 'valid';
      readonly subject: SubjectId;
      readonly scope: Visit['scope'];
    }
  /** Right in everything but its time, or a ticket that was used. */
  | { readonly kind: 'expired'; readonly subject: SubjectId }
  | { readonly kind: 'invalid' };

/** What a token for unsubscribing by one click says that a customer's backend signed. */
export type CustomerOneClick =
  | {
      readonly kind: 'valid';
      /** The platform's id. */
      readonly center: string;
      readonly subject: SubjectId;
      /** undefined: everything. */
      readonly purpose: string | undefined;
    }
  /** Right in everything but its time. */
  | { readonly kind: 'expired' }
  | { readonly kind: 'invalid' };
