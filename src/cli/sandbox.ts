import { join } from 'node:path';
import { startSandboxAlone } from '../compose/sandbox.ts';
import type { Config } from '../config/environment.ts';
import { stopOnSignal } from './stop-on-signal.ts';
import type { Values } from './usage.ts';

/** The stand-in platform alone, until a signal ends it. `--from`: a recording that `capture` has made. */
export async function sandbox(config: Config, { from }: Values<'sandbox'>): Promise<void> {
  stopOnSignal(await startSandboxAlone(from === undefined ? config : playing(config, from)));
}

/** What is changed while it is played stays beside the recording, apart from every other. */
function playing(config: Config, folder: string): Config {
  return {
    ...config,
    dataDir: join(folder, '.played'),
    sandbox: { ...config.sandbox, seedDir: folder },
  };
}
