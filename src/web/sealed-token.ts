import type * as z from 'zod';
import { isWithin } from '../core/model/age.ts';
import type { Clock } from '../ports/clock.ts';
import type { Seal } from '../ports/seal.ts';

export interface Sealing {
  readonly seal: Pick<Seal, 'seal'>;
}

export interface Opening {
  readonly seal: Pick<Seal, 'open'>;
}

export interface Timed {
  readonly clock: Pick<Clock, 'now'>;
}

/** Valid as long as its secret is in use. */
export interface LastingToken<T> {
  seal(parts: Sealing, value: T): string;
  /** undefined unless this installation sealed it for this use. */
  open(parts: Opening, token: unknown): T | undefined;
}

/** Records when it was made: `at`, epoch milliseconds. */
export interface AgingToken<T> {
  seal(parts: Sealing & Timed, value: T): string;
  /** Also undefined if it is too old or dated in the future. */
  open(parts: Opening & Timed, token: unknown): (T & { readonly at: number }) | undefined;
}

/** Declares a token of bytes with a layout of their own. Valid as long as its secret is in use. */
export function sealedBytes({ use }: Pick<Kind<never>, 'use'>) {
  return {
    seal: (seal: Pick<Seal, 'sealBytes'>, bytes: Uint8Array): string => seal.sealBytes(use, bytes),
    /** undefined unless this installation sealed it for this use. */
    open: (seal: Pick<Seal, 'openBytes'>, token: string): Uint8Array | undefined =>
      seal.openBytes(use, token),
  };
}

/** Declares the shortest token, for addresses in mails. Valid as long as its secret is in use. */
export function shortToken({ use }: Pick<Kind<never>, 'use'>) {
  return {
    seal: (seal: Pick<Seal, 'sealShort'>, bytes: Uint8Array): string => seal.sealShort(use, bytes),
    /** undefined unless this installation sealed it for this use. */
    open: (seal: Pick<Seal, 'openShort'>, token: string): Uint8Array | undefined =>
      seal.openShort(use, token),
  };
}

interface Kind<T> {
  /** A token opens for its own use alone. A contract: tokens sealed under it must stay readable. */
  readonly use: string;
  readonly schema: z.ZodType<T>;
}

/** Declares a kind of sealed token once, for the code that seals and the code that opens. */
export function sealedToken<T extends object>(kind: Kind<T> & { readonly maxAgeMs: number }): AgingToken<T>;
export function sealedToken<T extends object>(
  kind: Kind<T> & { readonly maxAgeMs: 'unlimited' },
): LastingToken<T>;
export function sealedToken<T extends object>({
  use,
  schema,
  maxAgeMs,
}: Kind<T> & { readonly maxAgeMs: number | 'unlimited' }): AgingToken<T> | LastingToken<T> {
  const read = ({ seal }: Opening, token: unknown): { sealed: unknown; value: T } | undefined => {
    const sealed = typeof token === 'string' ? seal.open(use, token) : undefined;
    const { data } = schema.safeParse(sealed);
    return data === undefined ? undefined : { sealed, value: data };
  };
  if (maxAgeMs === 'unlimited') {
    const lasting: LastingToken<T> = {
      seal: ({ seal }, value) => seal.seal(use, value),
      open: (parts, token) => read(parts, token)?.value,
    };
    return lasting;
  }
  const aging: AgingToken<T> = {
    seal: ({ seal, clock }, value) => seal.seal(use, { ...value, at: clock.now() }),
    open(parts, token) {
      const opened = read(parts, token);
      const at = opened === undefined ? undefined : madeAt(opened.sealed);
      if (opened === undefined || at === undefined) return undefined;
      return isWithin(maxAgeMs, { at, now: parts.clock.now() }) ? { ...opened.value, at } : undefined;
    },
  };
  return aging;
}

function madeAt(sealed: unknown): number | undefined {
  const at = typeof sealed === 'object' && sealed !== null ? Reflect.get(sealed, 'at') : undefined;
  return typeof at === 'number' ? at : undefined;
}
