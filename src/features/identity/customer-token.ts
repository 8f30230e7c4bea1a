import { createHash } from 'node:crypto';
import {
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import type { Address, LinkKey } from '../../core/address.ts';
import type { CustomerToken } from '../../core/customer-token.ts';
import { Problem } from '../../core/problem.ts';
import { readSubjectId } from '../../core/subject.ts';
import type { Clock, CustomerTokens, HttpCall, Spent } from '../../ports.ts';
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

/** A used ticket is remembered this much longer than it lives, for clocks that differ. Milliseconds. */
const margin = 60_000;

type Signed =
  | Exclude<CustomerToken, { kind: 'valid' }>
  /** `expiresAt`: epoch milliseconds. */
  | (Extract<CustomerToken, { kind: 'valid' }> & { readonly id: string; readonly expiresAt: number });

const invalid = { kind: 'invalid' } as const;

/**
 * Reads what a customer's backend signed: issuer (`iss`) and key of the center's settings, audience (`aud`) the
 * center's address name or GUID, `exp` required and not too far away, `sub` the identifier. `scope` is `manage` only
 * when it says so: a token that says nothing lets a person withdraw.
 */
export function createCustomerTokens({
  http,
  clock,
  spent,
}: {
  http: HttpCall;
  clock: Clock;
  spent: Spent;
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

  async function verify(token: string, key: LinkKey, address: Address): Promise<JWTPayload> {
    const rules = {
      issuer: key.issuer,
      audience: audiencesOf(token, address),
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

  async function read(token: string, address: Address, longest: number): Promise<Signed> {
    let unreachable: Problem | undefined;
    for (const key of candidates(token, address)) {
      try {
        return readClaims(token, await verify(token, key, address), clock.now(), longest);
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

  const ticketOf = (address: Address, { id }: { id: string }) => `${address.center} ${id}`;

  return {
    async readLink(token, address) {
      const link = await read(token, address, longestLink);
      // A ticket is as good as a link, until it was used.
      const isUsed = link.kind === 'valid' && spent.isSpent('ticket', ticketOf(address, link));
      return isUsed ? { kind: 'expired', subject: link.subject } : link;
    },
    async redeem(token, address) {
      const ticket = await read(token, address, longestTicket);
      if (ticket.kind !== 'valid') return ticket;
      const isFirst = spent.spend('ticket', ticketOf(address, ticket), ticket.expiresAt + margin);
      return isFirst ? ticket : { kind: 'expired', subject: ticket.subject };
    },
  };
}

/** The keys of the issuer that a token names; among shared secrets those of the key that it names, if it does. */
function candidates(token: string, { linkKeys }: Address): readonly LinkKey[] {
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
function audiencesOf(token: string, { name, center }: Address): string[] {
  return [decodeJwt(token).aud]
    .flat()
    .filter((audience) => typeof audience === 'string' && [name, center].includes(audience.toLowerCase()))
    .map(String);
}

function readClaims(token: string, claims: JWTPayload, now: number, longest: number): Signed {
  const subject = readSubjectId(claims.sub);
  if (subject === undefined || claims.exp === undefined) return invalid;
  if (claims.exp - Math.floor(now / 1000) > longest + skew) return invalid;
  return {
    kind: 'valid',
    subject,
    scope: claims['scope'] === 'manage' ? 'manage' : 'withdraw',
    id: claims.jti || digest(token),
    expiresAt: claims.exp * 1000,
  };
}

/** Of what is signed, not of the signature: that can be written in more than one way. */
function digest(token: string): string {
  return createHash('sha256')
    .update(token.slice(0, token.lastIndexOf('.')))
    .digest('base64url');
}
