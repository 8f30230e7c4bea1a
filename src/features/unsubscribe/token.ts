import * as z from 'zod';
import type { SealedOneClick } from '../../core/consent/one-click.ts';
import { sealedSubjectId } from '../../core/model/subject.ts';
import type { Seal } from '../../ports/seal.ts';
import { sealedToken } from '../../web/sealed-token.ts';

/** Short names: the token is part of an address in every mail. */
const oneClickToken = sealedToken({
  use: 'one-click',
  schema: z.object({ c: z.string(), s: z.string(), p: z.string().optional(), t: z.number() }),
  maxAgeMs: 'unlimited',
});

/** Sealed, so that an address in a mail names nobody; opens as long as its secret is among those in use. */
export function sealOneClick(seal: Seal, { center, subject, purpose, madeAt }: SealedOneClick): string {
  return oneClickToken.seal({ seal }, { c: center, s: subject, p: purpose, t: madeAt });
}

/** undefined for anything that this installation did not seal as such a token. */
export function openOneClick(seal: Seal, token: string): SealedOneClick | undefined {
  const opened = oneClickToken.open({ seal }, token);
  const subject = sealedSubjectId(opened?.s);
  if (opened === undefined || subject === undefined) return undefined;
  return { center: opened.c, subject, purpose: opened.p, madeAt: opened.t };
}
