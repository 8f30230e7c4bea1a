import { Router } from 'express';
import { within } from './within.ts';

export interface HealthParts {
  /**
   * Rejects or gives false if this process cannot record a withdrawal, because its journal or sessions fail.
   * The check may write.
   */
  readonly isReady: () => Promise<boolean>;
  /** True while the process is leaving. The call costs nothing, so it is made for each request. */
  readonly isLeaving: () => boolean;
  readonly clock: { now(): number };
}

/** True for a probe. Probes come every second, so they are neither logged nor traced. */
export function isProbe({ path }: { readonly path: string }): boolean {
  return /^\/health\/(live|ready)\/?$/i.test(path);
}

/** Milliseconds for which a result serves all requests, because anyone may ask and a check may write. */
const fresh = 1_000;
/**
 * Milliseconds after which the last known result is given, because a load balancer treats silence as failure.
 */
const longestWaitMs = 300;
/** Milliseconds after which a check has failed. */
const longestMs = 5_000;

/**
 * The health routes. Live: the event loop runs. Ready: this process can take requests. The platform is not
 * part of either.
 */
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
