import { createSecretKey, hash } from 'node:crypto';
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
} from '../../core/model/center/center-config.ts';
import type { CustomerOneClick, CustomerToken } from '../../core/model/person/customer-token.ts';
import type { Identifiers } from '../../core/model/person/identifiers.ts';
import { isEndedBySignOut } from '../../core/model/person/sign-out.ts';
import { readSubjectId, type SubjectId } from '../../core/model/person/subject.ts';
import { Problem } from '../../core/model/problem.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CustomerTokens } from '../../ports/customer-tokens.ts';
import type { HttpCall } from '../../ports/http-call.ts';
import type { ReplayGuard } from '../../ports/replay-guard.ts';
import type { SignedOutAt } from '../../ports/session-store.ts';
import { createKeySet, readKeySet } from './key-set.ts';

/** A public key is never used as a shared secret, nor the other way round. */
const publicAlgorithms = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'];

/** Seconds by which another machine's clock may differ. */
const skew = 30;

/** The longest life of a link, in seconds. */
const longestLink = 366 * 24 * 60 * 60;

/** The longest life of a ticket, in seconds: it is made for one view of a page. */
const longestTicket = 300;

/**
 * Characters of a one-click token: room for an escaped identifier of 512 bytes and the signature of an RSA
 * key of 4096 bits.
 */
const longestOneClick = 4_096;

/** The scope of a token that is for one click alone. */
const oneClickScope = 'one-click';

/** A used token is remembered this much longer than its life, because clocks differ. Milliseconds. */
const margin = 60_000;

/** Claims with a valid signature of the customer; their content is not checked yet. */
interface Verified {
  readonly claims: JWTPayload;
  readonly isOver: boolean;
}

type Signed = ReturnType<typeof readClaims> | Exclude<CustomerToken, { kind: 'valid' }>;

const invalid = { kind: 'invalid' } as const;

const over = ({ subject }: { subject: SubjectId }) => ({ kind: 'expired', subject }) as const;

/**
 * Reads tokens signed by a customer's backend. `iss` and key come from the center's settings, `aud` is the
 * center's address name or GUID, `exp` is required and limited, `sub` is the identifier. `scope` must be
 * `manage` to allow more than withdrawing. A token with the scope `one-click` is for that alone.
 */
export function createCustomerTokens(parts: {
  readonly http: HttpCall;
  readonly clock: Clock;
  readonly replayGuard: Pick<ReplayGuard, 'spend' | 'isUsed'>;
  readonly signedOutAt: SignedOutAt;
  readonly identifiers: Pick<Identifiers, 'admit'>;
}): CustomerTokens {
  const { clock, replayGuard, signedOutAt, identifiers } = parts;
  const known = new Map<string, JWTVerifyGetKey>();

  /** Keys are cached, because preparing a key costs as much as checking a signature. */
  function keyOf(key: LinkKey): JWTVerifyGetKey {
    const { kind, issuer, ...source } = key;
    return known.getOrInsertComputed(JSON.stringify(source), () => {
      if (key.kind === 'jwks') return createKeySet(key.url, parts);
      if (key.kind === 'jwks-file') return readKeySet(key.keys);
      const secret = createSecretKey(key.secret, 'utf8');
      return async () => secret;
    });
  }

  /** Returns the claims if a key of the center verifies them, otherwise undefined. */
  async function verified(
    token: string,
    { name, center, linkKeys }: CenterConfig,
  ): Promise<Verified | undefined> {
    const { issuer, keyId, audiences } = unverified(token);
    let unreachable: Problem | undefined;
    for (const key of linkKeys) {
      if (key.issuer !== issuer) continue;
      // A shared secret with an id must match the token's.
      if (key.kind === 'secret' && keyId !== undefined && (key.keyId ?? keyId) !== keyId) continue;
      try {
        const { payload } = await jwtVerify(token, keyOf(key), {
          issuer: key.issuer,
          // An audience may be written in any letter case.
          audience: audiences.filter((each) => [name, center].includes(each.toLowerCase())),
          requiredClaims: ['exp', 'sub'],
          clockTolerance: skew,
          currentDate: new Date(clock.now()),
          algorithms: key.kind === 'secret' ? ['HS256'] : publicAlgorithms,
        });
        return { claims: payload, isOver: false };
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

  async function unlessUsed(signed: Signed): Promise<Signed> {
    return signed.kind === 'valid' && (await replayGuard.isUsed('token', signed.id)) ? over(signed) : signed;
  }

  /** Uses up a valid token. A token that was used before is over. */
  async function usedUp(signed: Signed): Promise<Signed> {
    if (signed.kind !== 'valid') return signed;
    const { id, expiresAt } = signed;
    return (await replayGuard.spend('token', id, expiresAt + margin)) ? signed : over(signed);
  }

  return {
    readLink: async (token, centerConfig) => unlessUsed(await read(token, centerConfig, longestLink)),
    async takeLink(token, centerConfig) {
      const link = await read(token, centerConfig, longestLink);
      return link.kind === 'valid' && link.isGoodOnce ? usedUp(link) : unlessUsed(link);
    },
    redeem: async (token, centerConfig) => usedUp(await read(token, centerConfig, longestTicket)),
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

/** The issuer, key id and audiences of a token before it is verified. */
function unverified(token: string) {
  try {
    const { iss, aud } = decodeJwt(token);
    const audiences = [aud].flat().filter((each) => typeof each === 'string');
    return { issuer: iss, keyId: decodeProtectedHeader(token).kid, audiences };
  } catch {
    return { issuer: undefined, keyId: undefined, audiences: [] };
  }
}

/** The center named by the token's audiences; undefined if they name none or several. */
function centerOf(token: string, registry: CenterRegistry): CenterConfig | undefined {
  const named = unverified(token).audiences.flatMap(
    (audience) => registry.find(audience) ?? registry.findByCenter(audience) ?? [],
  );
  return new Set(named.map(({ center }) => center)).size === 1 ? named[0] : undefined;
}

/**
 * Reads the claims of a one-click address. Neither the holder nor a sign-out matters, because the address
 * shows nothing and can only withdraw.
 */
function readOneClickClaims(
  { claims, isOver }: Verified,
  { center }: CenterConfig,
  now: number,
): CustomerOneClick {
  const { sub, scope, purpose } = claims;
  const subject = readSubjectId(sub);
  if (scope !== oneClickScope || subject === undefined) return invalid;
  // An unreadable purpose must not become "everything": that was not asked for.
  if (purpose !== undefined && !(typeof purpose === 'string' && isGuid(purpose))) return invalid;
  const times = timesOf(claims, now);
  if (times === undefined || times.life > oneClickLife / 1000 + skew) return invalid;
  return isOver ? { kind: 'expired' } : { kind: 'valid', center, subject, purpose: purpose?.toLowerCase() };
}

/** The life of a token and its time of issue, in seconds. */
function timesOf({ exp, iat }: JWTPayload, now: number) {
  if (exp === undefined) return undefined;
  const seconds = Math.floor(now / 1000);
  // A future time of issue is ignored.
  const issuedAt = iat !== undefined && iat <= seconds + skew ? iat : undefined;
  return { exp, issuedAt, life: exp - Math.min(issuedAt ?? seconds, seconds) };
}

function readClaims(token: string, claims: JWTPayload, now: number, longest: number) {
  const subject = readSubjectId(claims.sub);
  const times = timesOf(claims, now);
  if (subject === undefined || times === undefined) return invalid;
  const { exp, issuedAt, life } = times;
  if (life > longest + skew) return invalid;
  const hasId = claims.jti !== undefined;
  // A `jti` means that the token is good once. An empty one could be used for ever, or would be shared by all
  // people.
  if (hasId && String(claims.jti ?? '').trim() === '') return invalid;
  return {
    kind: 'valid',
    subject,
    scope: claims['scope'] === 'manage' ? 'manage' : 'withdraw',
    // The id identifies the token in all centers. A `jti` is unique for its issuer alone. Both are foreign
    // text, so JSON separates them.
    id: hasId ? JSON.stringify([claims.iss, claims.jti]) : digest(token),
    expiresAt: exp * 1000,
    /** The earliest possible time of issue by our clock; undefined if the token does not say. */
    issuedAt: issuedAt === undefined ? undefined : (issuedAt - skew) * 1000,
    /** True if the token opens one session in all centers: it has a `jti`, or a ticket's short life. */
    isGoodOnce: hasId || life <= longestTicket + skew,
  } as const;
}

/** A digest of the signed part: the same signature can be encoded in several ways. */
function digest(token: string): string {
  return hash('sha256', token.slice(0, token.lastIndexOf('.')), 'base64url');
}
