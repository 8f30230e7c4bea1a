import type { Request, Response } from 'express';
import * as z from 'zod';
import type { OpenIdClient, OpenIdReturn } from '../core/model/person/open-id.ts';
import type { Clock } from '../ports/clock.ts';
import type { OpenIdConnect } from '../ports/open-id-connect.ts';
import type { RateCounters } from '../ports/rate-counters.ts';
import type { ReplayGuard } from '../ports/replay-guard.ts';
import type { Seal } from '../ports/seal.ts';
import { createClientRates } from './client-rates.ts';
import { ownCookie, readCookie } from './cookie.ts';
import { sealedToken } from './sealed-token.ts';

/** The longest time at the provider, in milliseconds. */
const longest = 10 * 60 * 1000;

/**
 * The most failed returns of a client's smallest network; wider networks may have a multiple. Each return
 * calls the provider and writes a row, and anyone can send them.
 */
const mostFailed = { most: 100, withinMs: 10 * 60 * 1000 };

const kept = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  audience: z.string(),
  lang: z.string().optional().catch(undefined),
});

export type SingleSignOn = ReturnType<typeof createSingleSignOn>;

interface Trip {
  readonly client: OpenIdClient;
  readonly redirectUri: string;
  /** The center (or the staff pages) of the sign-in; a return to another one is refused. */
  readonly audience: string;
}

/**
 * Sends a browser to an OpenID provider, and reads its return. The transaction is sealed in a cookie of its
 * own. The cookie is Lax, because the provider redirects from another site. The cookie is good for one return
 * within ten minutes.
 */
export function createSingleSignOn(parts: {
  readonly openId: Pick<OpenIdConnect, 'start' | 'finish'>;
  readonly seal: Pick<Seal, 'seal' | 'open'>;
  readonly replayGuard: Pick<ReplayGuard, 'spend'>;
  readonly rateCounters: Pick<RateCounters, 'count' | 'giveBack'>;
  readonly clock: Clock;
  readonly https: boolean;
  /** The cookie's name, and the use of the token in it. */
  readonly name: string;
  readonly warn: (event: string, fault: unknown) => void;
}) {
  const { openId, replayGuard, warn } = parts;
  const clientRates = createClientRates(parts);
  const tripToken = sealedToken({ use: parts.name, schema: kept, maxAgeMs: longest });
  const { name, cookie } = ownCookie({ ...parts, sameSite: 'lax' });

  return {
    /** Sends the browser to the provider. Throws, before it answers, if the provider cannot be reached. */
    async leave(
      response: Response,
      { client, redirectUri, audience, lang }: Trip & { readonly lang?: string | undefined },
    ): Promise<void> {
      const { href, transaction } = await openId.start(client, redirectUri);
      const sealed = tripToken.seal(parts, { ...transaction, audience, lang });
      response.cookie(name, sealed, { ...cookie, maxAge: longest });
      response.redirect(303, href);
    },
    /**
     * Reads the provider's claims about the visitor; `claims` is undefined if nothing is proven. `isEnough`
     * tells whether the ID token suffices, so that the provider is not asked for more. Throws
     * too-many-requests.
     */
    async comeBack(
      request: Request,
      response: Response,
      { client, redirectUri, audience, isEnough }: Trip & Pick<OpenIdReturn, 'isEnough'>,
    ) {
      const carried = readCookie(request, name) ?? '';
      if (carried !== '') response.clearCookie(name, cookie);
      const left = tripToken.open(parts, carried);
      if (left === undefined) return { claims: undefined, lang: undefined };
      const { lang, at, ...transaction } = left;
      if (left.audience !== audience) return { claims: undefined, lang };
      // The return counts as failed until it succeeds, so that parallel requests cannot pass the limit.
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
