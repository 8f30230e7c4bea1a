import { z } from 'zod';
import { emptyQuota, type QuotaState } from './quota.ts';

const counts = z.tuple([z.number(), z.number(), z.number()]);
const time = z.number().optional();
const window = z.object({
  parts: z.record(z.string(), counts),
  said: z.object({ allowed: z.number(), until: z.number() }).optional(),
  closedUntil: time,
  personAt: time,
  made: time,
  promised: time,
  pair: z.object({ from: z.number(), until: z.number() }).optional(),
  waiting: z.object({ withdrawal: time, person: time, background: time }).optional(),
});
const shape = z.object({
  at: z.number(),
  account: window,
  endpoints: z.record(z.string(), window),
  writtenAt: time,
});

/** By the time of day at which it was written; undefined where nobody knows. */
export interface WrittenQuota {
  readonly state: QuotaState;
  readonly writtenAt: number | undefined;
}

/** What another process kept; of a release that kept it otherwise nothing is known. */
export function readQuota(text: string): WrittenQuota {
  try {
    const { writtenAt, ...state } = shape.parse(JSON.parse(text));
    return { state, writtenAt };
  } catch {
    return { state: emptyQuota, writtenAt: undefined };
  }
}

export function writeQuota({ state, writtenAt }: WrittenQuota): string {
  return JSON.stringify({ ...state, writtenAt });
}
