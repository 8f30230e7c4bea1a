import * as z from 'zod';
import type { CenterConfig } from '../../core/model/center/center-config.ts';
import { type Opening, sealedToken, type Timed } from '../../web/sealed-token.ts';
import { subjectId } from '../../web/tokens.ts';

const dayMs = 24 * 60 * 60 * 1000;
const center = z.string();

/** For the forms that start a sign-in. */
export const signInFormToken = sealedToken({
  use: 'sign-in form',
  schema: z.object({ center }),
  maxAgeMs: dayMs,
});

/** The message whose passcode may be tried in this browser, and to whom it went. */
export const askedToken = sealedToken({
  use: 'sign-in asked',
  schema: z.object({ id: z.string(), center, subject: subjectId, digits: z.number().optional() }),
  maxAgeMs: dayMs,
});

/** Proves that the visitor was asked before going on as another person. */
export const leavingToken = sealedToken({
  use: 'leaving',
  schema: z.object({ center, here: z.string() }),
  maxAgeMs: dayMs,
});

/** It does not expire: the link in it does. */
export const switchLinkToken = sealedToken({
  use: 'switch link',
  schema: z.object({ center, token: z.string() }),
  maxAgeMs: 'unlimited',
});

/** The receiver of a link. It opens nothing: it says where a fresh link may go when this one is over. */
export const mailedToToken = sealedToken({
  use: 'mailed to',
  schema: z.object({ center, subject: subjectId }),
  maxAgeMs: 7 * dayMs,
});

export const hostedLinkFormToken = sealedToken({
  use: 'hosted link form',
  schema: z.object({}),
  maxAgeMs: dayMs,
});

/** Names the staff member who made a link. It is sealed, because anyone can read a link's token. */
export const linkMakerToken = sealedToken({
  use: 'link maker',
  schema: z.object({ id: z.string(), name: z.string() }),
  maxAgeMs: 'unlimited',
});

/** A browser that signed in before: keyed hashes of its people, each of whom expires separately. */
export const knownClientToken = sealedToken({
  use: 'known client',
  schema: z.object({ id: z.string(), people: z.array(z.object({ who: z.string(), at: z.number() })) }),
  maxAgeMs: 'unlimited',
});

/** Opens a token that was sealed for this center; undefined for any other. */
export function openHere<T extends { readonly center: string }>(
  parts: Opening & Timed,
  {
    kind,
    center,
  }: Pick<CenterConfig, 'center'> & {
    readonly kind: { open(parts: Opening & Timed, token: unknown): T | undefined };
  },
  token: unknown,
): T | undefined {
  const opened = kind.open(parts, token);
  return opened?.center === center ? opened : undefined;
}
