import { createHmac } from 'node:crypto';
import { JWTExpired } from 'jose/errors';
import { jwtVerify } from 'jose/jwt/verify';
import * as z from 'zod';
import type { CenterConfig } from '../../core/model/center/center-config.ts';
import type { CustomerToken } from '../../core/model/person/customer-token.ts';
import type { Identifiers } from '../../core/model/person/identifiers.ts';
import { isEndedBySignOut } from '../../core/model/person/sign-out.ts';
import { readSubjectId } from '../../core/model/person/subject.ts';
import type { Visit } from '../../core/model/person/visit.ts';
import { Problem } from '../../core/model/problem.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CustomerTokens } from '../../ports/customer-tokens.ts';
import type { SignedOutAt } from '../../ports/session-store.ts';

/** The longest life of our links, in days. */
export const longestLinkDays = 3_650;

interface LinkClaims extends Pick<Visit, 'subject' | 'scope'> {
  /** The staff member who made it, if any. The caller seals this, because anyone can read a link's token. */
  readonly actor?: string | undefined;
}

type ReadLink = ({ readonly kind: 'valid' } & LinkClaims) | Exclude<CustomerToken, { kind: 'valid' }>;

export type LinkMint = ReturnType<typeof createLinkMint>;
export type LinkTokens = ReturnType<typeof createLinkTokens>;

type Read = (token: string, centerConfig: CenterConfig) => Promise<ReadLink>;

const issuer = 'sayso';
/** The actor claim of RFC 8693, 4.1. */
const actorShape = z.object({ sub: z.string() });
const invalid: ReadLink = { kind: 'invalid' };

const header = Buffer.from(JSON.stringify({ alg: 'HS256' })).toString('base64url');

/**
 * Signs with node:crypto, which takes a twentieth of jose's time: a mailing has two links for each person.
 */
export function createLinkMint({ key, clock }: { key: Uint8Array; clock: Clock }) {
  return {
    /**
     * A JWT (HS256) for `?t=`: issuer is this installation, audience the center's GUID, subject the
     * identifier. Its lifetime is in seconds.
     */
    mint({ subject, scope, actor, center, lifetime }: LinkClaims & { center: string; lifetime: number }) {
      const now = Math.floor(clock.now() / 1000);
      const claims = {
        scope,
        ...(actor === undefined ? {} : { act: { sub: actor } }),
        iss: issuer,
        aud: center,
        sub: subject,
        iat: now,
        exp: now + lifetime,
      };
      const signed = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
      return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
    },
  };
}

/**
 * Reads our own links and those signed by a customer's backend. `keys`: all keys that our links may be signed
 * with.
 */
export function createLinkTokens(parts: {
  readonly keys: readonly Uint8Array[];
  readonly clock: Clock;
  readonly customers: Pick<CustomerTokens, 'readLink' | 'takeLink'>;
  readonly signedOutAt: SignedOutAt;
  readonly identifiers: Pick<Identifiers, 'admit'>;
}) {
  const { keys, clock, customers, signedOutAt, identifiers } = parts;

  async function verify(token: string, key: Uint8Array, { center }: CenterConfig): Promise<ReadLink> {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: ['HS256'],
        issuer,
        audience: center,
        requiredClaims: ['exp', 'sub'],
        currentDate: new Date(clock.now()),
      });
      const subject = readSubjectId(payload.sub);
      if (subject === undefined) return invalid;
      const issuedAt = payload.iat === undefined ? undefined : payload.iat * 1000;
      if (isEndedBySignOut(issuedAt, await signedOutAt(subject))) return { kind: 'expired', subject };
      const scope = payload['scope'] === 'manage' ? 'manage' : 'withdraw';
      const actor = actorShape.safeParse(payload['act']).data?.sub;
      return { kind: 'valid', subject, scope, ...(actor === undefined ? {} : { actor }) };
    } catch (fault) {
      // The sign-out time could not be read: that does not make the link invalid.
      if (fault instanceof Problem) throw fault;
      const subject = fault instanceof JWTExpired ? readSubjectId(fault.payload.sub) : undefined;
      return subject === undefined ? invalid : { kind: 'expired', subject };
    }
  }

  const ownOr =
    (customer: Read): Read =>
    async (token, centerConfig) => {
      for (const key of keys) {
        const own = await verify(token, key, centerConfig);
        if (own.kind === 'invalid') continue;
        identifiers.admit(own.subject);
        return own;
      }
      return customer(token, centerConfig);
    };
  return {
    /** Reads a link without using it up. */
    read: ownOr(customers.readLink),
    /** Uses up a link that is good once. */
    take: ownOr(customers.takeLink),
  };
}

/**
 * The token without text appended by mail tools and programs that find addresses in texts (`?utm_…`, `)`,
 * `,`).
 */
export function trimToken(value: unknown): string | undefined {
  const text: unknown = Array.isArray(value) ? value[0] : value;
  return typeof text === 'string' ? /^[\w-]+\.[\w-]+\.[\w-]+/.exec(text.trim())?.[0] : undefined;
}
