import type * as z from 'zod';
import { isWithin } from '../core/model/age.ts';
import type { Seal } from '../ports/seal.ts';

interface Sealing {
  readonly seal: { seal(purpose: string, value: unknown): string };
}

interface Opening {
  readonly seal: { open(purpose: string, token: string): unknown };
}

interface Timed {
  readonly clock: { now(): number };
}

/** Good as long as its secret is among those in use. */
export interface LastingToken<T> {
  seal(parts: Sealing, value: T): string;
  /** undefined for anything but what this installation sealed as such a token. */
  open(parts: Opening, token: unknown): T | undefined;
}

/** It says when it was made: `at`, epoch milliseconds. */
export interface AgingToken<T> {
  seal(parts: Sealing & Timed, value: T): string;
  /** undefined, too, for one that is too old, or of the future. */
  open(parts: Opening & Timed, token: unknown): (T & { readonly at: number }) | undefined;
}

/** Bytes that have a layout of their own, for a token that must be short. Good as long as its secret is in use. */
export function sealedBytes({ use }: Pick<Kind<never>, 'use'>) {
  return {
    seal: (seal: Pick<Seal, 'sealBytes'>, bytes: Uint8Array): string => seal.sealBytes(use, bytes),
    /** undefined for anything but what this installation sealed as such a token. */
    open: (seal: Pick<Seal, 'openBytes'>, token: string): Uint8Array | undefined =>
      seal.openBytes(use, token),
  };
}

/** The shortest there is, for an address in a mail. Good as long as its secret is in use. */
export function shortToken({ use }: Pick<Kind<never>, 'use'>) {
  return {
    seal: (seal: Pick<Seal, 'sealShort'>, bytes: Uint8Array): string => seal.sealShort(use, bytes),
    /** undefined for anything but what this installation sealed as such a token. */
    open: (seal: Pick<Seal, 'openShort'>, token: string): Uint8Array | undefined =>
      seal.openShort(use, token),
  };
}

interface Kind<T> {
  /** A token of one use never opens as another. It is a contract: what was sealed before must go on to open. */
  readonly use: string;
  readonly schema: z.ZodType<T>;
}

/** A kind of sealed token, declared once for those who seal it and those who open it. */
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
