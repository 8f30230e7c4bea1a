/** Epoch milliseconds. */
export interface Clock {
  now(): number;
}

/** Runs something later; the returned function cancels it. */
export interface Timer {
  after(milliseconds: number, run: () => void): () => void;
}
