import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePorts } from '../kit/product.ts';

const root = join(import.meta.dirname, '..', '..');

export const programs = {
  sayso: join(root, 'src', 'main.mjs'),
  'express-hello': join(import.meta.dirname, 'express-hello.mjs'),
} as const;

/** What one start leaves for the next, the data folder, is kept: as where a service is started again. */
export interface Starter {
  /** Milliseconds from the start of a process to its first answer, whatever that says. */
  start(program: keyof typeof programs): Promise<number>;
  [Symbol.dispose](): void;
}

export function createStarter(upstream: string): Starter {
  const home = mkdtempSync(join(tmpdir(), 'sayso-start-'));
  return {
    async start(program) {
      const [port] = await freePorts(1);
      const from = performance.now();
      const child = spawn(process.execPath, [programs[program]], {
        cwd: root,
        env: {
          PATH: process.env['PATH'] ?? '',
          NODE_ENV: 'production',
          PORT: String(port),
          DRAIN_SECONDS: '0',
          DATA_DIR: home,
          SECRET: 'f54Lj26j7HwpGgIl9lBSPNGuogYlnUAeWzz4uRQuPMo',
          PLATFORM_URL: upstream,
          PLATFORM_CLIENT_ID: 'bench',
          PLATFORM_CLIENT_SECRET: 'bench-secret',
        },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      try {
        while (child.exitCode === null) {
          const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
          if (answer !== undefined) return performance.now() - from;
          if (performance.now() - from > 30_000) break;
          await pause(5);
        }
        throw new Error(`${program} did not answer`);
      } finally {
        const ended = child.exitCode === null ? once(child, 'exit') : undefined;
        child.kill('SIGTERM');
        await ended;
      }
    },
    [Symbol.dispose]: () => rmSync(home, { recursive: true, force: true }),
  };
}
