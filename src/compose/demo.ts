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
  // These begin to listen only later.
  const own = [config.port, config.metricsPort, config.sandbox.port];
  const port = await findPort(config.demoPort ?? config.port + 1, own);
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
async function findPort(wanted: number, own: readonly (number | undefined)[]): Promise<number> {
  for (const port of [wanted, 0, 0]) {
    if (own.includes(port)) continue;
    const found = await freeAt('127.0.0.1', port);
    // A program that listens there would pass for the demo where `localhost` is this address.
    const isFree = found !== undefined && (await freeAt('::1', found)) !== undefined;
    if (isFree && !own.includes(found)) return found;
  }
  return wanted;
}

/** The port, or the one that was found for 0; undefined where it is taken. */
async function freeAt(host: string, port: number): Promise<number | undefined> {
  const probe = createServer();
  try {
    probe.listen(port, host);
    await once(probe, 'listening');
    const address = probe.address();
    const found = typeof address === 'object' && address !== null ? address.port : port;
    probe.close();
    await once(probe, 'close');
    return found;
  } catch (fault) {
    const code = fault instanceof Error && 'code' in fault ? fault.code : undefined;
    // A machine without IPv6.
    return code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT' ? port : undefined;
  }
}
