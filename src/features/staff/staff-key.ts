import type { Request } from 'express';
import * as z from 'zod';
import { everyRole } from '../../core/model/staff/staff-member.ts';
import { isLoopback } from '../../core/model/web-address.ts';
import type { ReplayGuard } from '../../ports/replay-guard.ts';
import { sealedToken, type TokenParts } from '../../web/sealed-token.ts';

/** Milliseconds for which an unused one-time address is valid. */
const staffKeyLife = 15 * 60_000;

/** The key in a one-time address of the staff pages. `from`: where the browser must run. */
export const staffKeyToken = sealedToken({
  use: 'staff key',
  schema: z.object({
    id: z.string(),
    roles: z.array(z.enum(everyRole)).readonly(),
    from: z.enum(['this machine', 'anywhere']),
  }),
  maxAgeMs: staffKeyLife,
});

export type TakeKey = ReturnType<typeof createStaffKeys>;

/** The member that a key signs in, at its first use only. */
export function createStaffKeys(parts: TokenParts & { readonly replayGuard: Pick<ReplayGuard, 'spend'> }) {
  return async (request: Request, key: string) => {
    const opened = staffKeyToken.open(parts, key);
    if (opened === undefined || (opened.from === 'this machine' && !isOfThisMachine(request)))
      return undefined;
    const isFirst = await parts.replayGuard.spend('staff key', opened.id, opened.at + 2 * staffKeyLife);
    if (!isFirst) return undefined;
    const name = `Staff key ${opened.id.slice(0, 6)}`;
    const member = { id: `staff-key ${opened.id}`, name, roles: opened.roles };
    return { member, how: `by a one-time address, as ${opened.roles.join(' and ')}` };
  };
}

/**
 * Whether the browser runs on this machine. Behind a local proxy, every request has a local address: so there
 * must be no header of a proxy, and the host name must be local.
 */
function isOfThisMachine({ socket, headers }: Request): boolean {
  const isNear = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/.test(socket.remoteAddress ?? '');
  const between = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'via'];
  const host = `http://${headers.host ?? ''}`;
  return (
    isNear && !between.some((name) => name in headers) && URL.canParse(host) && isLoopback(new URL(host))
  );
}
