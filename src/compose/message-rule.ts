import type { Config } from '../config/environment.ts';
import type { MessageRule } from '../ports/messages.ts';

/**
 * Which changes are mailed, if mail can be sent: those by staff, and all changes in centers with `notify`.
 */
export function messageRule({ centers, mail, platform }: Config): MessageRule {
  const canMail = mail !== undefined || platform === undefined;
  const told = new Set((centers ?? []).flatMap(({ center, notify }) => (notify === true ? [center] : [])));
  return (center, channel) =>
    canMail && (channel === 'staff' || channel === 'staff-link' || told.has(center));
}
