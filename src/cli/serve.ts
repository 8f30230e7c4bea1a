import { parseArgs } from 'node:util';
import { startSayso } from '../compose/product.ts';
import type { Config } from '../config/environment.ts';
import { stopOnSignal } from './stop-on-signal.ts';

/** The whole product, until a signal ends it. */
export async function serve(config: Config, args: readonly string[], read: () => Config): Promise<void> {
  parseArgs({ args: [...args] });
  const running = await startSayso(config);
  stopOnSignal(running);
  // On a terminal it says that the terminal is gone.
  if (config.centers !== undefined && !process.stdout.isTTY) process.on('SIGHUP', () => running.reload(read));
}
