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
  waiting: z.object({ withdrawal: time, person: time, background: time }).optional(),
});
const shape = z.object({
  at: z.number(),
  account: window,
  endpoints: z.record(z.string(), window),
});

/** What another process kept; of a release that kept it otherwise nothing is known. */
export function readQuota(text: string): QuotaState {
  try {
    return shape.parse(JSON.parse(text));
  } catch {
    return emptyQuota;
  }
}

export function writeQuota(state: QuotaState): string {
  return JSON.stringify(state);
}
