import { type Request, Router } from 'express';
import { type CallLog, describeRequest } from './calls.ts';
import { notFound, Refusal } from './refusal.ts';

/** Answers calls without a route: 405 when the path has other methods, else 404. The log records both. */
export function unknownCallRoutes(
  routers: readonly Router[],
  { calls, now }: { calls: CallLog; now: () => Date },
): Router {
  const router = Router({ caseSensitive: true });
  const record = (request: Request, status: number) => {
    if (request.path.startsWith('/_sandbox')) return;
    calls.record({ ...describeRequest(request), at: now().toISOString(), status });
  };
  for (const [path, methods] of methodsByPath(routers)) {
    const allow = [...methods].sort().join(', ');
    router.all(path, (request) => {
      record(request, 405);
      const message = `${request.method} is not a method of ${request.path}, which has ${allow}`;
      throw new Refusal(405, message, { headers: { Allow: allow } });
    });
  }
  return router.use((request) => {
    record(request, 404);
    throw notFound(`${request.method} ${request.path} is not part of the platform`);
  });
}

function methodsByPath(routers: readonly Router[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { route } of routers.flatMap((router) => router.stack)) {
    if (route === undefined) continue;
    const methods = found.get(route.path) ?? new Set();
    found.set(route.path, methods);
    for (const { method } of route.stack) methods.add(method.toUpperCase());
    if (methods.has('GET')) methods.add('HEAD');
  }
  return found;
}
