import * as z from 'zod';
import { readDay } from '../../core/model/utc-time.ts';

const words = z.string().trim().catch('');
const id = z.string().toLowerCase().catch('');
const choice = z.string().catch('');
const day = z
  .string()
  .refine((text) => readDay(text) !== undefined)
  .catch('');
const days = { from: day, to: day };
const number = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number);

/** The platform refuses pages beyond this (docs/platform-api.md, Paged lists). */
export const lastPage = 49;
/** Zero-based, as the platform counts. What lies beyond a limit is brought to it. */
const page = number.transform((wanted) => Math.min(wanted, lastPage)).catch(0);
export const usualSize = 20;
const size = number.transform((wanted) => Math.min(Math.max(wanted, 1), 50)).catch(usualSize);

export const dayMs = 24 * 60 * 60 * 1000;
/** Counted from now, so that an address that was kept stays true. Milliseconds. */
const latest = { '24h': dayMs, '7d': 7 * dayMs, '30d': 30 * dayMs, '': undefined };

/** What the address of each list asks for; what cannot be read asks for nothing. */
export const queries = {
  audit: z.object({ staff: words, text: words, ...days, page }),
  centers: z.object({ text: words, status: choice, page }),
  findings: z.object({ kind: choice, language: choice, page }),
  notices: z.object({ page, size }),
  versions: z.object({
    date: words,
    time: words,
    count: z.enum(['before', 'through']).catch('through'),
    page,
    size,
  }),
  submissions: z
    .object({
      state: z.enum(['pending', 'done', 'failed', '']).catch(''),
      only: z.enum(['withdrawals', '']).catch(''),
      center: id,
      within: z.enum(['24h', '7d', '30d', '']).catch(''),
      ...days,
      page,
    })
    .transform((asked) => (asked.within === '' ? asked : { ...asked, from: '', to: '' })),
  reasons: z.object({ center: id, ...days }),
  wordings: z.object({ center: id, purpose: id, ...days }),
} as const;

export type Query<Name extends keyof typeof queries> = z.output<(typeof queries)[Name]>;

/** Epoch milliseconds: at or after, and before. Days are of UTC, both included; one that is '' leaves its end open. */
export function spanOf({ from, to }: { readonly from: string; readonly to: string }) {
  const end = readDay(to);
  return { from: readDay(from), to: end === undefined ? undefined : end + dayMs };
}

/** Of submissions, which may also be the latest of them. */
export function spanUntil(asked: Pick<Query<'submissions'>, 'from' | 'to' | 'within'>, now: number) {
  const ms = latest[asked.within];
  return ms === undefined ? spanOf(asked) : { from: now - ms, to: undefined };
}

/** Whole days; without any, the last seven, with one end alone the day of it. */
export function wholeDays(asked: { readonly from: string; readonly to: string }, now: number) {
  const { from, to } = spanOf(asked);
  const tomorrow = now - (now % dayMs) + dayMs;
  const end = to ?? (from === undefined ? tomorrow : from + dayMs);
  return { from: from ?? (to === undefined ? end - 7 * dayMs : end - dayMs), to: end };
}

/** So many whole days up to and with today. */
export function latestDays(now: number, count: number) {
  const to = now - (now % dayMs) + dayMs;
  return { from: to - count * dayMs, to };
}
