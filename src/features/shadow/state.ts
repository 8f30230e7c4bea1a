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

/** The progress of a run: its schemas and options, its last line, and its counts. It holds no names. */
export type ShadowState = z.infer<typeof shape>;

export function freshState(key: string): ShadowState {
  return { key, line: 0, calls: 0, seconds: 0, personalBytes: 0, counts: {} };
}

/** Throws if the text is no state. */
export function readState(text: string): ShadowState {
  return shape.parse(JSON.parse(text));
}
