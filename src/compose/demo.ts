import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Config } from '../config/environment.ts';

/** The demo's customer site, beside the sandbox: another process, which knows no more than its own key. */
export interface Demo {
  readonly origin: string;
  /** Where its public keys are. */
  readonly keys: string;
  close(): Promise<void>;
}

/** For the start page. */
export function demoLink({ origin }: Demo) {
  return {
    href: origin,
    label: 'A customer’s site',
    text: 'A made-up shop whose account page shows the preferences in a frame.',
  };
}

/** Under the permission model Node hands its permissions on, and warns of them once more. */
const quiet = ['--disable-warning=ExperimentalWarning', '--disable-warning=SecurityWarning'];
const server = join(import.meta.dirname, '../../demo/server.ts');

/** undefined with a tenant, with centers of one's own, or switched off. */
export async function startDemo(config: Config): Promise<Demo | undefined> {
  if (config.platform !== undefined || config.centers !== undefined) return undefined;
  if (config.demoPort === 'off' || config.port === 0) return undefined;
  // An image of the product alone has none, and may start no process either.
  if (!existsSync(server)) return undefined;
  const wanted = config.demoPort ?? config.port + 1;
  // The sandbox begins to listen only later.
  const port = await findPort(wanted === config.sandbox.port ? 0 : wanted);
  const origin = `http://localhost:${port}`;
  const child = spawn(process.execPath, [...quiet, server, '--with-parent'], {
    env: { DEMO_PORT: String(port), DEMO_URL: origin, SAYSO_URL: config.publicUrl.origin },
    // It ends when this process does, however that ends: its standard input ends then.
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  return {
    origin,
    keys: `${origin}/.well-known/jwks.json`,
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}

/** The one wanted, or any when that is taken. */
async function findPort(wanted: number): Promise<number> {
  for (const port of [wanted, 0]) {
    const probe = createServer();
    try {
      // Where the demo listens: at every address the port may be free though it is taken there.
      probe.listen(port, '127.0.0.1');
      await once(probe, 'listening');
      const address = probe.address();
      const found = typeof address === 'object' && address !== null ? address.port : port;
      probe.close();
      await once(probe, 'close');
      return found;
    } catch {
      // Taken.
    }
  }
  return wanted;
}
