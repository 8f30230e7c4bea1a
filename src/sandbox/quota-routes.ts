import { Router } from 'express';
import { readBody, readJson } from './body.ts';
import { isObject } from './json.ts';
import { isOperation } from './operations.ts';
import type { QuotaGuard } from './quota.ts';
import { badRequest } from './refusal.ts';

/** What is allowed can be changed while it runs, and used up by others. */
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
      const members = ['perMinute', 'perHour', 'headers'];
      const { perMinute, perHour, headers = 'when-limited' } = object(await body(request), members);
      if (headers !== 'always' && headers !== 'when-limited') {
        throw badRequest('headers must be one of always, when-limited');
      }
      quotaGuard.change({
        perMinute: count(perMinute, 'perMinute'),
        perHour: count(perHour, 'perHour'),
        headers,
      });
      response.status(204).end();
    })
    .post('/_sandbox/quota/used', async (request, response) => {
      const { calls, operation } = object(await body(request), ['calls', 'operation']);
      if (calls === undefined) throw badRequest('calls is required');
      if (operation !== undefined && !(typeof operation === 'string' && isOperation(operation))) {
        throw badRequest('operation is not known');
      }
      quotaGuard.useUp(client, count(calls, 'calls') ?? 0, operation, now());
      response.status(204).end();
    });
}

async function body(request: Parameters<typeof readBody>[0]) {
  return readJson((await readBody(request)).toString());
}

/** One that is misspelt would lift what is limited. */
function object(value: ReturnType<typeof readJson>, members: readonly string[]) {
  if (!isObject(value)) throw badRequest('The body must be an object');
  const stranger = Object.keys(value).find((member) => !members.includes(member));
  if (stranger !== undefined) throw badRequest(`${stranger} is none of ${members.join(', ')}`);
  return value;
}

function count(value: unknown, member: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw badRequest(`${member} must be a whole number, 0 or more`);
}
