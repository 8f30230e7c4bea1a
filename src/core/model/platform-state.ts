/** How calls to the platform have gone lately, as this process has seen it. Times are epoch milliseconds. */
export interface PlatformState {
  /** When it last answered as it should; undefined: not since the start. */
  readonly answeredAt: number | undefined;
  /** The last fault that nothing has followed yet. */
  readonly fault: { readonly code: string; readonly at: number } | undefined;
  /** Operations that are not asked for at the moment, because they keep failing. */
  readonly paused: readonly string[];
  /** Calls of this process within the last hour. */
  readonly lastHour: number;
  /** When it last asked us to wait (429); undefined: not within the last hour. */
  readonly limitedAt: number | undefined;
}
