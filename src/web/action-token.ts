import * as z from 'zod';
import type { CenterConfig } from '../core/model/center/center-config.ts';
import type { Visit } from '../core/model/person/visit.ts';
import { Problem } from '../core/model/problem.ts';
import type { Random } from '../ports/random.ts';
import { sealedToken, type TokenParts } from './sealed-token.ts';

const actionToken = sealedToken({
  use: 'action',
  schema: z.object({ nonce: z.string(), action: z.string(), center: z.string(), subject: z.string() }),
});

interface Use {
  /** The action of the button, such as `unsubscribe` or `undo <reference>`. */
  readonly action: string;
  readonly centerConfig: CenterConfig;
  readonly visit: Visit;
}

/**
 * Seals the token of a form with one button. The token is valid for one action, one center, one person and
 * one day.
 */
export function sealAction(
  parts: TokenParts & { readonly random: Random },
  { action, centerConfig, visit }: Use,
): string {
  const { center } = centerConfig;
  return actionToken.seal(parts, { nonce: parts.random.id(), action, center, subject: visit.subject });
}

/** The nonce of a token that was made for exactly this use. Throws form-refused for any other. */
export function openAction(parts: TokenParts, token: unknown, { action, centerConfig, visit }: Use): string {
  const made = actionToken.open(parts, token);
  const isOfCenter = made?.action === action && made.center === centerConfig.center;
  if (!isOfCenter || made.subject !== visit.subject) throw new Problem('form-refused');
  return made.nonce;
}
