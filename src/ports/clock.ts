/** Epoch milliseconds. */
export interface Clock {
  now(): number;
}
