import { createHash } from 'node:crypto';
import {
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import type { CenterConfig, LinkKey } from '../../core/model/center-config.ts';
import type { CustomerToken } from '../../core/model/customer-token.ts';
import { Problem } from '../../core/model/problem.ts';
import { isEndedBySignOut } from '../../core/model/sign-out.ts';
import { readSubjectId, type SubjectId } from '../../core/model/subject.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CustomerTokens } from '../../ports/customer-tokens.ts';
import type { HttpCall } from '../../ports/http-call.ts';
import type { ReplayGuard } from '../../ports/replay-guard.ts';
import type { SignedOutAt } from '../../ports/sign-out.ts';
import { createKeySet, readKeySet } from './key-set.ts';

/** Which signatures a kind of key may make: a public key is never taken for a shared secret. */
const algorithms = {
  secret: ['HS256'],
  keys: ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'],
} as const;

/** Seconds that another machine's clock may differ. */
const skew = 30;

/** Seconds that a link may live. */
const longestLink = 366 * 24 * 60 * 60;

/** Seconds that a ticket may live: it is minted for one view of a page. */
const longestTicket = 300;

/** A used token is remembered this much longer than it lives, for clocks that differ. Milliseconds. */
const margin = 60_000;

type Signed =
  | Exclude<CustomerToken, { kind: 'valid' }>
  | (Extract<CustomerToken, { kind: 'valid' }> & {
      /** Of the token, in whatever center it is used. */
      readonly id: string;
      /** What version 1.0 remembered a used ticket by, with its center. */
      readonly bareId: string;
      /** Epoch milliseconds. */
      readonly expiresAt: number;
      /** Epoch milliseconds by our clock, at the earliest; undefined when it does not say. */
      readonly issuedAt: number | undefined;
      /** It opens one session, wherever that is: it has a `jti`, or lives no longer than a ticket. */
      readonly isGoodOnce: boolean;
    });

type Token = Extract<Signed, { kind: 'valid' }>;

const invalid = { kind: 'invalid' } as const;

const over = ({ subject }: { subject: SubjectId }) => ({ kind: 'expired', subject }) as const;

/**
 * Reads what a customer's backend signed: issuer (`iss`) and key of the center's settings, audience (`aud`) the
 * center's address name or GUID, `exp` required and not too far away, `sub` the identifier. `scope` is `manage` only
 * when it says so: a token that says nothing lets a person withdraw.
 */
export function createCustomerTokens({
  http,
  clock,
  replayGuard,
  signedOutAt,
}: {
  http: HttpCall;
  clock: Clock;
  replayGuard: Pick<ReplayGuard, 'spend' | 'isUsed'>;
  signedOutAt: SignedOutAt;
}): CustomerTokens {
  const sets = new Map<string, JWTVerifyGetKey>();

  function keySet(key: Exclude<LinkKey, { kind: 'secret' }>): JWTVerifyGetKey {
    const source = key.kind === 'jwks' ? key.url : key.keys;
    const known = sets.get(source);
    if (known !== undefined) return known;
    const made = key.kind === 'jwks' ? createKeySet(key.url, { http, clock }) : readKeySet(key.keys);
    sets.set(source, made);
    return made;
  }

  async function verify(token: string, key: LinkKey, centerConfig: CenterConfig): Promise<JWTPayload> {
    const rules = {
      issuer: key.issuer,
      audience: audiencesOf(token, centerConfig),
      requiredClaims: ['exp', 'sub'],
      clockTolerance: skew,
      currentDate: new Date(clock.now()),
    };
    if (key.kind === 'secret') {
      const secret = new TextEncoder().encode(key.secret);
      return (await jwtVerify(token, secret, { ...rules, algorithms: [...algorithms.secret] })).payload;
    }
    return (await jwtVerify(token, keySet(key), { ...rules, algorithms: [...algorithms.keys] })).payload;
  }

  async function read(token: string, centerConfig: CenterConfig, longest: number): Promise<Signed> {
    let unreachable: Problem | undefined;
    for (const key of candidates(token, centerConfig)) {
      try {
        const signed = readClaims(token, await verify(token, key, centerConfig), clock.now(), longest);
        if (signed.kind !== 'valid') return signed;
        const leftAt = await signedOutAt(signed.subject);
        return isEndedBySignOut(signed.issuedAt, leftAt) ? over(signed) : signed;
      } catch (fault) {
        if (fault instanceof Problem) unreachable = fault;
        if (!(fault instanceof errors.JWTExpired)) continue;
        const subject = readSubjectId(fault.payload.sub);
        return subject === undefined ? invalid : { kind: 'expired', subject };
      }
    }
    if (unreachable !== undefined) throw unreachable;
    return invalid;
  }

  const isUsed = async (token: Token, center: string): Promise<boolean> =>
    (await replayGuard.isUsed('token', token.id)) ||
    (await replayGuard.isUsed('ticket', `${center} ${token.bareId}`));

  /** True the first time only. */
  const spend = async (token: Token, center: string): Promise<boolean> =>
    !(await isUsed(token, center)) && (await replayGuard.spend('token', token.id, token.expiresAt + margin));

  return {
    async readLink(token, centerConfig) {
      const link = await read(token, centerConfig, longestLink);
      return link.kind === 'valid' && (await isUsed(link, centerConfig.center)) ? over(link) : link;
    },
    async takeLink(token, centerConfig) {
      const link = await read(token, centerConfig, longestLink);
      if (link.kind !== 'valid') return link;
      const { center } = centerConfig;
      const isOver = link.isGoodOnce ? !(await spend(link, center)) : await isUsed(link, center);
      return isOver ? over(link) : link;
    },
    async redeem(token, centerConfig) {
      const ticket = await read(token, centerConfig, longestTicket);
      return ticket.kind === 'valid' && !(await spend(ticket, centerConfig.center)) ? over(ticket) : ticket;
    },
  };
}

/** The keys of the issuer that a token names; among shared secrets those of the key that it names, if it does. */
function candidates(token: string, { linkKeys }: CenterConfig): readonly LinkKey[] {
  if (linkKeys.length === 0) return [];
  try {
    const { iss } = decodeJwt(token);
    const { kid } = decodeProtectedHeader(token);
    return linkKeys.filter((key) => {
      if (key.issuer !== iss) return false;
      return key.kind !== 'secret' || kid === undefined || key.keyId === undefined || key.keyId === kid;
    });
  } catch {
    return [];
  }
}

/** Those of a token's audiences that name the center: like its address, in capitals or not. */
function audiencesOf(token: string, { name, center }: CenterConfig): string[] {
  return [decodeJwt(token).aud]
    .flat()
    .filter((audience) => typeof audience === 'string' && [name, center].includes(audience.toLowerCase()))
    .map(String);
}

function readClaims(token: string, claims: JWTPayload, now: number, longest: number): Signed {
  const subject = readSubjectId(claims.sub);
  if (subject === undefined || claims.exp === undefined) return invalid;
  const seconds = Math.floor(now / 1000);
  // A time of issue that is still to come says nothing.
  const issuedAt = claims.iat !== undefined && claims.iat <= seconds + skew ? claims.iat : undefined;
  const life = claims.exp - Math.min(issuedAt ?? seconds, seconds);
  if (life > longest + skew) return invalid;
  const hasId = claims.jti !== undefined;
  // Whoever gives ids means once; one that tells nothing apart would be good for ever, or for one person of all.
  if (hasId && String(claims.jti ?? '').trim() === '') return invalid;
  const bareId = claims.jti ?? digest(token);
  return {
    kind: 'valid',
    subject,
    scope: claims['scope'] === 'manage' ? 'manage' : 'withdraw',
    // Ids are of the issuer that gave them; outside text, so written unmistakably.
    id: hasId ? JSON.stringify([claims.iss, claims.jti]) : bareId,
    bareId,
    expiresAt: claims.exp * 1000,
    issuedAt: issuedAt === undefined ? undefined : (issuedAt - skew) * 1000,
    isGoodOnce: hasId || life <= longestTicket + skew,
  };
}

/** Of what is signed, not of the signature: that can be written in more than one way. */
function digest(token: string): string {
  return createHash('sha256')
    .update(token.slice(0, token.lastIndexOf('.')))
    .digest('base64url');
}
