import type { CallPriority } from '../ports/platform.ts';
import {
  allowedOf,
  broughtForward,
  hasRoomForPair,
  intervalMs,
  isWaitedFor,
  nextRoom,
  pairOf,
  partOf,
  parts,
  pruned,
  roomIn,
  type Span,
  turnsOf,
  usedOf,
  type Window,
  withCounts,
} from './quota-window.ts';

/** What the platform allows: calls of one endpoint in a minute, and of all endpoints together in an hour. */
export interface Quota {
  readonly perMinute: number;
  readonly perHour: number;
  /** How long a minute and an hour are, for tests. Milliseconds. */
  readonly minuteMs?: number | undefined;
  readonly hourMs?: number | undefined;
}

/** Of all nodes. Its time only ever passes, and is nobody's time of day. */
export interface QuotaState {
  readonly at: number;
  readonly account: Window;
  readonly endpoints: Readonly<Record<string, Window>>;
}

export const emptyQuota: QuotaState = { at: 0, account: { parts: {} }, endpoints: {} };

export const priorities: readonly CallPriority[] = ['withdrawal', 'person', 'background'];

function spans({ perMinute, perHour, minuteMs = 60_000, hourMs = 3_600_000 }: Quota) {
  return {
    endpoint: { lengthMs: minuteMs, allowed: perMinute },
    account: { lengthMs: hourMs, allowed: perHour },
  };
}

/** Milliseconds of a part of a minute: so fine is everything here, and so long a granted call may take to go out. */
export function partMs({ minuteMs = 60_000 }: Quota): number {
  return minuteMs / parts;
}

function windowsOf(state: QuotaState, endpoint: string): readonly [Window, Window] {
  return [state.endpoints[endpoint] ?? { parts: {} }, state.account];
}

function eachWindow<T>(
  state: QuotaState,
  quota: Quota,
  endpoint: string,
  look: (window: Window, span: Span) => T,
): readonly [T, T] {
  const [own, account] = windowsOf(state, endpoint);
  const span = spans(quota);
  return [look(own, span.endpoint), look(account, span.account)];
}

function withWindows(
  state: QuotaState,
  quota: Quota,
  endpoint: string,
  change: (window: Window, span: Span) => Window,
): QuotaState {
  const [own, account] = windowsOf(state, endpoint);
  const span = spans(quota);
  return {
    ...state,
    account: change(account, span.account),
    endpoints: { ...state.endpoints, [endpoint]: change(own, span.endpoint) },
  };
}

/** Time passes; what is over is forgotten. */
export function later(state: QuotaState, quota: Quota, at: number): QuotaState {
  const span = spans(quota);
  const endpoints = Object.entries(state.endpoints).map(
    ([name, window]) => [name, pruned(window, span.endpoint, at)] as const,
  );
  return {
    at,
    account: pruned(state.account, span.account, at),
    endpoints: Object.fromEntries(endpoints),
  };
}

/**
 * What another node has written, as of `at`, this one's time. Who begins, or has not looked for long, cannot know how
 * much passed since somebody wrote, so that their time may be behind. `before`: as this one wrote it last. `sinceMs`: how
 * long ago it was written by the time of day, which only tells what of the difference is no such lag.
 */
export function asOf(
  found: QuotaState,
  quota: Quota,
  {
    before,
    at,
    sinceMs,
  }: {
    readonly before: QuotaState | undefined;
    readonly at: number;
    readonly sinceMs: number;
  },
): QuotaState {
  const lagMs = at - found.at - Math.max(0, sinceMs);
  if (lagMs < partMs(quota)) return later(found, quota, Math.max(at, found.at));
  const { endpoint, account } = spans(quota);
  const endpoints = Object.entries(found.endpoints).map(([name, window]) => {
    const known = before?.endpoints[name];
    return [name, broughtForward(window, { before: known, span: endpoint, at, lagMs })] as const;
  });
  const moved = {
    at,
    account: broughtForward(found.account, { before: before?.account, span: account, at, lagMs }),
    endpoints: Object.fromEntries(endpoints),
  };
  return later(moved, quota, at);
}

/** How many calls of a priority may go out now. */
export function roomFor(state: QuotaState, quota: Quota, endpoint: string, priority: CallPriority): number {
  const [own, account] = windowsOf(state, endpoint);
  const { at } = state;
  const span = spans(quota);
  return Math.max(
    0,
    Math.min(
      roomIn(own, priority, { span: span.endpoint, at }),
      roomIn(account, priority, { span: span.account, at }),
    ),
  );
}

/** Whether two calls of a withdrawal that must go together may go out now. */
export function isRoomForPair(state: QuotaState, quota: Quota, endpoint: string): boolean {
  return eachWindow(state, quota, endpoint, (window, span) =>
    hasRoomForPair(window, { span, at: state.at }),
  ).every(Boolean);
}

/** For how many calls they wait; see `pairOf`. */
export function callsOfPair(state: QuotaState, quota: Quota, endpoint: string): number {
  return Math.min(
    ...eachWindow(state, quota, endpoint, (window, span) => pairOf(window, { span, at: state.at })),
  );
}

/** Their turn comes after so many milliseconds, and lasts for a moment. Others who have theirs before come back, too. */
export function pairWaits(
  state: QuotaState,
  quota: Quota,
  endpoint: string,
  { fromMs, untilMs }: { readonly fromMs: number; readonly untilMs: number },
): QuotaState {
  const { at } = state;
  const turn = { from: at + fromMs, until: at + untilMs + 5 * partMs(quota) };
  return withWindows(state, quota, endpoint, (window) => {
    const { pair } = window;
    const isOthers = pair !== undefined && pair.until > at && pair.from <= turn.from;
    return isOthers ? window : { ...window, pair: turn };
  });
}

/** Counts them as made now, both. */
export function takenPair(state: QuotaState, quota: Quota, endpoint: string): QuotaState {
  const counted = taken(state, quota, endpoint, { priority: 'withdrawal', calls: 2 });
  return withWindows(counted, quota, endpoint, (window) => ({ ...window, pair: undefined }));
}

/** Counts them as made now. */
export function taken(
  state: QuotaState,
  quota: Quota,
  endpoint: string,
  { priority, calls }: { readonly priority: CallPriority; readonly calls: number },
): QuotaState {
  const counts = {
    all: calls,
    person: priority === 'person' ? calls : 0,
    background: priority === 'background' ? calls : 0,
  };
  return withWindows(state, quota, endpoint, (window, span) => {
    const counted = calls === 0 ? window : withCounts(window, partOf(state.at, span), counts);
    return priority === 'person' ? { ...counted, personAt: state.at } : counted;
  });
}

/** How long calls that were lent ahead may be made, in parts of a minute. */
const aheadParts = 5;

export interface LentCalls {
  readonly calls: number;
  /** They may be made until then; counted as if all were made at the last moment. */
  readonly until: number;
}

/** A few calls ahead of their being asked for, while less than half of everything is used and nobody waits, or did lately. */
export function lend(
  state: QuotaState,
  quota: Quota,
  endpoint: string,
): LentCalls & { readonly state: QuotaState } {
  const span = spans(quota);
  const calls = Math.min(40, Math.floor(quota.perMinute / 25));
  const until = state.at + aheadParts * partMs(quota);
  const [own, account] = windowsOf(state, endpoint);
  const lately = 10 * partMs(quota);
  const isCalm = (window: Window, each: Span) =>
    state.at >= (window.closedUntil ?? 0) &&
    !priorities.some((priority) => isWaitedFor(window, priority, state.at - lately)) &&
    usedOf(window, each, state.at)[0] + calls <= allowedOf(window, each, state.at) / 2;
  if (calls === 0 || !isCalm(own, span.endpoint) || !isCalm(account, span.account)) {
    return { state, calls: 0, until };
  }
  const lent = withWindows(state, quota, endpoint, (window, each) =>
    withCounts(window, partOf(until, each), { all: calls, person: calls }),
  );
  return { state: lent, calls, until };
}

/** What of it was not made is not counted, and the rest when it was made. */
export function settled(
  state: QuotaState,
  quota: Quota,
  endpoint: string,
  { loan, made }: { readonly loan: LentCalls; readonly made: readonly number[] },
): QuotaState {
  const { calls, until } = loan;
  return withWindows(state, quota, endpoint, (window, span) => {
    const back = withCounts(window, partOf(until, span), { all: -calls, person: -calls });
    return made.reduce((counted, at) => withCounts(counted, partOf(at, span), { all: 1, person: 1 }), back);
  });
}

/**
 * When those who find no room may come back, in milliseconds from now: one after the other, by what the quota gives their
 * priority. Until then those that are less urgent know that somebody waits.
 */
export function queued(
  state: QuotaState,
  quota: Quota,
  endpoint: string,
  { priority, calls }: { readonly priority: CallPriority; readonly calls: number },
): { readonly state: QuotaState; readonly waitsMs: readonly number[] } {
  const { at } = state;
  const span = spans(quota);
  const [own, account] = windowsOf(state, endpoint);
  const isAccountFull = roomIn(account, priority, { span: span.account, at }) <= 0;
  const [full, each] = isAccountFull ? [account, span.account] : [own, span.endpoint];
  const { turns, window } =
    priority === 'withdrawal'
      ? promisedTo(full, { span: each, at, calls })
      : promisedIn(full, priority, { span: each, at, calls, latest: 2 * span.endpoint.lengthMs });
  const until = Math.max(turns.at(-1) ?? at, at + 2 * partMs(quota));
  const waiting = { ...window.waiting, [priority]: until };
  const next = { ...window, waiting };
  const changed = isAccountFull
    ? { ...state, account: next }
    : { ...state, endpoints: { ...state.endpoints, [endpoint]: next } };
  return { state: changed, waitsMs: turns.map((turn) => turn - at) };
}

interface Asked {
  readonly span: Span;
  readonly at: number;
  readonly calls: number;
}

function promisedTo(window: Window, asked: Asked) {
  const { turns, promised } = turnsOf(window, asked);
  return { turns, window: { ...window, promised } };
}

/** What is left for others than withdrawals is another matter in a while: nobody is told of a later turn. */
function promisedIn(
  window: Window,
  priority: Exclude<CallPriority, 'withdrawal'>,
  { span, at, calls, latest }: Asked & { readonly latest: number },
) {
  const first = nextRoom(window, priority, { span, at });
  const between = intervalMs(window, priority, { span, at });
  const back = Math.max(first, window.waiting?.[priority] ?? 0);
  const turns = Array.from({ length: calls }, (_, index) =>
    Math.min(first + latest, back + (index + 1) * between),
  );
  return { turns, window };
}

/** Somebody waits here for a moment: those that are less urgent go behind. */
export function waitedFor(
  state: QuotaState,
  quota: Quota,
  endpoint: string,
  priority: CallPriority,
): QuotaState {
  const { at } = state;
  const until = at + 2 * partMs(quota);
  return withWindows(state, quota, endpoint, (window, span) => {
    if (roomIn(window, priority, { span, at }) > 0) return window;
    const waiting = Math.max(until, window.waiting?.[priority] ?? 0);
    return { ...window, waiting: { ...window.waiting, [priority]: waiting } };
  });
}

/** Milliseconds until there is room for one, should nobody else come. */
export function untilRoom(state: QuotaState, quota: Quota, endpoint: string, priority: CallPriority): number {
  const span = spans(quota);
  const { at } = state;
  const [own, account] = windowsOf(state, endpoint);
  const first = Math.max(
    nextRoom(own, priority, { span: span.endpoint, at }),
    nextRoom(account, priority, { span: span.account, at }),
  );
  return first - at;
}

/** What an answer said of the quota; under a 429 no more calls go out for so many seconds. */
export interface SaidQuota {
  readonly period: 'MINUTE' | 'HOUR' | undefined;
  readonly allowed: number | undefined;
  readonly made: number | undefined;
  readonly waitSeconds: number | undefined;
}

/**
 * Learns from what the platform says. What it allows counts for an hour after it was said last, and never for more than
 * the settings allow; calls that it counted and nobody here made are somebody else's. A 429 that came although little
 * was used here, and that says nothing of what is allowed, halves what is, down to a tenth.
 */
export function heard(state: QuotaState, quota: Quota, endpoint: string, said: SaidQuota): QuotaState {
  const { at } = state;
  const { account, endpoint: own } = spans(quota);
  const isOfAccount = said.period === 'HOUR';
  const span = isOfAccount ? account : own;
  return withWindows(state, quota, endpoint, (window, each) => {
    if (each.lengthMs !== span.lengthMs) return window;
    const used = usedOf(window, span, at)[0];
    const others = said.made === undefined ? 0 : said.made - used;
    const counted = others > 0 ? withCounts(window, partOf(at, span), { all: others }) : window;
    const until = at + account.lengthMs;
    const before = allowedOf(window, span, at);
    const isEarly = said.waitSeconds !== undefined && said.allowed === undefined && used < before * 0.9;
    const allowed = isEarly ? Math.max(span.allowed / 10, before / 2) : said.allowed;
    return {
      ...counted,
      // Who waits was told so by what was allowed before.
      waiting: allowed === undefined || allowed === before ? window.waiting : undefined,
      ...(allowed === undefined ? {} : { said: { allowed: Math.max(1, Math.floor(allowed)), until } }),
      ...(said.waitSeconds === undefined
        ? {}
        : { closedUntil: Math.max(window.closedUntil ?? 0, at + said.waitSeconds * 1_000) }),
    };
  });
}

/** Whether an answer says anything that is not known yet. */
export function isNews(state: QuotaState, quota: Quota, endpoint: string, said: SaidQuota): boolean {
  if (said.waitSeconds !== undefined) return true;
  const isOfAccount = said.period === 'HOUR';
  const span = isOfAccount ? spans(quota).account : spans(quota).endpoint;
  const window = windowsOf(state, endpoint)[isOfAccount ? 1 : 0];
  if (window === undefined) return false;
  const before = allowedOf(window, span, state.at);
  if (said.allowed !== undefined && Math.min(said.allowed, span.allowed) !== before) return true;
  const others = (said.made ?? 0) - usedOf(window, span, state.at)[0];
  return others > before / 50;
}

export interface Left {
  readonly allowed: number;
  readonly left: number;
}

/** Of an endpoint, or of the account. */
export function leftOf(state: QuotaState, quota: Quota, endpoint: string | undefined): Left {
  const { account, endpoint: own } = spans(quota);
  const span = endpoint === undefined ? account : own;
  const window = endpoint === undefined ? state.account : windowsOf(state, endpoint)[0];
  const allowed = allowedOf(window, span, state.at);
  const isClosed = state.at < (window.closedUntil ?? 0);
  return { allowed, left: isClosed ? 0 : Math.max(0, allowed - usedOf(window, span, state.at)[0]) };
}
