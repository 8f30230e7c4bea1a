export interface WebhookMessage {
  readonly url: string;
  /** Each in base64; all of them sign. */
  readonly secrets: readonly string[];
  /** The same whenever it is sent again. */
  readonly id: string;
  readonly body: string;
}

/**
 * `gone`: the receiver wants no more. `problem`: a word of a few, for staff and metrics, such as `status-500`,
 * `timeout`, `redirect` or `address-refused`.
 */
export type WebhookResult =
  | { readonly kind: 'taken' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'not-taken'; readonly problem: string; readonly retryAfterMs: number };

/** Webhooks after Standard Webhooks. Never throws. */
export interface WebhookSender {
  send(message: WebhookMessage): Promise<WebhookResult>;
  /** Ends what is on its way. */
  close(): Promise<void>;
}
