import * as z from 'zod';
import { isWithin } from '../core/model/age.ts';
import type { Clock } from '../ports/clock.ts';
import type { Seal } from '../ports/seal.ts';

export interface TokenParts {
  readonly seal: Pick<Seal, 'seal' | 'open'>;
  readonly clock: Clock;
}

/**
 * Declares a token of bytes with a layout of their own. The token is valid as long as its secret is in use.
 */
export function sealedBytes({ use }: Pick<Kind<never>, 'use'>) {
  return {
    seal: (seal: Pick<Seal, 'sealBytes'>, bytes: Uint8Array): string => seal.sealBytes(use, bytes),
    /** Returns undefined unless this installation sealed the token for this use. */
    open: (seal: Pick<Seal, 'openBytes'>, token: string): Uint8Array | undefined =>
      seal.openBytes(use, token),
  };
}

/**
 * Declares the shortest token, for addresses in mails. The token is valid as long as its secret is in use.
 */
export function shortToken({ use }: Pick<Kind<never>, 'use'>) {
  return {
    seal: (seal: Pick<Seal, 'sealShort'>, bytes: Uint8Array): string => seal.sealShort(use, bytes),
    /** Returns undefined unless this installation sealed the token for this use. */
    open: (seal: Pick<Seal, 'openShort'>, token: string): Uint8Array | undefined =>
      seal.openShort(use, token),
  };
}

interface Kind<T> {
  /**
   * The use of a token, for which alone it opens. The name is a contract: tokens sealed under it must stay
   * readable.
   */
  readonly use: string;
  readonly schema: z.ZodType<T>;
}

/**
 * Declares a kind of sealed token once, for the code that seals and the code that opens. It is valid as long
 * as its secret is in use.
 */
export function lastingToken<T>({ use, schema }: Kind<T>) {
  return {
    seal: ({ seal }: Pick<TokenParts, 'seal'>, value: T): string => seal.seal(use, value),
    /** Returns undefined unless this installation sealed the token for this use. */
    open({ seal }: Pick<TokenParts, 'seal'>, token: unknown): T | undefined {
      return typeof token === 'string' ? schema.safeParse(seal.open(use, token)).data : undefined;
    },
  };
}

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Declares a token that records the time of sealing: `at`, epoch milliseconds. The token lasts a day, or
 * `maxAgeMs`.
 */
export function sealedToken<T extends object>({
  use,
  schema,
  maxAgeMs = dayMs,
}: Kind<T> & { readonly maxAgeMs?: number }) {
  const dated = lastingToken({ use, schema: z.intersection(schema, z.object({ at: z.number() })) });
  return {
    seal: (parts: TokenParts, value: T): string => dated.seal(parts, { ...value, at: parts.clock.now() }),
    /**
     * Returns undefined unless this installation sealed the token for this use, and also if it is too old or
     * dated in the future.
     */
    open(parts: TokenParts, token: unknown) {
      const opened = dated.open(parts, token);
      return opened && isWithin(maxAgeMs, { at: opened.at, now: parts.clock.now() }) ? opened : undefined;
    },
  };
}
