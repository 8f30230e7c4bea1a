import type { Request, Response } from 'express';
import * as z from 'zod';
import type { Claims, OpenIdClient, OpenIdReturn, OpenIdTransaction } from '../core/model/open-id.ts';
import type { RateCounters } from '../ports/rate-counters.ts';
import { createClientRates } from './client-rates.ts';
import { readCookie } from './cookie.ts';
import { sealedToken } from './sealed-token.ts';

/** Milliseconds between leaving and coming back. */
const longest = 10 * 60 * 1000;

/**
 * Of one client's smallest network, comings back that come to nothing; its wider ones may have a multiple. Each is a call
 * of the provider and a row, and anybody can send as many as they like.
 */
const mostFailed = { most: 100, withinMs: 10 * 60 * 1000 };

const kept = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  audience: z.string(),
  lang: z.string().optional().catch(undefined),
});

/** To an OpenID provider and back, in one browser. */
export interface SingleSignOn {
  /** Sends the browser to the provider. Throws when that does not answer; then nothing was sent. */
  leave(response: Response, trip: Trip & { readonly lang?: string | undefined }): Promise<void>;
  /**
   * What the provider says of who came back; `claims` undefined when nothing is proven. `isEnough`: whether the ID
   * token says all that is needed, so that the provider need not be asked for more. Throws too-many-requests.
   */
  comeBack(
    request: Request,
    response: Response,
    trip: Trip & Pick<OpenIdReturn, 'isEnough'>,
  ): Promise<{ readonly claims: Claims | undefined; readonly lang: string | undefined }>;
}

interface Trip {
  readonly client: OpenIdClient;
  readonly redirectUri: string;
  /** What is signed in to: who left for one place does not come back to another. */
  readonly audience: string;
}

/**
 * What must be remembered meanwhile lies sealed in a cookie of its own, Lax because the provider leads back from
 * another site; it is good for one coming back within ten minutes.
 */
export function createSingleSignOn(parts: {
  readonly openId: {
    start(
      client: OpenIdClient,
      redirectUri: string,
    ): Promise<{ readonly href: string; readonly transaction: OpenIdTransaction }>;
    finish(client: OpenIdClient, back: OpenIdReturn): Promise<Claims>;
  };
  readonly seal: {
    seal(purpose: string, value: unknown): string;
    open(purpose: string, token: string): unknown;
  };
  readonly replayGuard: { spend(use: string, id: string, until: number): Promise<boolean> };
  readonly rateCounters: Pick<RateCounters, 'count' | 'giveBack'>;
  readonly clock: { now(): number };
  readonly https: boolean;
  /** Of the cookie; and what is sealed in it is for that cookie alone. */
  readonly name: string;
  readonly warn: (event: string, fault: unknown) => void;
}): SingleSignOn {
  const { openId, seal, replayGuard, clock, https, warn } = parts;
  const clientRates = createClientRates(parts);
  const name = https ? `__Host-${parts.name}` : parts.name;
  const tripToken = sealedToken({ use: parts.name, schema: kept, maxAgeMs: longest });
  const cookie = { path: '/', httpOnly: true, sameSite: 'lax', secure: https } as const;

  return {
    async leave(response, { client, redirectUri, audience, lang }) {
      const { href, transaction } = await openId.start(client, redirectUri);
      const sealed = tripToken.seal({ seal, clock }, { ...transaction, audience, lang });
      response.cookie(name, sealed, { ...cookie, maxAge: longest });
      response.redirect(303, href);
    },
    async comeBack(request, response, { client, redirectUri, audience, isEnough }) {
      const carried = readCookie(request, name) ?? '';
      if (carried !== '') response.clearCookie(name, cookie);
      const left = tripToken.open({ seal, clock }, carried);
      if (left === undefined) return { claims: undefined, lang: undefined };
      const { lang, at, ...transaction } = left;
      if (left.audience !== audience) return { claims: undefined, lang };
      // Counted as failed until it is given back, so that many at once are not more than there may be.
      const giveBack = await clientRates.take(`failed ${parts.name}`, request.ip ?? '', mostFailed);
      if (!(await replayGuard.spend(parts.name, left.state, at + longest)))
        return { claims: undefined, lang };
      const url = new URL(redirectUri);
      url.search = new URL(request.originalUrl, redirectUri).search;
      const claims = await openId.finish(client, { url, transaction, isEnough }).catch((fault: unknown) => {
        warn('single sign-on failed', fault);
        return undefined;
      });
      if (claims !== undefined) await giveBack();
      return { claims, lang };
    },
  };
}
