import { startSayso } from '../compose/product.ts';
import type { Config } from '../config/environment.ts';
import { stopOnSignal } from './stop-on-signal.ts';

/** The whole product, until a signal ends it. */
export async function serve(config: Config): Promise<void> {
  stopOnSignal(await startSayso(config));
}
