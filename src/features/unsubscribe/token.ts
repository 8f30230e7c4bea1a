import * as z from 'zod';
import type { OneClick } from '../../core/consent/one-click.ts';
import { sealedSubjectId } from '../../core/model/subject.ts';
import type { Seal } from '../../ports/seal.ts';

const use = 'one-click';

/** Short names: the token is part of an address in every mail. */
const shape = z.object({ c: z.string(), s: z.string(), p: z.string().optional(), t: z.number() });

/** Sealed, so that an address in a mail names nobody; opens as long as its secret is among those in use. */
export function sealOneClick(seal: Seal, { center, subject, purpose, madeAt }: OneClick): string {
  return seal.seal(use, {
    c: center,
    s: subject,
    ...(purpose === undefined ? {} : { p: purpose }),
    t: madeAt,
  });
}

/** undefined for anything that this installation did not seal as such a token. */
export function openOneClick(seal: Seal, token: string): OneClick | undefined {
  const opened = shape.safeParse(seal.open(use, token));
  if (!opened.success) return undefined;
  const subject = sealedSubjectId(opened.data.s);
  if (subject === undefined) return undefined;
  return { center: opened.data.c, subject, purpose: opened.data.p, madeAt: opened.data.t };
}
