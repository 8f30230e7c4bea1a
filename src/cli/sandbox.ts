import { join } from 'node:path';
import { startSandboxAlone } from '../compose/sandbox.ts';
import type { Config } from '../config/environment.ts';
import { stopOnSignal } from './stop-on-signal.ts';
import type { Values } from './usage.ts';

/** Runs the stand-in platform alone until a signal ends it. `--from` names a recording of `capture`. */
export async function sandbox(config: Config, { from }: Values<'sandbox'>): Promise<void> {
  stopOnSignal(await startSandboxAlone(from === undefined ? config : playing(config, from)));
}

/** Changes to a played recording are kept beside it, apart from those of every other recording. */
function playing(config: Config, folder: string): Config {
  return {
    ...config,
    dataDir: join(folder, '.played'),
    sandbox: { ...config.sandbox, seedDir: folder },
  };
}
