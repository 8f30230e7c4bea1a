/** Milliseconds of this thread's own processor time that `work` takes, the best of a few: a busy machine adds none. */
export function cpuMilliseconds(work: () => unknown, times = 3): number {
  let best = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < times; turn += 1) {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    best = Math.min(best, (user + system) / 1_000);
  }
  return best;
}
