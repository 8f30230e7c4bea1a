import { hash } from 'node:crypto';
import type { Config } from '../config/environment.ts';
import type { CenterConfig } from '../core/model/center/center-config.ts';
import type { EventRoutes } from '../ports/events.ts';
import type { MessageRule } from '../ports/messages.ts';

/** Identifies a receiver in rows, because its address may be secret. */
function receiverId(center: string, url: string): string {
  return hash('sha256', `${center} ${url}`, 'base64url').slice(0, 22);
}

/** Events are kept for centers with receivers, or with a key that may read events. */
export function eventRoutes(centers: readonly CenterConfig[] | undefined): EventRoutes {
  const routes = new Map(
    (centers ?? []).flatMap(({ center, events = [], apiKeys = [] }) => {
      const isAsked = apiKeys.some(({ scopes }) => scopes.includes('events'));
      if (events.length === 0 && !isAsked) return [];
      const receivers = events.map(({ url, types }) => ({ id: receiverId(center, url), types }));
      return [[center, { receivers }] as const];
    }),
  );
  return (center) => routes.get(center);
}

/** All receivers, in the order of the centers file. */
export function receiversOf(centers: readonly CenterConfig[] | undefined) {
  return (centers ?? []).flatMap(({ center, events = [] }) =>
    events.map(({ url, secrets }) => ({
      center,
      url,
      secrets,
      id: receiverId(center, url),
      // The host alone: the rest of the address may be secret.
      host: new URL(url).host,
    })),
  );
}

/**
 * The rule for changes that are mailed, if mail can be sent: all changes by staff, and all changes in centers
 * with `notify`.
 */
export function messageRule({ centers, mail, platform }: Config): MessageRule {
  const canMail = mail !== undefined || platform === undefined;
  const notifying = new Set(
    (centers ?? []).flatMap(({ center, notify }) => (notify === true ? [center] : [])),
  );
  return (center, channel) =>
    canMail && (channel === 'staff' || channel === 'staff-link' || notifying.has(center));
}
