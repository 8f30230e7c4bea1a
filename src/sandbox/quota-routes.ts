import { Router } from 'express';
import * as z from 'zod';
import { readJsonOf } from './body.ts';
import { OPERATIONS } from './operations.ts';
import type { QuotaGuard } from './quota.ts';
import { optional, readShape, usual, whole } from './shape.ts';

/** Unknown members are refused, because a misspelt member would lift a limit. */
const quota = z.strictObject({
  perMinute: optional(whole()),
  perHour: optional(whole()),
  headers: usual(z.enum(['always', 'when-limited']), 'when-limited'),
});
const used = z.strictObject({ calls: whole(), operation: optional(z.enum(OPERATIONS)) });

/** Routes that change the quota while the sandbox runs, or use it up in the name of another program. */
export function quotaRoutes({
  quotaGuard,
  client,
  now,
}: {
  quotaGuard: QuotaGuard;
  client: string;
  now: () => Date;
}): Router {
  return Router({ caseSensitive: true })
    .put('/_sandbox/quota', async (request, response) => {
      quotaGuard.change(readShape(quota, await readJsonOf(request)));
      response.status(204).end();
    })
    .post('/_sandbox/quota/used', async (request, response) => {
      const { calls, operation } = readShape(used, await readJsonOf(request));
      quotaGuard.useUp(client, calls, operation, now());
      response.status(204).end();
    });
}
