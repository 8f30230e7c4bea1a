import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Product } from './product.ts';

/**
 * Sets the clock of a product that runs with test/chaos/shifted-clock.ts and SHIFTED_CLOCK: '{home}/shift' so many
 * milliseconds from the machine's, and waits until it is set.
 */
export async function setClock({ home }: Pick<Product, 'home'>, milliseconds: number): Promise<void> {
  const file = join(home, 'shift');
  // Never half written before the product's eyes.
  writeFileSync(`${file}-next`, String(milliseconds));
  renameSync(`${file}-next`, file);
  const last = performance.now() + 120_000;
  while (readOr(`${file}-read`) !== String(milliseconds)) {
    if (performance.now() > last) throw new Error('the clock of the product was not set');
    await pause(10);
  }
}

function readOr(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
