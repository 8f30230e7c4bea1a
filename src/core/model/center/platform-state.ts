/** The state of the platform, by the calls of this process. Times are epoch milliseconds. */
export interface PlatformState {
  /** When it last answered well; undefined: not since the start. */
  readonly answeredAt: number | undefined;
  /** The last fault, if no good answer followed it. */
  readonly fault: { readonly code: string; readonly at: number } | undefined;
  /** Operations that are not called for now, because they keep failing. */
  readonly paused: readonly string[];
  /** Calls of this process within the last hour. */
  readonly lastHour: number;
  /** When it last asked us to wait (429); undefined: not within the last hour. */
  readonly limitedAt: number | undefined;
}
