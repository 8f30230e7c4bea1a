import { type Request, type Response, Router } from 'express';
import * as z from 'zod';
import type { RecordCopy } from '../../core/model/evidence/record-copy.ts';
import { Problem } from '../../core/model/problem.ts';
import { isoDay, readDay } from '../../core/model/utc-time.ts';
import { agreesWithLeaves } from '../../pages/person/record-agrees.ts';
import { buildVerifyPage, createVerifiedEntries, type Verdict } from '../../pages/person/verify.ts';
import type { DayRoots } from '../../ports/day-roots.ts';
import type { RateCounters } from '../../ports/rate-counters.ts';
import type { RecordSigner } from '../../ports/signed-records.ts';
import type { Wordings } from '../../ports/wordings.ts';
import { endTurn, mapInTurns } from '../../turn.ts';
import { fileBody } from '../../web/body.ts';
import { createBodyBudget } from '../../web/body-budget.ts';
import { createClientRates } from '../../web/client-rates.ts';
import { openPage } from '../../web/open-page.ts';
import type { PageParts } from '../../web/page-parts.ts';
import { sealedToken } from '../../web/sealed-token.ts';

export interface VerifyParts extends PageParts {
  readonly signer: Pick<RecordSigner, 'open'>;
  readonly dayRoots: Pick<DayRoots, 'list' | 'standings'>;
  readonly wordings: Pick<Wordings, 'read'>;
  readonly rateCounters: Pick<RateCounters, 'count' | 'giveBack'>;
}

const mebibyte = 1_024 * 1_024;
const mostBytes = 2 * mebibyte;
/** Posted files have a budget of their own, so that files of strangers use no room of forms. */
const room = {
  bytes: 4 * mostBytes,
  bytesOfStrangers: 4 * mostBytes,
  bytesOfClient: 2 * mostBytes,
  arrivingOfClient: 4,
  waitMs: 2_000,
  waiting: 32,
};
const allowed = { most: 20, withinMs: 60_000 };
const rootsOnPage = 100;

const formToken = sealedToken({ use: 'verify form', schema: z.object({}) });

/** Tells the holder of a signed copy whether it is genuine. It keeps nothing. */
export function verifyRoutes(parts: VerifyParts): Router {
  const { signer, dayRoots, wordings, brandOf, render } = parts;
  const rates = createClientRates(parts);
  const budget = createBodyBudget(room);
  const router = Router();

  async function show(request: Request, response: Response, verdict?: Verdict): Promise<void> {
    const { language, pageContext } = openPage(brandOf, request, {
      centerConfig: undefined,
      center: undefined,
      frame: 'top',
      pageHref: () => '/verify',
      languageHref: (lang) => `/verify?lang=${encodeURIComponent(lang)}`,
    });
    const query = new URLSearchParams({ lang: language, k: formToken.seal(parts, {}) });
    const entries =
      verdict?.kind === 'genuine'
        ? await mapInTurns(verdict.copy.records, createVerifiedEntries(language, verdict.standings))
        : [];
    const action = `/verify?${query}`;
    const page = buildVerifyPage({ pageContext, language, action, verdict, entries });
    await render(response, 'record/verify', page);
  }

  async function verdictOn(file: Buffer): Promise<Verdict> {
    if (file.length === 0) return { kind: 'no-file' };
    const copy = (await signer.open(readCopy(file))) as RecordCopy | undefined;
    // Signed day roots have the same key, so the type is checked.
    if (copy?.['@type'] !== 'dpv:ConsentReceipt') return { kind: 'not-genuine' };
    await endTurn();
    const words = await wordings.read(
      copy.records.flatMap(({ 'sayso:asked': asked, purposes }) =>
        asked?.shown ? { words: asked.shown.words, ids: purposes.map((each) => each['sayso:id']) } : [],
      ),
    );
    const found = await dayRoots.standings(copy);
    const standings = await mapInTurns(copy.records, (record, place) =>
      agreesWithLeaves(copy, record, words) ? (found[place] ?? 'not-yet') : 'not-in-root',
    );
    return { kind: 'genuine', copy, standings };
  }

  router.get('/verify', (request, response) => show(request, response));

  const file = fileBody({
    async right(request) {
      if (formToken.open(parts, request.query['k']) === undefined) throw new Problem('form-refused');
      await rates.take('verify', request.ip ?? '', allowed);
    },
    budget,
    bytes: mostBytes,
  });

  router.post('/verify', file, async (request, response) => {
    await show(request, response, await verdictOn(request.body));
  });

  return router;
}

/** The signed roots of a center's days, the newest first. */
export function rootRoutes({ dayRoots }: Pick<VerifyParts, 'dayRoots'>): Router {
  const router = Router();
  router.get('/.well-known/sayso/roots', async (request, response) => {
    const { center, before } = request.query;
    const day = before === undefined ? Number.MAX_SAFE_INTEGER : readDay(String(before));
    if (typeof center !== 'string' || day === undefined) throw new Problem('bad-request');
    const found = await dayRoots.list(center, { before: day, limit: rootsOnPage });
    const last = found.length < rootsOnPage ? undefined : found.at(-1);
    const next = last && new URLSearchParams({ center, before: isoDay(last.day) });
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.json({
      roots: found.map(({ signed }) => signed),
      ...(next === undefined ? {} : { next: `/.well-known/sayso/roots?${next}` }),
    });
  });
  return router;
}

/** The limit is longer than any head that we sign. */
const longestHead = 1_024;

/**
 * A copy is an object of three texts, and nothing else is parsed: 2 MiB of brackets, or a head that holds
 * them, would take a second of everybody's time.
 */
function readCopy(file: Buffer): Readonly<Record<string, string>> | undefined {
  const parts = file.toString().split('"', 14);
  const separators = parts.filter((_part, index) => index % 2 === 0).map((part) => part.trim());
  if (parts.length !== 13 || separators.join('') !== '{:,:,:}') return undefined;
  const [, one = '', , first = '', , two = '', , second = '', , three = '', , third = ''] = parts;
  const copy = Object.fromEntries([
    [one, first],
    [two, second],
    [three, third],
  ]);
  return (copy['protected'] ?? '').length > longestHead ? undefined : copy;
}
