import { parseArgs } from 'node:util';
import { loadEverything } from '../compose/everything.ts';
import type { Config } from '../config/environment.ts';

/** Fills the compile cache, for an image whose code is read-only. */
export async function compile(_config: Config, args: readonly string[]): Promise<void> {
  parseArgs({ args: [...args] });
  await loadEverything();
}
