/** Runs `run` once at a time; `run` never rejects. */
export function createSingleRun(run: () => Promise<void>) {
  let isAsked = false;
  let isRunning = false;
  let running = Promise.resolve();

  async function runAll(): Promise<void> {
    while (isAsked) {
      isAsked = false;
      await run();
    }
    isRunning = false;
  }

  return {
    /** A call while it runs makes it run once more. */
    ask(): void {
      isAsked = true;
      if (isRunning) return;
      isRunning = true;
      running = runAll();
    },
    isRunning: () => isRunning,
    ended: () => running,
  };
}
