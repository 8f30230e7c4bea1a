import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Product } from './product.ts';
import { until } from './until.ts';

/**
 * Sets a product's clock so many milliseconds from the machine's, and waits until it is set. The product runs
 * with test/chaos/shifted-clock.ts and SHIFTED_CLOCK: '{home}/shift'.
 */
export async function setClock({ home }: Pick<Product, 'home'>, milliseconds: number): Promise<void> {
  const file = join(home, 'shift');
  // Renamed, so that the product never reads a half-written file.
  writeFileSync(`${file}-next`, String(milliseconds));
  renameSync(`${file}-next`, file);
  const isSet = () =>
    existsSync(`${file}-read`) && readFileSync(`${file}-read`, 'utf8') === String(milliseconds);
  await until(isSet, 'the clock of the product is set');
}
