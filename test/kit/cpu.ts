import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds of processor time that this thread has had so far. */
export function threadMilliseconds(): number {
  // Linux books a running thread's time each few milliseconds; asked for the whole process, at once.
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Milliseconds that `reference` takes on a machine with nothing else to do: AMD EPYC (family 26), Node 26. */
const quietMs = 8.4;

const text = JSON.stringify(
  Array.from({ length: 6_000 }, (_, index) => ({
    id: `b00c5000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    name: `Purpose ${index}`,
    languages: ['en', 'fr'].map((language) => ({ language, name: language.repeat(10) })),
    order: index,
  })),
);

/** Of a known cost, and of the kind that is measured: much of it is memory. */
function reference(): number {
  const items: readonly { readonly id: string; readonly name: string }[] = JSON.parse(text);
  const names = new Map(items.map(({ id, name }) => [id, name.toLowerCase().replaceAll(/[aeiou]/g, '-')]));
  let sum = names.size;
  for (let index = 0; index < 4_000_000; index += 1) sum = (Math.imul(sum, 31) + index) | 0;
  return sum;
}

/**
 * How many times as long as on a quiet machine everything takes here and now, never below 1: a slower processor, a
 * busy other half of its core and full caches make processor time longer, too.
 */
export function slowness(): number {
  let least = Number.POSITIVE_INFINITY;
  // The first are slower wherever they run: they are compiled on the way.
  for (let turn = 0; turn < 5; turn += 1) {
    const before = threadMilliseconds();
    reference();
    least = Math.min(least, threadMilliseconds() - before);
  }
  return Math.max(1, least / quietMs);
}

export const mostTries = 8;

/**
 * Milliseconds of this thread's processor time that `work` takes, as on a quiet machine: the best of a few. Usually
 * once; only what seems to take more than `limit` is tried again, a little later.
 */
export async function cpuMilliseconds(work: () => unknown, limit: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < mostTries && best > limit; turn += 1) {
    if (turn > 0) await pause(turn * 50);
    const before = threadMilliseconds();
    await work();
    const ms = threadMilliseconds() - before;
    best = Math.min(best, ms > limit ? ms / slowness() : ms);
    // No machine is that slow.
    if (best > limit * 10) break;
  }
  return best;
}

/** Milliseconds of processor time, user and system, that all threads of another process have had so far. Linux. */
export function cpuMsOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  // In hundredths of a second.
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
