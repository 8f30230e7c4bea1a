import { isWithin } from '../core/model/age.ts';
import type { CenterConfig } from '../core/model/center-config.ts';
import type { Visit } from '../core/model/visit.ts';

const lifetime = 24 * 60 * 60 * 1000;

interface Use {
  /** What the button does, such as `unsubscribe` or `undo <reference>`. */
  readonly action: string;
  readonly centerConfig: CenterConfig;
  readonly visit: Visit;
}

/** The sealed token of a form that is one button: for one action, one center, one person, one day. */
export function sealAction(
  {
    seal,
    random,
    clock,
  }: {
    seal: { seal(purpose: string, value: unknown): string };
    random: { id(): string };
    clock: { now(): number };
  },
  { action, centerConfig, visit }: Use,
): string {
  return seal.seal('action', {
    nonce: random.id(),
    action,
    center: centerConfig.center,
    subject: visit.subject,
    at: clock.now(),
  });
}

/** The nonce of a token made for just this; undefined otherwise. */
export function openAction(
  { seal, clock }: { seal: { open(purpose: string, token: string): unknown }; clock: { now(): number } },
  token: unknown,
  { action, centerConfig, visit }: Use,
): string | undefined {
  const opened = typeof token === 'string' ? seal.open('action', token) : undefined;
  if (typeof opened !== 'object' || opened === null) return undefined;
  const made = opened as Readonly<Record<'nonce' | 'action' | 'center' | 'subject' | 'at', unknown>>;
  if (made.action !== action || made.center !== centerConfig.center || made.subject !== visit.subject)
    return undefined;
  if (typeof made.nonce !== 'string' || typeof made.at !== 'number') return undefined;
  return isWithin(lifetime, { at: made.at, now: clock.now() }) ? made.nonce : undefined;
}
