import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startSayso } from '../../../src/compose/product.ts';
import { readConfig } from '../../../src/config/environment.ts';
import { canaries } from '../../kit/canaries.ts';
import { freePorts, manyCalls, unhurried } from '../../kit/product.ts';

/** The product in this process, as it runs with a tenant: for tests that move the time, or ask thousands of pages. */
export interface InProcess {
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  readonly home: string;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function startInProcess({
  platformUrl,
  env = {},
}: {
  readonly platformUrl: string;
  readonly env?: Readonly<Record<string, string>>;
}): Promise<InProcess> {
  // Thousands sign in: waiting for a disk would be most of the time.
  const home = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'sayso-in-process-'));
  const [port] = await freePorts(1);
  const settings = {
    PORT: String(port),
    DATA_DIR: home,
    SECRET: canaries.secret,
    PLATFORM_URL: platformUrl,
    PLATFORM_CLIENT_ID: 'sandbox',
    PLATFORM_CLIENT_SECRET: canaries.platformSecret,
    ...manyCalls,
    LOG_LEVEL: 'silent',
    DRAIN_SECONDS: '0',
    ...env,
  };
  const running = await startSayso(
    readConfig(settings, () => ''),
    { timeouts: unhurried },
  );
  return {
    url: `http://localhost:${port}`,
    env: settings,
    home,
    async [Symbol.asyncDispose]() {
      await running.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Writes a folder as the tests describe one: path → text. */
export function writeFolder(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
