import * as z from 'zod';
import type { CenterConfig } from '../core/model/center-config.ts';
import type { Visit } from '../core/model/visit.ts';
import { sealedToken } from './sealed-token.ts';

const actionToken = sealedToken({
  use: 'action',
  schema: z.object({ nonce: z.string(), action: z.string(), center: z.string(), subject: z.string() }),
  maxAgeMs: 24 * 60 * 60 * 1000,
});

interface Use {
  /** What the button does, such as `unsubscribe` or `undo <reference>`. */
  readonly action: string;
  readonly centerConfig: CenterConfig;
  readonly visit: Visit;
}

/** The sealed token of a form that is one button: for one action, one center, one person, one day. */
export function sealAction(
  parts: {
    readonly seal: { seal(purpose: string, value: unknown): string };
    readonly random: { id(): string };
    readonly clock: { now(): number };
  },
  { action, centerConfig, visit }: Use,
): string {
  const { center } = centerConfig;
  return actionToken.seal(parts, { nonce: parts.random.id(), action, center, subject: visit.subject });
}

/** The nonce of a token made for just this; undefined otherwise. */
export function openAction(
  parts: {
    readonly seal: { open(purpose: string, token: string): unknown };
    readonly clock: { now(): number };
  },
  token: unknown,
  { action, centerConfig, visit }: Use,
): string | undefined {
  const made = actionToken.open(parts, token);
  if (made?.action !== action || made.center !== centerConfig.center) return undefined;
  return made.subject === visit.subject ? made.nonce : undefined;
}
