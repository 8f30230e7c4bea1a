import { hourMs, type Quota, type QuotaState, spansOf, windowOf } from './quota.ts';
import { isAfter, partOf, type Span, taken, tenthOf, usedOf, type Window, wholeOf } from './quota-window.ts';

/** What an answer said about the quota. `waitSeconds`: a 429, after which no calls go out for so long. */
export interface SaidQuota {
  readonly period: 'MINUTE' | 'HOUR' | undefined;
  readonly allowed: number | undefined;
  readonly made: number | undefined;
  readonly waitSeconds: number | undefined;
}

/** What other programs made, of the calls that an answer tells of, beyond what of the account is not ours anyway. */
function othersOf(window: Window, span: Span, at: number, said: SaidQuota): number {
  const theirs = said.allowed === undefined ? 0 : Math.max(0, said.allowed - wholeOf(window, span, at));
  return Math.max(0, madeByOthers(window, span, at, said) - theirs);
}

function madeByOthers(window: Window, span: Span, at: number, said: SaidQuota): number {
  if (said.waitSeconds === undefined) return (said.made ?? 0) - usedOf(window, span, at).all;
  // It ends with Retry-After; what is told of a part of a window goes for the whole, and a little more.
  const leftMs = said.waitSeconds * 1_000;
  const sinceMs = leftMs < span.lengthMs ? span.lengthMs - leftMs : span.lengthMs;
  const ours = usedOf(window, span, at, partOf(at - sinceMs, span)).all;
  const others = Math.max(0, (said.made ?? wholeOf(window, span, at)) - ours) + 1;
  return Math.ceil((1.1 * others * span.lengthMs) / sinceMs);
}

/** Ours of what the platform says that it allows. */
function allowedBy({ period, allowed }: SaidQuota, { hourShare = 1 }: Quota): number | undefined {
  if (allowed === undefined) return undefined;
  return Math.max(1, Math.floor(period === 'HOUR' ? allowed * hourShare : allowed));
}

/**
 * Learns from what the platform says; undefined: nothing new. What it allows counts for an hour after it was said, and
 * never for more than the settings allow. What others take is left to them in each window: for an hour after a 429,
 * which raises it by a tenth at least, else for ten windows.
 */
export function heard(state: QuotaState, quota: Quota, endpoint: string, said: SaidQuota) {
  const { at } = state;
  const isHour = said.period === 'HOUR';
  const span = spansOf(quota)[isHour ? 1 : 0];
  const window = isHour ? state.account : windowOf(state, endpoint);
  const allowed = allowedBy(said, quota);
  const known: Window = allowed === undefined ? window : { ...window, said: { allowed, until: at + hourMs } };
  const whole = wholeOf(known, span, at);
  const isOther = wholeOf(window, span, at) !== whole;
  const before = taken(window, at);
  const found = othersOf(known, span, at, said);
  const isBusy = said.waitSeconds !== undefined;
  if (!isBusy && !isOther && found <= before + whole / 50) return undefined;
  const isFirst = isBusy && !isAfter(window.closedUntil, at);
  const most = isBusy ? whole - tenthOf(whole) : whole;
  const calls = Math.min(most, isFirst ? Math.max(found, before + tenthOf(whole)) : found);
  const until = at + (isBusy ? hourMs : Math.min(hourMs, 10 * span.lengthMs));
  const next: Window = {
    ...known,
    ...(calls > 0 && calls >= before ? { others: { calls, until } } : {}),
    ...(isOther ? { told: undefined, backAt: undefined, withdrawalUntil: undefined } : {}),
    ...(isBusy
      ? { closedUntil: Math.max(window.closedUntil ?? 0, at + (said.waitSeconds ?? 0) * 1_000) }
      : {}),
  };
  if (isHour) return { ...state, account: next };
  return { ...state, endpoints: { ...state.endpoints, [endpoint]: next } };
}
