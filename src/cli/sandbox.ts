import { startSandboxAlone } from '../compose/product.ts';
import type { Config } from '../config/environment.ts';
import { stopOnSignal } from './stop-on-signal.ts';

/** The stand-in platform alone, until a signal ends it. */
export async function sandbox(config: Config): Promise<void> {
  stopOnSignal(await startSandboxAlone(config));
}
