import type { Timer } from '../ports/clock.ts';

/** Looks again and again; `look` gives the milliseconds until the next one, and never rejects. */
export function createTicks(timer: Timer, look: () => Promise<number>): { start(): void; stop(): void } {
  let state: 'new' | 'ticking' | 'stopped' = 'new';
  let cancel: (() => void) | undefined;

  async function tick(): Promise<void> {
    const pause = await look();
    if (state === 'ticking') cancel = timer.after(pause, () => void tick());
  }

  return {
    start() {
      if (state !== 'new') return;
      state = 'ticking';
      void tick();
    },
    stop() {
      state = 'stopped';
      cancel?.();
    },
  };
}
