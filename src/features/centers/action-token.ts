import * as z from 'zod';
import type { Address } from '../../core/address.ts';
import type { Visit } from '../../core/visit.ts';
import type { Clock, Random, Seal } from '../../ports.ts';

const shape = z.object({
  nonce: z.string(),
  action: z.string(),
  center: z.string(),
  subject: z.string(),
  at: z.number(),
});

const lifetime = 24 * 60 * 60 * 1000;

interface Use {
  /** What the button does, such as `unsubscribe` or `undo <reference>`. */
  readonly action: string;
  readonly address: Address;
  readonly visit: Visit;
}

/** The sealed token of a form that is one button: for one action, one center, one person, one day. */
export function sealAction(
  { seal, random, clock }: { seal: Seal; random: Random; clock: Clock },
  { action, address, visit }: Use,
): { readonly token: string; readonly nonce: string } {
  const nonce = random.id();
  const token = seal.seal('action', {
    nonce,
    action,
    center: address.center,
    subject: visit.subject,
    at: clock.now(),
  });
  return { token, nonce };
}

/** The nonce of a token made for just this; undefined otherwise. */
export function openAction(
  { seal, clock }: { seal: Seal; clock: Clock },
  token: unknown,
  { action, address, visit }: Use,
): string | undefined {
  if (typeof token !== 'string') return undefined;
  const opened = shape.safeParse(seal.open('action', token));
  if (!opened.success) return undefined;
  const { data } = opened;
  if (data.action !== action || data.center !== address.center || data.subject !== visit.subject)
    return undefined;
  return clock.now() - data.at <= lifetime ? data.nonce : undefined;
}
