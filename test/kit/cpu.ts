import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds of processor time that this thread has used so far. */
export function threadMilliseconds(): number {
  // Linux counts a running thread's time every few milliseconds only; a question about the process counts it
  // now.
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Milliseconds that `reference` takes on a quiet machine: AMD EPYC (family 26), Node 26. */
const quietMs = 8.4;

const text = JSON.stringify(
  Array.from({ length: 6_000 }, (_, index) => ({
    id: `b00c5000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    name: `Purpose ${index}`,
    languages: ['en', 'fr'].map((language) => ({ language, name: language.repeat(10) })),
    order: index,
  })),
);

/** Work of a known cost, which uses much memory as the measured code does. */
function reference(): number {
  const items: readonly { readonly id: string; readonly name: string }[] = JSON.parse(text);
  const names = new Map(items.map(({ id, name }) => [id, name.toLowerCase().replaceAll(/[aeiou]/g, '-')]));
  let sum = names.size;
  for (let index = 0; index < 4_000_000; index += 1) sum = (Math.imul(sum, 31) + index) | 0;
  return sum;
}

/**
 * The factor by which this machine is slower now than a quiet one, at least 1. A slower processor, a busy
 * other half of its core and full caches make processor time longer, too.
 */
export function slowness(): number {
  let least = Number.POSITIVE_INFINITY;
  // The first turns are slow on every machine: their code is compiled meanwhile.
  for (let turn = 0; turn < 5; turn += 1) {
    const before = threadMilliseconds();
    reference();
    least = Math.min(least, threadMilliseconds() - before);
  }
  return Math.max(1, least / quietMs);
}

export const mostTries = 8;

/**
 * Milliseconds of this thread's processor time that `work` takes, as on a quiet machine. Work that takes more
 * than `limit` runs again, a little later each time, and its best run counts.
 */
export async function cpuMilliseconds(work: () => unknown, limit: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < mostTries && best > limit; turn += 1) {
    if (turn > 0) await pause(turn * 50);
    const before = threadMilliseconds();
    await work();
    const ms = threadMilliseconds() - before;
    best = Math.min(best, ms > limit ? ms / slowness() : ms);
    // No machine is that slow: the work itself is.
    if (best > limit * 10) break;
  }
  return best;
}

/** Milliseconds of processor time, user and system, that another process has used so far; Linux only. */
export function cpuMsOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  // utime and stime, in hundredths of a second
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
