import type { Request, Response } from 'express';
import type { Claims, OpenIdClient } from '../../core/model/person/open-id.ts';
import { readRoles } from '../../core/model/staff/staff-member.ts';
import type { SingleSignOn as Trips } from '../../web/single-sign-on.ts';

export type SingleSignOn = ReturnType<typeof createStaffSingleSignOn>;

/** The sign-in of the staff's organization. */
export function createStaffSingleSignOn(parts: {
  readonly client: OpenIdClient;
  readonly rolesClaim: string;
  readonly trips: Trips;
  readonly publicUrl: URL;
  readonly warn: (event: string, fault: unknown) => void;
}) {
  const { client, rolesClaim, trips, publicUrl, warn } = parts;
  const trip = { client, redirectUri: new URL('/staff/callback', publicUrl).href, audience: 'staff' };
  const { host } = new URL(client.issuer);
  // Some issuers leave roles and names out of the ID token, and give them only in UserInfo.
  const isEnough = (claims: Claims) =>
    claimAt(claims, rolesClaim) !== undefined && claims['name'] !== undefined;

  return {
    rolesClaim,
    /**
     * Redirects the browser to the issuer; false, without any answer sent, if the issuer cannot be reached.
     */
    async start(response: Response): Promise<boolean> {
      try {
        await trips.leave(response, trip);
        return true;
      } catch (fault) {
        warn('an issuer cannot be reached', fault);
        return false;
      }
    },
    /** The result of the sign-in, by the issuer's claims about the visitor who returned. */
    async finish(request: Request, response: Response) {
      const { claims } = await trips.comeBack(request, response, { ...trip, isEnough });
      if (claims === undefined) return { kind: 'failed' as const };
      const shown = [claims['name'], claims['preferred_username'], claims['email'], claims.sub].find(
        (claim) => typeof claim === 'string' && claim.trim() !== '',
      );
      const member = { id: `${host} ${claims.sub}`, name: String(shown).slice(0, 100) };
      const roles = readRoles(claimAt(claims, rolesClaim));
      return roles.length === 0
        ? { kind: 'no-role' as const, ...member }
        : { kind: 'member' as const, member: { ...member, roles } };
    },
  };
}

/** The claim with this name; otherwise the member at this path, whose names are separated by dots. */
function claimAt(claims: object, path: string): unknown {
  const member = (value: unknown, name: string): unknown =>
    typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined;
  return member(claims, path) ?? path.split('.').reduce(member, claims as unknown);
}
