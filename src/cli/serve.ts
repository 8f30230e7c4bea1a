import { startSayso } from '../compose/product.ts';
import type { Config } from '../config/environment.ts';
import { stopOnSignal } from './stop-on-signal.ts';

/** Runs the whole product until a signal ends it. */
export async function serve(
  config: Config,
  _values: object,
  { read }: { readonly read: () => Config },
): Promise<void> {
  const running = await startSayso(config);
  stopOnSignal(running);
  // On a terminal, SIGHUP means that the terminal is gone.
  if (config.centers !== undefined && !process.stdout.isTTY) process.on('SIGHUP', () => running.reload(read));
}
