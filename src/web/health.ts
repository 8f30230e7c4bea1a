import { Router } from 'express';
import { within } from './within.ts';

export interface HealthParts {
  /**
   * Rejects or gives false if this process cannot record a withdrawal, because its journal or sessions fail.
   * It may write.
   */
  readonly isReady: () => Promise<boolean>;
  /** Costs nothing, so it is asked for each request. */
  readonly isLeaving: () => boolean;
  readonly clock: { now(): number };
}

/** Probes come every second, so they are neither logged nor traced. */
export function isProbe({ path }: { readonly path: string }): boolean {
  return /^\/health\/(live|ready)\/?$/i.test(path);
}

/** A result serves all requests for this long, because anyone may ask and a check may write. Milliseconds. */
const fresh = 1_000;
/**
 * A load balancer treats silence as failure: after this time the last known result is given. Milliseconds.
 */
const longestWaitMs = 300;
/** A longer check has failed. Milliseconds. */
const longestMs = 5_000;

/** Live: the event loop runs. Ready: this process can take requests. The platform is not part of either. */
export function healthRoutes({ isReady, isLeaving, clock }: HealthParts): Router {
  const router = Router();
  let known: boolean | undefined;
  let checked: { readonly at: number; readonly ready: Promise<boolean>; isOver: boolean } | undefined;

  function check(): Promise<boolean> {
    const now = clock.now();
    // `Math.abs`: a clock that was set back must not keep an old result.
    const isFresh = checked !== undefined && Math.abs(now - checked.at) < fresh;
    if (checked !== undefined && (isFresh || !checked.isOver)) return checked.ready;
    const ready = within(longestMs, isReady(), () => false).then((is) => {
      known = is;
      checking.isOver = true;
      return is;
    });
    const checking = { at: now, ready, isOver: false };
    checked = checking;
    return ready;
  }

  async function isKnownReady(): Promise<boolean> {
    const ready = check();
    return known === undefined ? ready : within(longestWaitMs, ready, () => known === true);
  }

  router.get('/health/live', (_request, response) => {
    response.type('text').send('live\n');
  });
  router.get('/health/ready', async (_request, response) => {
    const ready = !isLeaving() && (await isKnownReady());
    response
      .status(ready ? 200 : 503)
      .type('text')
      .send(ready ? 'ready\n' : 'not ready\n');
  });
  return router;
}
