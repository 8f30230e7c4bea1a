import type { Config } from '../config/environment.ts';
import type { MessageRule } from '../ports/messages.ts';

/** Where mail can be sent: of what staff did, and in centers that want it, of all that was changed. */
export function messageRule({ centers, mail, platform }: Config): MessageRule {
  const canMail = mail !== undefined || platform === undefined;
  const told = new Set((centers ?? []).flatMap(({ center, notify }) => (notify === true ? [center] : [])));
  return (center, channel) =>
    canMail && (channel === 'staff' || channel === 'staff-link' || told.has(center));
}
