import { z } from 'zod';
import type { CallPriority } from '../ports/platform.ts';

/** What the platform allows: calls of one endpoint in a minute, and of all endpoints together in an hour. */
export interface Quota {
  readonly perMinute: number;
  readonly perHour: number;
}

const time = z.number().optional();
const windowShape = z.object({
  /** Calls by the sixtieth in which they were granted: all, and which of them for people and in the background. */
  parts: z.record(z.string(), z.tuple([z.number(), z.number(), z.number()])),
  /** What the platform itself said that it allows. */
  said: z.object({ allowed: z.number(), until: z.number() }).optional(),
  /** Calls that other programs of the tenant make in such a window. */
  others: z.object({ calls: z.number(), until: z.number() }).optional(),
  /** No call before then. */
  closedUntil: time,
  /** When a person's call was asked for last. */
  personAt: time,
  /** Until then a withdrawal waits; calls that are less urgent go behind it. */
  withdrawalUntil: time,
  /** Until then two calls that must go together wait: others leave them their room. */
  pairUntil: time,
  /** How many withdrawals are to come back in which sixtieth, and when the next call of the background is. */
  told: z.record(z.string(), z.number()).optional(),
  backAt: time,
  /** Turns of people: the number given last, and up to which number they may go, as of `at`. */
  turns: z.object({ last: z.number(), open: z.number(), at: z.number() }).optional(),
});
export const quotaShape = z.object({
  /** Of all nodes; it only ever passes. */
  at: z.number(),
  account: windowShape,
  endpoints: z.record(z.string(), windowShape),
  /** The write that made it. */
  by: z.string(),
});
type Window = z.infer<typeof windowShape>;
export type QuotaState = z.infer<typeof quotaShape>;

export const emptyQuota: QuotaState = { at: 0, account: { parts: {} }, endpoints: {}, by: '' };

/** Counts calls of an endpoint; fewer than none take back what was counted and not made. */
export interface Made {
  readonly endpoint: string;
  readonly priority: CallPriority;
  readonly calls: number;
  readonly at: number;
}

export interface Asked {
  readonly endpoint: string;
  readonly priority: CallPriority;
  /** Two go together, or neither does. */
  readonly calls: 1 | 2;
  /** The number that this person was given when there was no room. */
  readonly turn: number | undefined;
}

/** `waitMs`: until it may come back; 0 where it goes now. */
export interface Granted {
  readonly waitMs: number;
  readonly turn?: number;
}

interface Span {
  readonly lengthMs: number;
  readonly allowed: number;
}

const hourMs = 3_600_000;
const spansOf = ({ perMinute, perHour }: Quota): readonly [Span, Span] => [
  { lengthMs: 60_000, allowed: perMinute },
  { lengthMs: hourMs, allowed: perHour },
];

/** Milliseconds of a sixtieth of the minute: so long a granted call may take to go out. */
export const partMs = 1_000;
const parts = 60;
/** A call counts from the sixtieth in which it was granted, and reaches the platform a moment later. */
const counted = parts + 1;
/** Of what is allowed, how much people may use at once, and within a window after that: together all but a tenth. */
const burst = 0.15;
const steady = 0.75;

const windowOf = (state: QuotaState, endpoint: string): Window => state.endpoints[endpoint] ?? { parts: {} };
const partOf = (at: number, { lengthMs }: Span) => Math.floor((at * parts) / lengthMs);

function eachWindow(
  state: QuotaState,
  quota: Quota,
  endpoint: string,
  change: (window: Window, span: Span) => Window,
): QuotaState {
  const [minute, hour] = spansOf(quota);
  const own = change(windowOf(state, endpoint), minute);
  return {
    ...state,
    account: change(state.account, hour),
    endpoints: { ...state.endpoints, [endpoint]: own },
  };
}

/** Forgets what is over. */
export function later(state: QuotaState, quota: Quota, at: number): QuotaState {
  const prune = (window: Window, span: Span): Window => {
    const oldest = partOf(at, span) - counted;
    return {
      ...window,
      parts: Object.fromEntries(Object.entries(window.parts).filter(([part]) => Number(part) >= oldest)),
    };
  };
  const [minute, hour] = spansOf(quota);
  const endpoints = Object.entries(state.endpoints).map(([name, window]) => [name, prune(window, minute)]);
  return { ...state, at, account: prune(state.account, hour), endpoints: Object.fromEntries(endpoints) };
}

export function made(state: QuotaState, quota: Quota, { endpoint, priority, calls, at }: Made): QuotaState {
  return eachWindow(state, quota, endpoint, (window, span) => {
    const part = partOf(at, span);
    const [all, person, background] = window.parts[part] ?? [0, 0, 0];
    const now: [number, number, number] = [
      Math.max(0, all + calls),
      Math.max(0, person + (priority === 'person' ? calls : 0)),
      Math.max(0, background + (priority === 'background' ? calls : 0)),
    ];
    return { ...window, parts: { ...window.parts, [part]: now } };
  });
}

function usedOf({ parts: all }: Window, span: Span, at: number, oldest = partOf(at, span) - counted) {
  const used = { all: 0, person: 0, background: 0 };
  for (const part in all) {
    const counts = all[part];
    if (counts === undefined || Number(part) < oldest) continue;
    used.all += counts[0];
    used.person += counts[1];
    used.background += counts[2];
  }
  return used;
}

/** What the platform allows all programs of the tenant, as far as it is known. */
function wholeOf({ said }: Window, { allowed }: Span, at: number): number {
  return said !== undefined && at < said.until ? Math.min(allowed, said.allowed) : allowed;
}

/** What is ours of it. */
function allowedOf(window: Window, span: Span, at: number): number {
  const whole = wholeOf(window, span, at);
  const others = window.others !== undefined && at < window.others.until ? window.others.calls : 0;
  return Math.max(1, whole - others);
}

const isAfter = (until: number | undefined, at: number) => at < (until ?? Number.NEGATIVE_INFINITY);
const tenthOf = (allowed: number) => Math.ceil(allowed / 10);

/**
 * How many calls of a priority a window has room for:
 * - none before it is open again;
 * - a withdrawal may use all of it, but for what is left of a tenth where people asked within the window;
 * - people may use all but a tenth, and that tenth alone while a withdrawal waits;
 * - the background may use all but three tenths, a thirtieth in a sixtieth, and nothing while a withdrawal waits.
 * Two calls that wait to go together keep their room from all others.
 */
function roomIn(window: Window, priority: CallPriority | 'pair', span: Span, at: number): number {
  if (isAfter(window.closedUntil, at)) return 0;
  const allowed = allowedOf(window, span, at);
  const used = usedOf(window, span, at);
  const left = allowed - used.all;
  const hasPeople = isAfter(window.personAt, at - span.lengthMs);
  const forPeople = hasPeople ? Math.max(0, Math.min(allowed - 1, tenthOf(allowed)) - used.person) : 0;
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

/** Calls of two that go together, of which there may be room at a time: one where there never is room for two. */
function pairOf(window: Window, span: Span, at: number): number {
  const allowed = allowedOf(window, span, at);
  const floor = isAfter(window.personAt, at - span.lengthMs) ? Math.min(allowed - 1, tenthOf(allowed)) : 0;
  return Math.min(2, allowed - floor);
}

/** When there is room, should nobody else come: with time there is only ever more. */
function roomAt(window: Window, priority: CallPriority | 'pair', span: Span, at: number): number {
  const from = Math.max(at, window.closedUntil ?? 0);
  const whenOf = (part: number) => Math.max(from, (part * span.lengthMs) / parts);
  let first = partOf(from, span);
  // Two windows more, for those that are to come back.
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

/** When both windows have room. */
function firstRoom(
  state: QuotaState,
  quota: Quota,
  endpoint: string,
  priority: CallPriority | 'pair',
): number {
  const [minute, hour] = spansOf(quota);
  return Math.max(
    roomAt(windowOf(state, endpoint), priority, minute, state.at),
    roomAt(state.account, priority, hour, state.at),
  );
}

/** Turns of people a millisecond, of what withdrawals and the background leave them. */
function turnRate(window: Window, span: Span, at: number): number {
  const allowed = allowedOf(window, span, at);
  const used = usedOf(window, span, at);
  const share = isAfter(window.withdrawalUntil, at)
    ? allowed / 10
    : Math.max(allowed / 10, steady * (allowed - used.all + used.person));
  return Math.max(1, share) / span.lengthMs;
}

/** Turns come up evenly while the platform takes calls. */
function turnsOf(state: QuotaState, quota: Quota, endpoint: string) {
  const { at } = state;
  const [minute, hour] = spansOf(quota);
  const window = windowOf(state, endpoint);
  const ahead = Math.max(1, Math.floor(allowedOf(window, minute, at) * burst));
  const { turns = { last: 0, open: ahead, at } } = window;
  const inHour = roomIn(state.account, 'person', hour, at);
  const passed = inHour > 0 ? Math.max(0, at - Math.max(turns.at, window.closedUntil ?? 0)) : 0;
  const open = turns.open + passed * turnRate(window, minute, at);
  return {
    turns: { last: turns.last, open: Math.min(open, turns.last + ahead), at },
    hasRoom: Math.min(inHour, roomIn(window, 'person', minute, at)) > 0,
  };
}

/** Whether people wait for their turns. */
export function isQueueing(state: QuotaState, endpoint: string): boolean {
  const { turns } = windowOf(state, endpoint);
  return turns !== undefined && turns.open < turns.last + 1;
}

const rank: Readonly<Record<CallPriority, number>> = { withdrawal: 0, person: 1, background: 2 };

/** Who goes now, the most urgent first, people by their turns; and when the others may come back. */
export function grant(
  before: QuotaState,
  quota: Quota,
  asked: readonly Asked[],
): { readonly state: QuotaState; readonly granted: readonly Granted[] } {
  let state = before;
  const granted: Granted[] = asked.map(() => ({ waitMs: 0 }));
  const order = [...asked.entries()].sort(
    ([, a], [, b]) =>
      rank[a.priority] - rank[b.priority] ||
      b.calls - a.calls ||
      (a.turn ?? Number.MAX_SAFE_INTEGER) - (b.turn ?? Number.MAX_SAFE_INTEGER),
  );
  for (const [index, one] of order) {
    const { endpoint, priority, calls } = one;
    const answer = priority === 'person' ? grantPerson(state, quota, one) : grantOther(state, quota, one);
    granted[index] = answer;
    state =
      answer.waitMs === 0
        ? made(answer.state, quota, { endpoint, priority, calls, at: state.at })
        : answer.state;
  }
  return { state, granted };
}

type Answered = Granted & { readonly state: QuotaState };

/** First come, first served: a number, and the time at which it comes up. */
function grantPerson(state: QuotaState, quota: Quota, { endpoint, turn: held }: Asked): Answered {
  const { at } = state;
  const { turns, hasRoom } = turnsOf(state, quota, endpoint);
  // A number that is not of this count is none.
  const isHeld = held !== undefined && held <= turns.last;
  const turn = isHeld ? held : turns.last + 1;
  const asked = eachWindow(state, quota, endpoint, (window) => ({ ...window, personAt: at }));
  const own = { ...windowOf(asked, endpoint), turns: { ...turns, last: Math.max(turns.last, turn) } };
  const next = { ...asked, endpoints: { ...asked.endpoints, [endpoint]: own } };
  if (turn <= turns.open && hasRoom) return { state: next, waitMs: 0 };
  const rate = turnRate(own, spansOf(quota)[0], at);
  const upAt = Math.max(turns.at, own.closedUntil ?? 0) + Math.max(1, turn - turns.open) / rate;
  const back = hasRoom ? upAt : Math.max(upAt, firstRoom(state, quota, endpoint, 'person'));
  return { state: next, turn, waitMs: Math.max(1, Math.ceil(back - at)) };
}

/** Those that are sent away come back one after the other, as room comes. */
function grantOther(state: QuotaState, quota: Quota, { endpoint, priority, calls }: Asked): Answered {
  const { at } = state;
  const use = calls === 2 ? 'pair' : priority;
  let back = firstRoom(state, quota, endpoint, use);
  if (back <= at) {
    const done = eachWindow(state, quota, endpoint, (window) =>
      use === 'pair' ? { ...window, pairUntil: undefined } : window,
    );
    return { state: done, waitMs: 0 };
  }
  const next = eachWindow(state, quota, endpoint, (window, span) => {
    if (roomAt(window, use, span, at) <= at) return window;
    const spacing = span.lengthMs / allowedOf(window, span, at);
    if (use === 'background') {
      back = Math.max(back, (window.backAt ?? 0) + spacing);
      return { ...window, backAt: back };
    }
    const told = toldAfter(window, span, at);
    if (use === 'withdrawal') back = Math.max(back, roomAt(withTold(window, told), use, span, at));
    const part = partOf(back, span);
    const until = Math.min(back, at + span.lengthMs) + 5 * partMs;
    if (use === 'pair') return { ...window, withdrawalUntil: until, pairUntil: until };
    const before = told[part] ?? 0;
    return { ...window, withdrawalUntil: until, told: { ...told, [part]: before + 1 } };
  });
  return { state: next, waitMs: Math.ceil(back - at) };
}

function toldAfter({ told = {} }: Window, span: Span, at: number): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(told).filter(([part]) => Number(part) > partOf(at, span)));
}

/** As if those that are to come back had gone. */
function withTold(window: Window, told: Readonly<Record<string, number>>): Window {
  const all = { ...window.parts };
  for (const [part, calls] of Object.entries(told)) all[part] = [calls, 0, 0];
  return { ...window, parts: all };
}

/** What an answer said of the quota; under a 429 no more calls go out for so many seconds. */
export interface SaidQuota {
  readonly period: 'MINUTE' | 'HOUR' | undefined;
  readonly allowed: number | undefined;
  readonly made: number | undefined;
  readonly waitSeconds: number | undefined;
}

/** What other programs made of the calls that an answer tells of. */
function othersOf(window: Window, span: Span, at: number, said: SaidQuota): number {
  if (said.waitSeconds === undefined) return (said.made ?? 0) - usedOf(window, span, at).all;
  // It ends with Retry-After; what is told of a part of a window goes for the whole, and a little more.
  const leftMs = said.waitSeconds * 1_000;
  const sinceMs = leftMs < span.lengthMs ? span.lengthMs - leftMs : span.lengthMs;
  const ours = usedOf(window, span, at, partOf(at - sinceMs, span)).all;
  const others = Math.max(0, (said.made ?? wholeOf(window, span, at)) - ours) + 1;
  return Math.ceil((1.1 * others * span.lengthMs) / sinceMs);
}

const spanOf = (quota: Quota, { period }: SaidQuota) => spansOf(quota)[period === 'HOUR' ? 1 : 0];

/**
 * Learns from what the platform says. What it allows counts for an hour after it was said last, and never for more than
 * the settings allow. What others take is left to them in each window: for an hour after a 429, which raises it by a
 * tenth at least, else for ten windows.
 */
export function heard(state: QuotaState, quota: Quota, endpoint: string, said: SaidQuota): QuotaState {
  const { at } = state;
  const span = spanOf(quota, said);
  return eachWindow(state, quota, endpoint, (window, each) => {
    if (each.lengthMs !== span.lengthMs) return window;
    const known: Window =
      said.allowed === undefined
        ? window
        : { ...window, said: { allowed: Math.max(1, said.allowed), until: at + hourMs } };
    const whole = wholeOf(known, span, at);
    const before = isAfter(window.others?.until, at) ? (window.others?.calls ?? 0) : 0;
    const isBusy = said.waitSeconds !== undefined;
    const isFirst = isBusy && !isAfter(window.closedUntil, at);
    const found = othersOf(known, span, at, said);
    const most = isBusy ? whole - tenthOf(whole) : whole;
    const calls = Math.min(most, isFirst ? Math.max(found, before + tenthOf(whole)) : found);
    const until = at + (isBusy ? hourMs : Math.min(hourMs, 10 * span.lengthMs));
    return {
      ...known,
      ...(calls > 0 && calls >= before ? { others: { calls, until } } : {}),
      ...(wholeOf(window, span, at) === whole
        ? {}
        : { told: undefined, backAt: undefined, withdrawalUntil: undefined }),
      ...(isBusy
        ? { closedUntil: Math.max(window.closedUntil ?? 0, at + (said.waitSeconds ?? 0) * 1_000) }
        : {}),
    };
  });
}

/** Whether an answer says anything that is not known yet. */
export function isNews(state: QuotaState, quota: Quota, endpoint: string, said: SaidQuota): boolean {
  if (said.waitSeconds !== undefined) return true;
  const { at } = state;
  const span = spanOf(quota, said);
  const window = said.period === 'HOUR' ? state.account : windowOf(state, endpoint);
  const whole = wholeOf(window, span, at);
  if (said.allowed !== undefined && Math.min(said.allowed, span.allowed) !== whole) return true;
  const before = isAfter(window.others?.until, at) ? (window.others?.calls ?? 0) : 0;
  return othersOf(window, span, at, said) > before + whole / 50;
}

export interface Left {
  readonly allowed: number;
  readonly left: number;
}

/** Of an endpoint, or of the account. */
export function leftOf(state: QuotaState, quota: Quota, endpoint: string | undefined): Left {
  const { at } = state;
  const span = spansOf(quota)[endpoint === undefined ? 1 : 0];
  const window = endpoint === undefined ? state.account : windowOf(state, endpoint);
  const allowed = allowedOf(window, span, at);
  const isClosed = isAfter(window.closedUntil, at);
  return { allowed, left: isClosed ? 0 : Math.max(0, allowed - usedOf(window, span, at).all) };
}
