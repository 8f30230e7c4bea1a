import { Router } from 'express';

export interface HealthParts {
  /** Throws or is false when this process should get no more work: its journal or sessions fail. It may write. */
  readonly isReady: () => Promise<boolean>;
  /** Costs nothing, and so is asked each time. */
  readonly isLeaving: () => boolean;
  readonly clock: { now(): number };
}

/** Milliseconds for which an answer serves whoever asks: anyone may, and each check is a durable write. */
const fresh = 1_000;

/** Live: the event loop turns. Ready: it may be given work. The platform is no part of either. */
export function healthRoutes({ isReady, isLeaving, clock }: HealthParts): Router {
  const router = Router();
  let checked: { readonly at: number; readonly ready: Promise<boolean> } | undefined;

  function check(): Promise<boolean> {
    const now = clock.now();
    // A clock that was set back must not keep an answer alive.
    if (checked !== undefined && Math.abs(now - checked.at) < fresh) return checked.ready;
    checked = { at: now, ready: isReady().catch(() => false) };
    return checked.ready;
  }

  router.get('/health/live', (_request, response) => {
    response.type('text').send('live\n');
  });
  router.get('/health/ready', async (_request, response) => {
    const ready = !isLeaving() && (await check());
    response
      .status(ready ? 200 : 503)
      .type('text')
      .send(ready ? 'ready\n' : 'not ready\n');
  });
  return router;
}
