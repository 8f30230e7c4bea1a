import { randomFillSync } from 'node:crypto';

const batch = Buffer.allocUnsafeSlow(4_096);
let used = batch.length;

/** Fresh random bytes from a batch: a call of the generator costs more than a hundred bytes do. Each is given once. */
export function randomBytes(length: number): Buffer {
  if (length > batch.length) return randomFillSync(Buffer.allocUnsafeSlow(length));
  if (used + length > batch.length) {
    randomFillSync(batch);
    used = 0;
  }
  const taken = Buffer.from(batch.subarray(used, used + length));
  batch.fill(0, used, used + length);
  used += length;
  return taken;
}
