import * as z from 'zod';
import type { CenterConfig } from '../../core/model/center/center-config.ts';
import { lastingToken, sealedToken } from '../../web/sealed-token.ts';
import { subjectId } from '../../web/tokens.ts';

const center = z.string();

/** The token of the forms that start a sign-in. */
export const signInFormToken = sealedToken({
  use: 'sign-in form',
  schema: z.object({ center }),
});

/** The token of the message whose passcode may be tried in this browser, with its receiver. */
export const askedToken = sealedToken({
  use: 'sign-in asked',
  schema: z.object({ id: z.string(), center, subject: subjectId, digits: z.number().optional() }),
});

/** The token that proves that the visitor was asked before going on as another person. */
export const leavingToken = sealedToken({
  use: 'leaving',
  schema: z.object({ center, here: z.string() }),
});

/** The token of a link that waits for an answer. It does not expire: the link in it does. */
export const switchLinkToken = lastingToken({
  use: 'switch link',
  schema: z.object({ center, token: z.string() }),
});

/**
 * The receiver of a link. The token opens nothing: it says where a fresh link may go when this one is over.
 */
export const mailedToToken = sealedToken({
  use: 'mailed to',
  schema: z.object({ center, subject: subjectId }),
  maxAgeMs: 7 * 24 * 60 * 60 * 1000,
});

export const hostedLinkFormToken = sealedToken({
  use: 'hosted link form',
  schema: z.object({}),
});

/** The staff member who made a link. The token is sealed, because anyone can read a link's token. */
export const linkMakerToken = lastingToken({
  use: 'link maker',
  schema: z.object({ id: z.string(), name: z.string() }),
});

/** A browser that signed in before: keyed hashes of its people, each of whom expires separately. */
export const knownClientToken = lastingToken({
  use: 'known client',
  schema: z.object({ id: z.string(), people: z.array(z.object({ who: z.string(), at: z.number() })) }),
});

/** A token opens in the center that it was sealed for. */
export function here<T extends { readonly center: string }>(
  { center }: Pick<CenterConfig, 'center'>,
  opened: T | undefined,
): T | undefined {
  return opened?.center === center ? opened : undefined;
}
