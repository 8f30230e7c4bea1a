import type { CallPriority } from '../ports/platform.ts';

/** Calls of a part of a window: all of them, and which of them were for people and in the background. */
type Counts = readonly [all: number, person: number, background: number];

/** A window and what is known of it. Times are milliseconds of `QuotaState.at`. */
export interface Window {
  /** By the number of the part. Parts to come hold what was lent ahead. */
  readonly parts: Readonly<Record<string, Counts>>;
  /** What the platform itself said. */
  readonly said?: { readonly allowed: number; readonly until: number } | undefined;
  /** No call before then. */
  readonly closedUntil?: number | undefined;
  /** Calls so far, and the number of the call that was promised last to a withdrawal. */
  readonly made?: number | undefined;
  readonly promised?: number | undefined;
  /** When a person's call was asked for last. */
  readonly personAt?: number | undefined;
  /** When two calls of a withdrawal that must go together have their turn: others leave them their room then. */
  readonly pair?: { readonly from: number; readonly until: number } | undefined;
  /** Until when somebody of this priority waits, and when the next one who is sent away may come back. */
  readonly waiting?: Readonly<Partial<Record<CallPriority, number | undefined>>> | undefined;
}

export interface Span {
  readonly lengthMs: number;
  readonly allowed: number;
}

/** Of a window. */
export const parts = 60;
/**
 * Parts longer than the window that calls are counted: a call counts from the part in which it was granted, and reaches
 * the platform a moment later.
 */
const margin = 1;

export function partOf(at: number, { lengthMs }: Span): number {
  return Math.floor((at * parts) / lengthMs);
}

/** Nothing of before, of a part that is over. */
export function pruned(window: Window, span: Span, at: number): Window {
  const oldest = partOf(at, span) - parts - margin;
  const kept = Object.entries(window.parts).filter(([part]) => Number(part) >= oldest);
  return { ...window, parts: Object.fromEntries(kept) };
}

/**
 * As it is for somebody whose time is ahead of that of who wrote it. What is not in `before` was written since by a time
 * that lags, and would be over too early.
 */
export function broughtForward(
  window: Window,
  { before, span, at, lagMs }: { before: Window | undefined; span: Span; at: number; lagMs: number },
): Window {
  const ahead = partOf(at, span) - partOf(at - lagMs, span);
  const counted: Record<string, Counts> = {};
  const add = (part: number, [all, person, background]: Counts) => {
    if (all === 0) return;
    const [a, p, b] = counted[part] ?? none;
    counted[part] = [a + all, p + person, b + background];
  };
  for (const [part, [all, person, background]] of Object.entries(window.parts)) {
    const [a, p, b] = before?.parts[part] ?? none;
    const known: Counts = [Math.min(all, a), Math.min(person, p), Math.min(background, b)];
    add(Number(part), known);
    add(Number(part) + ahead, [all - known[0], person - known[1], background - known[2]]);
  }
  const later = (time: number | undefined, then: number | undefined) =>
    time === undefined || time === then ? time : time + lagMs;
  const { said, waiting } = window;
  return {
    ...window,
    parts: counted,
    closedUntil: later(window.closedUntil, before?.closedUntil),
    personAt: later(window.personAt, before?.personAt),
    said: said && { ...said, until: later(said.until, before?.said?.until) ?? said.until },
    waiting: waiting && {
      withdrawal: later(waiting.withdrawal, before?.waiting?.withdrawal),
      person: later(waiting.person, before?.waiting?.person),
      background: later(waiting.background, before?.waiting?.background),
    },
  };
}

export function usedOf(window: Window, span: Span, at: number): Counts {
  const oldest = partOf(at, span) - parts - margin;
  let all = 0;
  let person = 0;
  let background = 0;
  for (const part in window.parts) {
    const counts = window.parts[part];
    if (counts === undefined || Number(part) < oldest) continue;
    all += counts[0];
    person += counts[1];
    background += counts[2];
  }
  return [all, person, background];
}

export function allowedOf({ said }: Window, { allowed }: Span, at: number): number {
  return said !== undefined && at < said.until ? Math.min(allowed, said.allowed) : allowed;
}

export function isWaitedFor(window: Window, priority: CallPriority, at: number): boolean {
  return at < (window.waiting?.[priority] ?? Number.NEGATIVE_INFINITY);
}

/**
 * How many calls of a priority a window has room for now:
 * - a withdrawal may use all of it, but for what is left of a tenth where there were people in this window, and for
 *   two that must go together, while it is their turn;
 * - people may use all but a tenth, and that tenth alone while a withdrawal waits;
 * - the background may use all but three tenths, a twentieth of it while people wait, and nothing while a withdrawal does.
 * All but withdrawals take no more than a part of what is left at a time, so that nobody finds it all used up by a burst.
 */
export function roomIn(
  window: Window,
  priority: CallPriority,
  { span, at }: { span: Span; at: number },
): number {
  if (at < (window.closedUntil ?? 0)) return 0;
  if (priority === 'withdrawal')
    return roomForWithdrawals(window, { span, at }) - keptForPair(window, { span, at });
  const allowed = allowedOf(window, span, at);
  const [all, person, background] = usedOf(window, span, at);
  const [, personNow, backgroundNow] = window.parts[partOf(at, span)] ?? none;
  const left = allowed - all;
  const tenth = Math.ceil(allowed / 10);
  const floor = Math.min(left, tenth - person);
  const isBehind = isWaitedFor(window, 'withdrawal', at);
  if (priority === 'person') {
    return smooth(isBehind ? floor : Math.max(left - tenth, floor), personNow, 5);
  }
  if (isBehind) return 0;
  const share = left - 3 * tenth;
  if (!isWaitedFor(window, 'person', at)) return smooth(share, backgroundNow, 10);
  return smooth(Math.min(left - tenth, Math.ceil(allowed / 20) - background), backgroundNow, 10);
}

/** Whether two calls of a withdrawal may go together. Where there never is room for two, one is enough. */
export function hasRoomForPair(window: Window, { span, at }: { span: Span; at: number }): boolean {
  if (at < (window.closedUntil ?? 0)) return false;
  return roomForWithdrawals(window, { span, at }) >= pairOf(window, { span, at });
}

/** For how many calls two that go together wait: of which there may be room at a time. */
export function pairOf(window: Window, { span, at }: { span: Span; at: number }): number {
  const allowed = allowedOf(window, span, at);
  return Math.min(2, allowed - (hasPeople(window, span, at) ? floorOf(allowed) : 0));
}

function roomForWithdrawals(window: Window, { span, at }: { span: Span; at: number }): number {
  const allowed = allowedOf(window, span, at);
  return allowed - usedOf(window, span, at)[0] - reservedForPeople(window, { span, at, allowed });
}

function keptForPair(window: Window, { span, at }: { span: Span; at: number }): number {
  const { pair } = window;
  return pair !== undefined && at >= pair.from && at < pair.until ? pairOf(window, { span, at }) : 0;
}

const none: Counts = [0, 0, 0];

function smooth(room: number, takenNow: number, among: number): number {
  if (room <= 0) return 0;
  return Math.min(room, Math.ceil((room + takenNow) / among) - takenNow);
}

export function withCounts(
  window: Window,
  part: number,
  { all, person = 0, background = 0 }: { all: number; person?: number; background?: number },
): Window {
  const [a, p, b] = window.parts[part] ?? none;
  const counts: Counts = [Math.max(0, a + all), Math.max(0, p + person), Math.max(0, b + background)];
  return {
    ...window,
    made: (window.made ?? 0) + counts[0] - a,
    parts: { ...window.parts, [part]: counts },
  };
}

/**
 * The turns of so many withdrawals that find no room: each as soon as a call that was made, or promised, before it counts
 * no more. Promises that were not kept are forgotten once all are due.
 */
export function turnsOf(
  window: Window,
  { span, at, calls }: { span: Span; at: number; calls: number },
): { readonly turns: readonly number[]; readonly promised: number } {
  const { made = 0 } = window;
  const allowed = Math.max(1, allowedOf(window, span, at));
  // Of the calls in between a tenth is people's.
  const step = hasPeople(window, span, at) && allowed > 1 ? 10 / 9 : 1;
  const opened = Math.max(at, window.closedUntil ?? 0);
  const partMs = span.lengthMs / parts;
  const counted = (parts + margin + 1) * partMs;
  const latest = Object.keys(window.parts)
    .map(Number)
    .sort((a, b) => b - a);
  const turnOf = (call: number): number => {
    const gone = call - allowed;
    if (gone > made) return turnOf(gone) + counted;
    let since = made - gone;
    for (const part of latest) {
      since -= window.parts[part]?.[0] ?? 0;
      if (since < 0) return Math.max(opened, part * partMs + counted);
    }
    return opened;
  };
  const before = window.promised ?? 0;
  const first = before > made && turnOf(before) > at ? before : made;
  const numberOf = (index: number) => first + Math.ceil((index + 1) * step);
  const turns = Array.from({ length: calls }, (_, index) => turnOf(numberOf(index)));
  return { turns, promised: numberOf(calls - 1) };
}

function hasPeople({ personAt }: Window, span: Span, at: number): boolean {
  return personAt !== undefined && at - personAt < span.lengthMs;
}

function reservedForPeople(
  window: Window,
  { span, at, allowed }: { span: Span; at: number; allowed: number },
): number {
  if (!hasPeople(window, span, at)) return 0;
  const [, person] = usedOf(window, span, at);
  return Math.max(0, floorOf(allowed) - person);
}

/** What of all calls is people's. */
function floorOf(allowed: number): number {
  return Math.min(allowed - 1, Math.ceil(allowed / 10));
}

/** When there is room for one, should nobody else come: with time there is only ever more. */
export function nextRoom(
  window: Window,
  priority: CallPriority,
  { span, at }: { span: Span; at: number },
): number {
  const opened = Math.max(at, window.closedUntil ?? 0);
  const step = span.lengthMs / parts;
  const whenOf = (part: number) => Math.max(opened, part * step);
  let first = partOf(opened, span);
  let last = first + parts + margin + 1;
  while (first < last) {
    const middle = Math.floor((first + last) / 2);
    if (roomIn(window, priority, { span, at: whenOf(middle) }) > 0) last = middle;
    else first = middle + 1;
  }
  return whenOf(first);
}

/** Between two calls of a priority, on the average. A little short, so that no room is left unused. */
export function intervalMs(
  window: Window,
  priority: Exclude<CallPriority, 'withdrawal'>,
  { span, at }: { span: Span; at: number },
): number {
  const allowed = allowedOf(window, span, at);
  const share = {
    person: isWaitedFor(window, 'withdrawal', at) ? allowed / 10 : allowed * 0.8,
    background: allowed * 0.4,
  };
  return span.lengthMs / Math.max(1, share[priority]);
}
