/**
 * Loaded into the product with `--import`: shifts its wall clock by the milliseconds in the file of
 * SHIFTED_CLOCK, as when a machine's clock is set. The file is read 50 times a second, and a new shift is
 * written beside it once it is in use. `performance.now` and timers go on, as they do on a machine.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';

const file = process.env['SHIFTED_CLOCK'] ?? '';
const now = Date.now.bind(Date);
let shift = read();

setInterval(() => {
  const next = read();
  if (next === shift) return;
  shift = next;
  writeFileSync(`${file}-read`, String(shift));
}, 20).unref();

globalThis.Date = class extends Date {
  constructor(...parts: readonly unknown[]) {
    if (parts.length === 0) super(now() + shift);
    else super(...(parts as [number]));
  }

  static override now(): number {
    return now() + shift;
  }
} as DateConstructor;

function read(): number {
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
}
