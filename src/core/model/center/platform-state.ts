/** The state of the platform, as the calls of this process show it. Times are epoch milliseconds. */
export interface PlatformState {
  /** Time of the last good answer; undefined: none since the start. */
  readonly answeredAt: number | undefined;
  /** The last fault; undefined once a good answer follows it. */
  readonly fault: { readonly code: string; readonly at: number } | undefined;
  /** Operations that are paused because they keep failing. */
  readonly paused: readonly string[];
  /** Number of calls by this process within the last hour. */
  readonly lastHour: number;
  /** Time of the platform's last request to wait (429); undefined: none within the last hour. */
  readonly limitedAt: number | undefined;
}
