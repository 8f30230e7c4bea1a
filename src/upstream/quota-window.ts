import { z } from 'zod';
import type { CallPriority } from '../ports/platform.ts';

const time = z.number().optional();
/** A window of the quota. Times are milliseconds, by the time of the quota. */
export const windowShape = z.object({
  /** Granted calls by the sixtieth of the window: all, those for people, and those in the background. */
  parts: z.record(z.string(), z.tuple([z.number(), z.number(), z.number()])),
  /** The limit that the platform named, and the time until which it counts. */
  said: z.object({ allowed: z.number(), until: z.number() }).optional(),
  /** Calls that other programs of the tenant make in such a window. */
  others: z.object({ calls: z.number(), until: z.number() }).optional(),
  /** Time before which no call goes out. */
  closedUntil: time,
  /** Time at which a person's call was last asked for. */
  personAt: time,
  /** Time until which a withdrawal waits; less urgent calls go after it. */
  withdrawalUntil: time,
  /** Time until which a pair of calls waits; other calls leave room for it. */
  pairUntil: time,
  /**
   * Number of withdrawals that ask again in each sixtieth (`told`), and the time at which the last of the
   * waiting background calls does (`backAt`).
   */
  told: z.record(z.string(), z.number()).optional(),
  backAt: time,
  /** Turns of people: the number given last, and the number up to which calls may go at the time `at`. */
  turns: z.object({ last: z.number(), open: z.number(), at: z.number() }).optional(),
});
export type Window = z.infer<typeof windowShape>;

/** The use for which a call asks room; a pair of calls goes together. */
export type Use = CallPriority | 'pair';

export interface Span {
  readonly lengthMs: number;
  readonly allowed: number;
}

/** Milliseconds of a sixtieth of the minute: a granted call must go out within it. */
export const partMs = 1_000;
const parts = 60;
/**
 * Sixtieths in which a call counts: one more than a window has, because a call reaches the platform a moment
 * after it was granted.
 */
export const counted = parts + 1;
/** The shares of the limit for people: at once, and within a window after that; together all but a tenth. */
export const burst = 0.15;
const steady = 0.75;

export const partOf = (at: number, { lengthMs }: Span) => Math.floor((at * parts) / lengthMs);

type Row = readonly [part: number, all: number, person: number, background: number];

/** The cached rows of windows: a pass over waiting calls needs the same sums many times. */
const readRows = new WeakMap<Window['parts'], readonly Row[]>();
const rowsOf = ({ parts }: Window) => readRows.getOrInsertComputed(parts, readParts);

function readParts(parts: Window['parts']): readonly Row[] {
  return Object.entries(parts).map(([part, counts]) => [Number(part), ...counts]);
}

/** Drops expired parts. The parts are in ascending order, so the first one shows whether any expired. */
export function prune(window: Window, span: Span, at: number): Window {
  const oldest = partOf(at, span) - counted;
  if ((rowsOf(window)[0]?.[0] ?? oldest) >= oldest) return window;
  const kept = Object.entries(window.parts).filter(([part]) => Number(part) >= oldest);
  return { ...window, parts: Object.fromEntries(kept) };
}

export function usedOf(window: Window, span: Span, at: number, oldest = partOf(at, span) - counted) {
  const used = { all: 0, person: 0 };
  for (const [part, all, person] of rowsOf(window)) {
    if (part < oldest) continue;
    used.all += all;
    used.person += person;
  }
  return used;
}

/** The limit of all programs of the tenant, as far as it is known. */
export function wholeOf({ said }: Window, { allowed }: Span, at: number): number {
  return said !== undefined && at < said.until ? Math.min(allowed, said.allowed) : allowed;
}

/** The number of calls of that limit that other programs use. */
export const taken = ({ others }: Window, at: number) =>
  others !== undefined && at < others.until ? others.calls : 0;

/** Our part of that limit. */
export function allowedOf(window: Window, span: Span, at: number): number {
  const whole = wholeOf(window, span, at);
  return Math.max(1, whole - taken(window, at));
}

export const isAfter = (until: number | undefined, at: number) => at < (until ?? Number.NEGATIVE_INFINITY);
export const tenthOf = (allowed: number) => Math.ceil(allowed / 10);

/** The calls allowed and the calls left, for all priorities together. */
export function leftOf(window: Window, span: Span, at: number) {
  const allowed = allowedOf(window, span, at);
  const left = isAfter(window.closedUntil, at) ? 0 : allowed - usedOf(window, span, at).all;
  return { allowed, left: Math.max(0, left) };
}

/**
 * The number of calls of a priority for which a window has room:
 * - No call has room before `closedUntil`.
 * - A withdrawal may use all calls, except the rest of the tenth that is kept for people.
 * - People may use all but a tenth; while a withdrawal waits, they may use a tenth in all.
 * - The background may use all but three tenths, a thirtieth in a sixtieth, and nothing while a withdrawal
 *   waits.
 * A waiting pair of calls keeps its room from all other calls.
 */
export function roomIn(window: Window, priority: Use, span: Span, at: number): number {
  if (isAfter(window.closedUntil, at)) return 0;
  const allowed = allowedOf(window, span, at);
  const used = usedOf(window, span, at);
  const left = allowed - used.all;
  const forPeople = Math.max(0, peoplesOf(window, span, at) - used.person);
  if (priority === 'pair') return left - forPeople;
  const others = left - (isAfter(window.pairUntil, at) ? pairOf(window, span, at) : 0);
  if (priority === 'withdrawal') return others - forPeople;
  const isWithdrawalWaiting = isAfter(window.withdrawalUntil, at);
  if (priority === 'person') {
    const floor = Math.min(others, tenthOf(allowed) - used.person);
    return isWithdrawalWaiting ? floor : Math.max(others - tenthOf(allowed), floor);
  }
  const now = window.parts[partOf(at, span)]?.[2] ?? 0;
  if (isWithdrawalWaiting) return 0;
  return Math.min(others - 3 * tenthOf(allowed), Math.ceil(allowed / 30) - now);
}

/**
 * The tenth of the calls that is kept for people if a person asked within the window. At least one call stays
 * for withdrawals.
 */
function peoplesOf(window: Window, span: Span, at: number): number {
  const allowed = allowedOf(window, span, at);
  return isAfter(window.personAt, at - span.lengthMs) ? Math.min(allowed - 1, tenthOf(allowed)) : 0;
}

/** The number of calls of a pair that can have room at once: one if there is never room for two. */
export function pairOf(window: Window, span: Span, at: number): number {
  return Math.min(2, allowedOf(window, span, at) - peoplesOf(window, span, at));
}

/**
 * The time at which there is room if no other call comes. Room only grows with time, so a binary search finds
 * it.
 */
export function roomAt(window: Window, priority: Use, span: Span, at: number): number {
  const from = Math.max(at, window.closedUntil ?? 0);
  const whenOf = (part: number) => Math.max(from, (part * span.lengthMs) / parts);
  let first = partOf(from, span);
  // The search covers two more windows, because calls that ask again may fill this one.
  let last = first + 3 * (counted + 1);
  while (first < last) {
    const middle = Math.floor((first + last) / 2);
    const then = whenOf(middle);
    const need = priority === 'pair' ? pairOf(window, span, then) : 1;
    if (roomIn(window, priority, span, then) >= need) last = middle;
    else first = middle + 1;
  }
  return whenOf(first);
}

/** Turns of people per millisecond, out of the calls that withdrawals and the background do not use. */
export function turnRate(window: Window, span: Span, at: number): number {
  const allowed = allowedOf(window, span, at);
  const used = usedOf(window, span, at);
  const share = isAfter(window.withdrawalUntil, at)
    ? allowed / 10
    : Math.max(allowed / 10, steady * (allowed - used.all + used.person));
  return Math.max(1, share) / span.lengthMs;
}

export function toldAfter({ told = {} }: Window, span: Span, at: number): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(told).filter(([part]) => Number(part) > partOf(at, span)));
}

/** The window as if the withdrawals that ask again had been granted. */
export function withTold(window: Window, told: Readonly<Record<string, number>>): Window {
  const all = { ...window.parts };
  for (const [part, calls] of Object.entries(told)) all[part] = [calls, 0, 0];
  return { ...window, parts: all };
}
