import { z } from 'zod';
import { eachName } from '../core/model/each-name.ts';
import type { CallPriority } from '../ports/platform.ts';
import {
  allowedOf,
  burst,
  partMs,
  partOf,
  prune,
  roomAt,
  roomIn,
  type Span,
  toldAfter,
  turnRate,
  type Use,
  type Window,
  windowShape,
  withTold,
} from './quota-window.ts';

/** Allowed calls: of one endpoint in a minute, and of all endpoints together in an hour. */
export interface Quota {
  readonly perMinute: number;
  readonly perHour: number;
  /**
   * Our share of the account's hourly limit, from 0 to 1, once the platform names that limit; 1 if absent.
   */
  readonly hourShare?: number | undefined;
}

export const quotaShape = z.object({
  /** The time of the quota, which all nodes share; it never goes back. */
  at: z.number(),
  account: windowShape,
  endpoints: z.record(z.string(), windowShape),
  /** Id of the write that made this state. */
  by: z.string(),
});
export type QuotaState = z.infer<typeof quotaShape>;

export const emptyQuota: QuotaState = { at: 0, account: { parts: {} }, endpoints: {}, by: '' };

/** Calls of an endpoint to count; a negative number undoes calls that were not made. */
export interface Made {
  readonly endpoint: string;
  readonly priority: CallPriority;
  readonly calls: number;
  readonly at: number;
}

export interface Asked extends Pick<Made, 'endpoint' | 'priority'> {
  /** Number of calls; if 2, both calls go, or neither does. */
  readonly calls: 1 | 2;
  /** The turn number that the person got when there was no room. */
  readonly turn: number | undefined;
}

/** `waitMs`: milliseconds until the call may ask again; 0 if it goes now. */
export interface Granted {
  readonly waitMs: number;
  readonly turn?: number;
}

export const hourMs = 3_600_000;
export type Spans = readonly [minute: Span, hour: Span];
export const spansOf = ({ perMinute, perHour }: Quota): Spans => [
  { lengthMs: 60_000, allowed: perMinute },
  { lengthMs: hourMs, allowed: perHour },
];

export const windowOf = (state: QuotaState, endpoint: string): Window =>
  state.endpoints[endpoint] ?? { parts: {} };

type Change = (window: Window, span: Span) => Window;

function eachWindow(state: QuotaState, [minute, hour]: Spans, endpoint: string, change: Change): QuotaState {
  const own = change(windowOf(state, endpoint), minute);
  return {
    ...state,
    account: change(state.account, hour),
    endpoints: { ...state.endpoints, [endpoint]: own },
  };
}

/** Moves the state forward to a time, never back, and drops expired counts. */
export function later(state: QuotaState, [minute, hour]: Spans, now: number): QuotaState {
  const at = Math.max(now, state.at);
  const names = Object.keys(state.endpoints);
  const endpoints = eachName(names, (name) => prune(windowOf(state, name), minute, at));
  return { ...state, at, account: prune(state.account, hour, at), endpoints };
}

export function made(state: QuotaState, spans: Spans, { endpoint, priority, calls, at }: Made): QuotaState {
  return eachWindow(state, spans, endpoint, (window, span) => {
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

/** The first time at which both windows have room. */
function firstRoom(state: QuotaState, [minute, hour]: Spans, endpoint: string, use: Use): number {
  const own = roomAt(windowOf(state, endpoint), use, minute, state.at);
  return Math.max(own, roomAt(state.account, use, hour, state.at));
}

/** The turns of an endpoint at this time. Turns advance evenly while the platform accepts calls. */
function turnsOf(state: QuotaState, [minute, hour]: Spans, endpoint: string) {
  const { at } = state;
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

/** True if people wait for their turns. */
export function isQueueing(state: QuotaState, endpoint: string): boolean {
  const { turns } = windowOf(state, endpoint);
  return turns !== undefined && turns.open < turns.last + 1;
}

const rank: Readonly<Record<CallPriority, number>> = { withdrawal: 0, person: 1, background: 2 };

/**
 * Decides which calls go now, the most urgent first and people by their turns, and when the others may ask
 * again.
 */
export function grant<One extends Asked>(before: QuotaState, spans: Spans, asked: readonly One[]) {
  let state = before;
  const order = asked.toSorted(
    (a, b) =>
      rank[a.priority] - rank[b.priority] ||
      b.calls - a.calls ||
      (a.turn ?? Number.MAX_SAFE_INTEGER) - (b.turn ?? Number.MAX_SAFE_INTEGER),
  );
  const answers = order.map((one) => {
    const decide = one.priority === 'person' ? grantPerson : grantOther;
    const { state: next, ...granted } = decide(state, spans, one);
    state = granted.waitMs === 0 ? made(next, spans, { ...one, at: state.at }) : next;
    return { one, granted };
  });
  return { state, answers };
}

type Answered = Granted & { readonly state: QuotaState };

/**
 * Decides on a person's call, first come, first served. A call that must wait gets a turn number and the time
 * until its turn.
 */
function grantPerson(state: QuotaState, spans: Spans, { endpoint, turn: held }: Asked): Answered {
  const { at } = state;
  const { turns, hasRoom } = turnsOf(state, spans, endpoint);
  // A turn number that this state never gave is ignored.
  const isHeld = held !== undefined && held <= turns.last;
  const turn = isHeld ? held : turns.last + 1;
  const asked = eachWindow(state, spans, endpoint, (window) => ({ ...window, personAt: at }));
  const own = { ...windowOf(asked, endpoint), turns: { ...turns, last: Math.max(turns.last, turn) } };
  const next = { ...asked, endpoints: { ...asked.endpoints, [endpoint]: own } };
  if (turn <= turns.open && hasRoom) return { state: next, waitMs: 0 };
  const rate = turnRate(own, spans[0], at);
  const upAt = Math.max(turns.at, own.closedUntil ?? 0) + Math.max(1, turn - turns.open) / rate;
  const back = hasRoom ? upAt : Math.max(upAt, firstRoom(state, spans, endpoint, 'person'));
  return { state: next, turn, waitMs: Math.max(1, Math.ceil(back - at)) };
}

/**
 * Decides on a withdrawal, a pair or a background call. Calls without room get different times to ask again,
 * as room becomes free.
 */
function grantOther(state: QuotaState, spans: Spans, { endpoint, priority, calls }: Asked): Answered {
  const { at } = state;
  const use = calls === 2 ? 'pair' : priority;
  let back = firstRoom(state, spans, endpoint, use);
  if (back <= at) {
    const noPair = (window: Window) => ({ ...window, pairUntil: undefined });
    return { state: use === 'pair' ? eachWindow(state, spans, endpoint, noPair) : state, waitMs: 0 };
  }
  const next = eachWindow(state, spans, endpoint, (window, span) => {
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
