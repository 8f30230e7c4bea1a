import { Router } from 'express';
import { within } from './within.ts';

export interface HealthParts {
  /** Rejects or is false when this process cannot take a withdrawal: its journal or sessions fail. It may write. */
  readonly isReady: () => Promise<boolean>;
  /** Costs nothing, and so is asked each time. */
  readonly isLeaving: () => boolean;
  readonly clock: { now(): number };
}

/** Probes come every second, from every side: they are in no log and in no trace. */
export function isProbe({ path }: { readonly path: string }): boolean {
  return /^\/health\/(live|ready)\/?$/i.test(path);
}

/** Milliseconds for which an answer serves every request: anybody may ask, and a check may be a durable write. */
const fresh = 1_000;
/** A balancer takes silence for a no: after so long the last known answer is given. Milliseconds. */
const longestWaitMs = 300;
/** A check that takes longer has failed. Milliseconds. */
const longestMs = 5_000;

/** Live: the event loop turns. Ready: it may be given work. The platform is no part of either. */
export function healthRoutes({ isReady, isLeaving, clock }: HealthParts): Router {
  const router = Router();
  let known: boolean | undefined;
  let checked: { readonly at: number; readonly ready: Promise<boolean>; isOver: boolean } | undefined;

  function check(): Promise<boolean> {
    const now = clock.now();
    // A clock that was set back must not keep an answer alive.
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
