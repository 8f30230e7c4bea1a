import { createHash, createSecretKey, type KeyObject } from 'node:crypto';
import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { JWTExpired } from 'jose/errors';
import { decodeJwt } from 'jose/jwt/decode';
import { jwtVerify } from 'jose/jwt/verify';
import { oneClickLife } from '../../core/consent/one-click.ts';
import {
  type CenterConfig,
  type CenterRegistry,
  isGuid,
  type LinkKey,
} from '../../core/model/center-config.ts';
import type { CustomerOneClick, CustomerToken } from '../../core/model/customer-token.ts';
import type { Identifiers } from '../../core/model/identifiers.ts';
import { Problem } from '../../core/model/problem.ts';
import { isEndedBySignOut } from '../../core/model/sign-out.ts';
import { readSubjectId, type SubjectId } from '../../core/model/subject.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CustomerTokens } from '../../ports/customer-tokens.ts';
import type { HttpCall } from '../../ports/http-call.ts';
import type { ReplayGuard } from '../../ports/replay-guard.ts';
import type { SignedOutAt } from '../../ports/session-store.ts';
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

/** Characters of a one-click token: room for 512 bytes of identifier, escaped, and the signature of an RSA key of 4096 bits. */
const longestOneClick = 4_096;

/** Of a token that is for one click alone. */
const oneClickScope = 'one-click';

/** A used token is remembered this much longer than it lives, for clocks that differ. Milliseconds. */
const margin = 60_000;

type Signed =
  | Exclude<CustomerToken, { kind: 'valid' }>
  | (Extract<CustomerToken, { kind: 'valid' }> & {
      /** Of the token, in whatever center it is used. */
      readonly id: string;
      /** Epoch milliseconds. */
      readonly expiresAt: number;
      /** Epoch milliseconds by our clock, at the earliest; undefined when it does not say. */
      readonly issuedAt: number | undefined;
      /** It opens one session, wherever that is: it has a `jti`, or lives no longer than a ticket. */
      readonly isGoodOnce: boolean;
    });

/** What a key of the customer signed, whatever it says. */
interface Verified {
  readonly claims: JWTPayload;
  readonly isOver: boolean;
}

type Token = Extract<Signed, { kind: 'valid' }>;

const invalid = { kind: 'invalid' } as const;

const over = ({ subject }: { subject: SubjectId }) => ({ kind: 'expired', subject }) as const;

/**
 * Reads what a customer's backend signed: issuer (`iss`) and key of the center's settings, audience (`aud`) the
 * center's address name or GUID, `exp` required and not too far away, `sub` the identifier. `scope` is `manage` only
 * when it says so: a token that says nothing lets a person withdraw. One with `one-click` is for that alone.
 */
export function createCustomerTokens({
  http,
  clock,
  replayGuard,
  signedOutAt,
  identifiers,
}: {
  http: HttpCall;
  clock: Clock;
  replayGuard: Pick<ReplayGuard, 'spend' | 'isUsed'>;
  signedOutAt: SignedOutAt;
  identifiers: Pick<Identifiers, 'admit'>;
}): CustomerTokens {
  const sets = new Map<string, JWTVerifyGetKey>();
  const secrets = new Map<string, KeyObject>();

  /** Kept, since making one ready costs as much as a signature. */
  function secretKey(secret: string): KeyObject {
    const known = secrets.get(secret);
    if (known !== undefined) return known;
    const made = createSecretKey(secret, 'utf8');
    secrets.set(secret, made);
    return made;
  }

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
      return (await jwtVerify(token, secretKey(key.secret), { ...rules, algorithms: [...algorithms.secret] }))
        .payload;
    }
    return (await jwtVerify(token, keySet(key), { ...rules, algorithms: [...algorithms.keys] })).payload;
  }

  /** What a key of the center signed for it; undefined when none did. */
  async function verified(token: string, centerConfig: CenterConfig): Promise<Verified | undefined> {
    let unreachable: Problem | undefined;
    for (const key of candidates(token, centerConfig)) {
      try {
        return { claims: await verify(token, key, centerConfig), isOver: false };
      } catch (fault) {
        if (fault instanceof Problem) unreachable = fault;
        if (fault instanceof JWTExpired) return { claims: fault.payload, isOver: true };
      }
    }
    if (unreachable !== undefined) throw unreachable;
    return undefined;
  }

  async function read(token: string, centerConfig: CenterConfig, longest: number): Promise<Signed> {
    const found = await verified(token, centerConfig);
    if (found === undefined || found.claims['scope'] === oneClickScope) return invalid;
    if (found.isOver) {
      const subject = readSubjectId(found.claims.sub);
      return subject === undefined ? invalid : over({ subject: identifiers.admit(subject) });
    }
    const signed = readClaims(token, found.claims, clock.now(), longest);
    if (signed.kind !== 'valid') return signed;
    const leftAt = await signedOutAt(identifiers.admit(signed.subject));
    return isEndedBySignOut(signed.issuedAt, leftAt) ? over(signed) : signed;
  }

  const isUsed = ({ id }: Token): Promise<boolean> => replayGuard.isUsed('token', id);
  /** True the first time only. */
  const spend = ({ id, expiresAt }: Token): Promise<boolean> =>
    replayGuard.spend('token', id, expiresAt + margin);

  return {
    async readLink(token, centerConfig) {
      const link = await read(token, centerConfig, longestLink);
      return link.kind === 'valid' && (await isUsed(link)) ? over(link) : link;
    },
    async takeLink(token, centerConfig) {
      const link = await read(token, centerConfig, longestLink);
      if (link.kind !== 'valid') return link;
      const isOver = link.isGoodOnce ? !(await spend(link)) : await isUsed(link);
      return isOver ? over(link) : link;
    },
    async redeem(token, centerConfig) {
      const ticket = await read(token, centerConfig, longestTicket);
      return ticket.kind === 'valid' && !(await spend(ticket)) ? over(ticket) : ticket;
    },
    async readOneClick(token, registry) {
      const centerConfig = token.length > longestOneClick ? undefined : centerOf(token, registry);
      const found = centerConfig && (await verified(token, centerConfig));
      if (centerConfig === undefined || found === undefined) return invalid;
      const click = readOneClickClaims(found, centerConfig, clock.now());
      if (click.kind === 'valid') identifiers.admit(click.subject);
      return click;
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

/** The center that a token's audiences name; undefined where they name none, or more than one. */
function centerOf(token: string, registry: CenterRegistry): CenterConfig | undefined {
  try {
    const named = [decodeJwt(token).aud].flat().flatMap((audience) => {
      if (typeof audience !== 'string') return [];
      return registry.find(audience) ?? registry.findByCenter(audience) ?? [];
    });
    return new Set(named.map(({ center }) => center)).size === 1 ? named[0] : undefined;
  } catch {
    return undefined;
  }
}

/** The holder of a one-click address, and a sign-out, do not matter: it shows nothing and can only withdraw. */
function readOneClickClaims(
  { claims, isOver }: Verified,
  { center }: CenterConfig,
  now: number,
): CustomerOneClick {
  const { sub, scope, purpose } = claims;
  const subject = readSubjectId(sub);
  if (scope !== oneClickScope || subject === undefined) return invalid;
  // Never everything in place of a purpose that cannot be read: that was not asked for.
  if (purpose !== undefined && !(typeof purpose === 'string' && isGuid(purpose))) return invalid;
  const times = timesOf(claims, now);
  if (times === undefined || times.life > oneClickLife / 1000 + skew) return invalid;
  return isOver ? { kind: 'expired' } : { kind: 'valid', center, subject, purpose: purpose?.toLowerCase() };
}

/** In seconds: how long a token lives as far as it says, and when it was issued if that says something. */
function timesOf({ exp, iat }: JWTPayload, now: number) {
  if (exp === undefined) return undefined;
  const seconds = Math.floor(now / 1000);
  // A time of issue that is still to come says nothing.
  const issuedAt = iat !== undefined && iat <= seconds + skew ? iat : undefined;
  return { exp, issuedAt, life: exp - Math.min(issuedAt ?? seconds, seconds) };
}

function readClaims(token: string, claims: JWTPayload, now: number, longest: number): Signed {
  const subject = readSubjectId(claims.sub);
  const times = timesOf(claims, now);
  if (subject === undefined || times === undefined) return invalid;
  const { exp, issuedAt, life } = times;
  if (life > longest + skew) return invalid;
  const hasId = claims.jti !== undefined;
  // An id means once; an empty one would be good for ever, or for one person of all.
  if (hasId && String(claims.jti ?? '').trim() === '') return invalid;
  return {
    kind: 'valid',
    subject,
    scope: claims['scope'] === 'manage' ? 'manage' : 'withdraw',
    // Ids are of the issuer that gave them; outside text, so written unmistakably.
    id: hasId ? JSON.stringify([claims.iss, claims.jti]) : digest(token),
    expiresAt: exp * 1000,
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
