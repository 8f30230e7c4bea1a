/**
 * Loaded into the product with `--import`: its wall clock runs by what the file in SHIFTED_CLOCK says (milliseconds,
 * read 50 times a second), as when a machine's clock is set. What counts from the start of the process
 * (`performance.now`, timers) goes on, as it does on a machine. What it runs by now is written beside the file.
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
