import { createHash } from 'node:crypto';
import type { CenterConfig, EventReceiver } from '../core/model/center-config.ts';
import type { EventRoutes } from '../ports/events.ts';

/** By which a receiver is known in rows: its address may be a secret. */
function receiverId(center: string, { url }: Pick<EventReceiver, 'url'>): string {
  return createHash('sha256').update(`${center} ${url}`).digest('base64url').slice(0, 22);
}

/** Events are kept of centers that call somebody, or that somebody may ask for them. */
export function eventRoutes(centers: readonly CenterConfig[] | undefined): EventRoutes {
  const routes = new Map(
    (centers ?? []).flatMap(({ center, events = [], apiKeys = [] }) => {
      const isAsked = apiKeys.some(({ scopes }) => scopes.includes('events'));
      if (events.length === 0 && !isAsked) return [];
      const receivers = events.map(({ url, types }) => ({ id: receiverId(center, { url }), types }));
      return [[center, { receivers }] as const];
    }),
  );
  return (center) => routes.get(center);
}

/** Everyone who is called, in the order of the centers file. */
export function receiversOf(centers: readonly CenterConfig[] | undefined) {
  return (centers ?? []).flatMap(({ center, events = [] }) =>
    events.map(({ url, secrets }) => ({
      ...{ center, url, secrets },
      id: receiverId(center, { url }),
      // The rest of its address may be a secret.
      host: new URL(url).host,
    })),
  );
}
