import { randomFillSync } from 'node:crypto';

const batch = Buffer.allocUnsafeSlow(4_096);
let used = batch.length;

/**
 * Random bytes, taken from a batch: one call of the generator costs more than a hundred bytes of it. No byte
 * is given twice.
 */
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

/** The product's only source of random ids. A spreadsheet takes a hyphen at the start for a formula. */
export const random = { id: () => randomBytes(18).toString('base64url').replace(/^-/, '_') };
