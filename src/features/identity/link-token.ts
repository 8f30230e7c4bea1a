import * as z from 'zod';
import type { Address } from '../../core/address.ts';
import { readSubjectId, type SubjectId } from '../../core/subject.ts';
import type { Visit } from '../../core/visit.ts';
import type { Clock, CustomerTokens, Seal } from '../../ports.ts';

export interface LinkClaims {
  readonly subject: SubjectId;
  readonly scope: Visit['scope'];
}

export type ReadLink =
  | ({ readonly kind: 'valid' } & LinkClaims)
  /** Right in everything but its time. */
  | { readonly kind: 'expired'; readonly subject: SubjectId }
  | { readonly kind: 'invalid' };

export interface LinkTokens {
  /** A token for `?t=`. `lifetime` in seconds. */
  mint(claims: LinkClaims & { readonly center: string; readonly lifetime: number }): string;
  /** Ours, or one that the customer's backend signed. */
  read(token: string, address: Address): Promise<ReadLink>;
}

const use = 'link';

/** Short names: the token is part of an address in a mail. `e`: epoch milliseconds. */
const shape = z.object({
  c: z.string(),
  s: z.string(),
  w: z.enum(['manage', 'withdraw']),
  e: z.number(),
});

/** Ours are sealed, so that an address in a mail names nobody. Without `customers` only ours are read. */
export function createLinkTokens({
  seal,
  clock,
  customers,
}: {
  seal: Seal;
  clock: Clock;
  customers?: CustomerTokens;
}): LinkTokens {
  return {
    mint({ subject, scope, center, lifetime }) {
      return seal.seal(use, { c: center, s: subject, w: scope, e: clock.now() + lifetime * 1000 });
    },
    async read(token, address) {
      const own = shape.safeParse(seal.open(use, token));
      if (!own.success) return (await customers?.readLink(token, address)) ?? { kind: 'invalid' };
      const { c: center, s, w: scope, e: endsAt } = own.data;
      const subject = readSubjectId(s);
      if (subject === undefined || center !== address.center) return { kind: 'invalid' };
      return clock.now() < endsAt ? { kind: 'valid', subject, scope } : { kind: 'expired', subject };
    },
  };
}

/**
 * A link's token without what mail tools and programs that find addresses in texts hang on it (`?utm_…`, `)`, `,`):
 * a JWT, or one of ours.
 */
export function trimToken(value: unknown): string | undefined {
  const text: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof text !== 'string') return undefined;
  return /^(?:[\w-]+\.[\w-]+\.[\w-]+|[\w-]{40,})/.exec(text.trim())?.[0];
}
