import type { SubjectId } from './subject.ts';
import type { Visit } from './visit.ts';

/** The content of a token that a customer's backend signed. */
export type CustomerToken =
  | ({ readonly kind: 'valid' } & Pick<Visit, 'subject' | 'scope'>)
  /** Valid except for its time, or a ticket that was already used. */
  | { readonly kind: 'expired'; readonly subject: SubjectId }
  | { readonly kind: 'invalid' };

/** The content of a one-click token that a customer's backend signed. */
export type CustomerOneClick =
  | {
      readonly kind: 'valid';
      /** The platform's id. */
      readonly center: string;
      readonly subject: SubjectId;
      /** The purpose to withdraw; undefined: all purposes. */
      readonly purpose: string | undefined;
    }
  /** Valid except for its time. */
  | { readonly kind: 'expired' }
  | { readonly kind: 'invalid' };
