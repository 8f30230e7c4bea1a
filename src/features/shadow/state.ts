import * as z from 'zod';
import type { Counts } from './report.ts';

const shape = z.object({
  key: z.string(),
  line: z.number(),
  calls: z.number(),
  seconds: z.number(),
  personalBytes: z.number(),
  counts: z.custom<Counts>((value) => typeof value === 'object' && value !== null),
});

/** How far a run is: with which schemas and options, up to which line, and what was counted. It holds no names. */
export type ShadowState = z.infer<typeof shape>;

export function freshState(key: string): ShadowState {
  return { key, line: 0, calls: 0, seconds: 0, personalBytes: 0, counts: {} };
}

/** Throws for a text that is none. */
export function readState(text: string): ShadowState {
  return shape.parse(JSON.parse(text));
}
