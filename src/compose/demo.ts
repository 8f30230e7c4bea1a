import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Config } from '../config/environment.ts';
import { faultCode } from '../core/model/fault-code.ts';

/** Node passes the permission model on to child processes and would warn again. */
const quiet = ['--disable-warning=ExperimentalWarning', '--disable-warning=SecurityWarning'];
const server = join(import.meta.dirname, '../../demo/server.ts');

/**
 * Starts the demo's customer site beside the sandbox, as a process that knows only its own key. Returns
 * undefined with a tenant, with own centers, or if the demo is off.
 */
export async function startDemo(config: Config) {
  if (config.platform !== undefined || config.centers !== undefined) return undefined;
  if (config.demoPort === 'off' || config.port === 0) return undefined;
  // The product's image has no demo and may not start processes.
  if (!existsSync(server)) return undefined;
  // These ports are not in use yet.
  const own = [config.port, config.metricsPort, config.sandbox.port];
  const port = await findPort(config.demoPort ?? config.port + 1, own);
  const origin = `http://localhost:${port}`;
  const child = spawn(process.execPath, [...quiet, server, '--with-parent'], {
    env: { DEMO_PORT: String(port), DEMO_URL: origin, SAYSO_URL: config.publicUrl.origin },
    // The child's standard input ends with this process, whatever ends it, and then the child exits.
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  return {
    origin,
    /** The address of the demo's public keys. */
    keys: `${origin}/.well-known/jwks.json`,
    async close(): Promise<void> {
      child.stdin.end();
      await ended;
    },
  };
}

/** Returns the wanted port, or a free one if the wanted port is in use. */
async function findPort(wanted: number, own: readonly (number | undefined)[]): Promise<number> {
  for (const port of [wanted, 0, 0]) {
    if (own.includes(port)) continue;
    const found = await freeAt('127.0.0.1', port);
    // Another program at this port of IPv6 would be taken for the demo where `localhost` is `::1`.
    const isFree = found !== undefined && (await freeAt('::1', found)) !== undefined;
    if (isFree && !own.includes(found)) return found;
  }
  return wanted;
}

/** Returns the port, or a free one for 0; undefined if the port is in use. */
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
    const code = faultCode(fault);
    // The machine has no IPv6.
    return code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT' ? port : undefined;
  }
}
