import { z } from 'zod';
import type { CallPriority } from '../ports/platform.ts';

const time = z.number().optional();
/** A window of the quota. Times are milliseconds, by the time of the quota. */
export const windowShape = z.object({
  /** Calls by the sixtieth in which they were granted: all, and which of them for people and in the background. */
  parts: z.record(z.string(), z.tuple([z.number(), z.number(), z.number()])),
  /** The limit by the platform's own answers. */
  said: z.object({ allowed: z.number(), until: z.number() }).optional(),
  /** Calls that other programs of the tenant make in such a window. */
  others: z.object({ calls: z.number(), until: z.number() }).optional(),
  /** No call before then. */
  closedUntil: time,
  /** When a person's call was asked for last. */
  personAt: time,
  /** A withdrawal waits until then; less urgent calls go after it. */
  withdrawalUntil: time,
  /** A pair of calls waits until then; other calls leave room for it. */
  pairUntil: time,
  /** How many withdrawals ask again in each sixtieth, and when the next background call does. */
  told: z.record(z.string(), z.number()).optional(),
  backAt: time,
  /** Turns of people: the number given last, and up to which number they may go, as of `at`. */
  turns: z.object({ last: z.number(), open: z.number(), at: z.number() }).optional(),
});
export type Window = z.infer<typeof windowShape>;

/** Whose room is asked for; a pair of calls goes together. */
export type Use = CallPriority | 'pair';

export interface Span {
  readonly lengthMs: number;
  readonly allowed: number;
}

/** Milliseconds of a sixtieth of the minute: a granted call must go out within it. */
export const partMs = 1_000;
const parts = 60;
/** A call counts from the sixtieth in which it was granted, and reaches the platform a moment later. */
export const counted = parts + 1;
/** The shares of the limit for people: at once, and within a window after that; together all but a tenth. */
export const burst = 0.15;
const steady = 0.75;

export const partOf = (at: number, { lengthMs }: Span) => Math.floor((at * parts) / lengthMs);

type Row = readonly [part: number, all: number, person: number, background: number];

/** Cached: a pass over waiting calls needs the same sums many times. */
const readRows = new WeakMap<Window['parts'], readonly Row[]>();
const rowsOf = ({ parts }: Window) => readRows.getOrInsertComputed(parts, readParts);

function readParts(parts: Window['parts']): readonly Row[] {
  return Object.entries(parts).map(([part, counts]) => [Number(part), ...counts]);
}

/** Drops expired parts. They are in order, so often there are none. */
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

/** What of it other programs take. */
export const taken = ({ others }: Window, at: number) =>
  others !== undefined && at < others.until ? others.calls : 0;

/** Our part of it. */
export function allowedOf(window: Window, span: Span, at: number): number {
  const whole = wholeOf(window, span, at);
  return Math.max(1, whole - taken(window, at));
}

export const isAfter = (until: number | undefined, at: number) => at < (until ?? Number.NEGATIVE_INFINITY);
export const tenthOf = (allowed: number) => Math.ceil(allowed / 10);

/** What is left, for all priorities together. */
export function leftOf(window: Window, span: Span, at: number) {
  const allowed = allowedOf(window, span, at);
  const left = isAfter(window.closedUntil, at) ? 0 : allowed - usedOf(window, span, at).all;
  return { allowed, left: Math.max(0, left) };
}

/**
 * How many calls of a priority a window has room for:
 * - none before it is open again;
 * - a withdrawal may use all of it, but for what is left of a tenth where people asked within the window;
 * - people may use all but a tenth, and that tenth alone while a withdrawal waits;
 * - the background may use all but three tenths, a thirtieth in a sixtieth, and nothing while a withdrawal waits.
 * Two calls that wait to go together keep their room from all others.
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
  const isBehind = isAfter(window.withdrawalUntil, at);
  if (priority === 'person') {
    const floor = Math.min(others, tenthOf(allowed) - used.person);
    return isBehind ? floor : Math.max(others - tenthOf(allowed), floor);
  }
  const now = window.parts[partOf(at, span)]?.[2] ?? 0;
  if (isBehind) return 0;
  return Math.min(others - 3 * tenthOf(allowed), Math.ceil(allowed / 30) - now);
}

/** The tenth of the calls that is for people, where they asked within the window; a withdrawal may use one at least. */
function peoplesOf(window: Window, span: Span, at: number): number {
  const allowed = allowedOf(window, span, at);
  return isAfter(window.personAt, at - span.lengthMs) ? Math.min(allowed - 1, tenthOf(allowed)) : 0;
}

/** How many calls of a pair can have room at a time: one if there is never room for two. */
export function pairOf(window: Window, span: Span, at: number): number {
  return Math.min(2, allowedOf(window, span, at) - peoplesOf(window, span, at));
}

/** When there is room if no other call comes. Room only grows with time. */
export function roomAt(window: Window, priority: Use, span: Span, at: number): number {
  const from = Math.max(at, window.closedUntil ?? 0);
  const whenOf = (part: number) => Math.max(from, (part * span.lengthMs) / parts);
  let first = partOf(from, span);
  // Two more windows, for calls that ask again.
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

/** Turns of people per millisecond, from what withdrawals and background calls leave. */
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

/** The window as if the calls that ask again had gone. */
export function withTold(window: Window, told: Readonly<Record<string, number>>): Window {
  const all = { ...window.parts };
  for (const [part, calls] of Object.entries(told)) all[part] = [calls, 0, 0];
  return { ...window, parts: all };
}
