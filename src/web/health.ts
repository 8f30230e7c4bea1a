import { Router } from 'express';

export interface HealthParts {
  /** Throws or is false when this process should get no more work: its journal or sessions fail, or it is leaving. */
  readonly isReady: () => Promise<boolean>;
}

/** Live: the event loop turns. Ready: it may be given work. The platform is no part of either. */
export function healthRoutes({ isReady }: HealthParts): Router {
  const router = Router();
  router.get('/health/live', (_request, response) => {
    response.type('text').send('live\n');
  });
  router.get('/health/ready', async (_request, response) => {
    const ready = await isReady().catch(() => false);
    response
      .status(ready ? 200 : 503)
      .type('text')
      .send(ready ? 'ready\n' : 'not ready\n');
  });
  return router;
}
