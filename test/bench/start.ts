import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePorts } from '../kit/product.ts';
import { median } from './figures.ts';
import { settingsAt } from './race.ts';

const root = join(import.meta.dirname, '..', '..');
const product = join(root, 'src', 'main.mjs');
const hello = join(import.meta.dirname, 'express-hello.mjs');

/**
 * The product's time from its start to its first answer, as a multiple of the time of an Express hello. The
 * data folder of one start is kept for the next, as for a service that is started again.
 */
export async function measureStart(upstream: string, rounds: number): Promise<number> {
  const home = mkdtempSync(join(tmpdir(), 'sayso-start-'));
  try {
    const ratios: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      const took = await millisecondsOf(hello, upstream, home);
      ratios.push((await millisecondsOf(product, upstream, home)) / took);
    }
    // The first start makes the data folder and warms the disk.
    return median(ratios.slice(1));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Milliseconds from the start of a process to its first answer of any status. */
async function millisecondsOf(program: string, upstream: string, home: string): Promise<number> {
  const [port = 0] = await freePorts(1);
  const from = performance.now();
  const child = spawn(process.execPath, [program], {
    cwd: root,
    env: { ...settingsAt(upstream, port), DATA_DIR: home, DRAIN_SECONDS: '0' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    while (child.exitCode === null && performance.now() - from < 30_000) {
      const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
      if (answer !== undefined) return performance.now() - from;
      await pause(5);
    }
    throw new Error(`${program} did not answer`);
  } finally {
    const ended = child.exitCode === null ? once(child, 'exit') : undefined;
    child.kill('SIGTERM');
    await ended;
  }
}
