import { hourMs, type Quota, type QuotaState, spansOf, windowOf } from './quota.ts';
import { isAfter, partOf, type Span, taken, tenthOf, usedOf, type Window, wholeOf } from './quota-window.ts';

/** The quota as an answer tells it. `waitSeconds`: only after a 429; no calls go out for so long. */
export interface SaidQuota {
  readonly period: 'MINUTE' | 'HOUR' | undefined;
  readonly allowed: number | undefined;
  readonly made: number | undefined;
  readonly waitSeconds: number | undefined;
}

/**
 * The calls of other programs, as an answer tells them, less the part of the platform's limit that is not
 * ours.
 */
function othersOf(window: Window, span: Span, at: number, said: SaidQuota): number {
  const theirs = said.allowed === undefined ? 0 : Math.max(0, said.allowed - wholeOf(window, span, at));
  return Math.max(0, madeByOthers(window, span, at, said) - theirs);
}

function madeByOthers(window: Window, span: Span, at: number, said: SaidQuota): number {
  if (said.waitSeconds === undefined) return (said.made ?? 0) - usedOf(window, span, at).all;
  // The platform's window ends with Retry-After. The calls of its passed part are scaled to a whole window,
  // and by a tenth more.
  const leftMs = said.waitSeconds * 1_000;
  const sinceMs = leftMs < span.lengthMs ? span.lengthMs - leftMs : span.lengthMs;
  const ours = usedOf(window, span, at, partOf(at - sinceMs, span)).all;
  const others = Math.max(0, (said.made ?? wholeOf(window, span, at)) - ours) + 1;
  return Math.ceil((1.1 * others * span.lengthMs) / sinceMs);
}

/** Our part of the limit that the platform names. */
function allowedBy({ period, allowed }: SaidQuota, { hourShare = 1 }: Quota): number | undefined {
  if (allowed === undefined) return undefined;
  return Math.max(1, Math.floor(period === 'HOUR' ? allowed * hourShare : allowed));
}

/**
 * The state after an answer about the quota; undefined if the answer tells nothing new. A limit that the
 * platform names counts for an hour, and only below the limit of the settings. The calls of other programs
 * are subtracted from each of our windows: for an hour after a 429, else for ten windows or an hour. The
 * first 429 after the window was open raises their number by at least a tenth of the limit.
 */
export function heard(state: QuotaState, quota: Quota, endpoint: string, said: SaidQuota) {
  const { at } = state;
  const isHour = said.period === 'HOUR';
  const span = spansOf(quota)[isHour ? 1 : 0];
  const window = isHour ? state.account : windowOf(state, endpoint);
  const allowed = allowedBy(said, quota);
  const known: Window = allowed === undefined ? window : { ...window, said: { allowed, until: at + hourMs } };
  const whole = wholeOf(known, span, at);
  const isLimitNew = wholeOf(window, span, at) !== whole;
  const before = taken(window, at);
  const found = othersOf(known, span, at, said);
  const isBusy = said.waitSeconds !== undefined;
  if (!isBusy && !isLimitNew && found <= before + whole / 50) return undefined;
  const isFirst = isBusy && !isAfter(window.closedUntil, at);
  const most = isBusy ? whole - tenthOf(whole) : whole;
  const calls = Math.min(most, isFirst ? Math.max(found, before + tenthOf(whole)) : found);
  const until = at + (isBusy ? hourMs : Math.min(hourMs, 10 * span.lengthMs));
  const next: Window = {
    ...known,
    ...(calls > 0 && calls >= before ? { others: { calls, until } } : {}),
    ...(isLimitNew ? { told: undefined, backAt: undefined, withdrawalUntil: undefined } : {}),
    ...(isBusy
      ? { closedUntil: Math.max(window.closedUntil ?? 0, at + (said.waitSeconds ?? 0) * 1_000) }
      : {}),
  };
  if (isHour) return { ...state, account: next };
  return { ...state, endpoints: { ...state.endpoints, [endpoint]: next } };
}
