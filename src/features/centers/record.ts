import { Router } from 'express';
import { knownFromElsewhere, type LeftAs, noteLeft } from '../../core/consent/elsewhere.ts';
import { objectionIntent } from '../../core/consent/global-privacy-control.ts';
import { nonces } from '../../core/consent/nonce.ts';
import { isGuid } from '../../core/model/center/center-config.ts';
import type { RecordedSubmission } from '../../core/model/evidence/evidence.ts';
import { recordSchema } from '../../core/model/evidence/record-schema.ts';
import type { Subject } from '../../core/model/person/subject.ts';
import { Problem } from '../../core/model/problem.ts';
import {
  buildRecordPage,
  entriesInFile,
  entriesOnPage,
  type Paging,
  pageOf,
} from '../../pages/person/record.ts';
import { buildRecordCopy, createRecords } from '../../pages/person/record-copy.ts';
import { createEntries } from '../../pages/person/record-entries.ts';
import { askedWords } from '../../pages/person/words-of-then.ts';
import type { RecordSigner } from '../../ports/signed-records.ts';
import { endTurn, mapInTurns } from '../../turn.ts';
import { withQuery } from '../../web/href.ts';
import { type Call, findCenter, loadContext, readCounted, soon, type VisitorRouter } from './context.ts';
import { managersOnly } from './step-up.ts';
import { afterSubmitHref, resultPath, shownNow, submit } from './submit.ts';

/** My record as a page, a certificate and a signed file; and the browser's objection, saved to last. */
export function recordRoutes({ parts, get, post }: VisitorRouter): void {
  const { delivery, signer, clock, render, publicUrl, wordings, random, dayRoots } = parts;

  /**
   * Yields the submissions, the newest first. A new submission moves the older ones on, so that one may be
   * read twice.
   */
  async function* partsOf({ visit, centerConfig }: Call) {
    for (let offset = 0; ; offset += entriesInFile) {
      const part = { limit: entriesInFile, offset };
      const { submissions, total } = await delivery.history(centerConfig.center, visit.subject, part);
      yield submissions;
      if (offset + entriesInFile >= total) return;
      await endTurn();
    }
  }

  /** `asked` is the number of the page or part in the address. */
  async function partOf(asked: unknown, { visit, centerConfig }: Call, size: number): Promise<Part> {
    const read = (offset: number, limit: number) =>
      delivery.history(centerConfig.center, visit.subject, { limit, offset });
    const paging = pageOf(asked, (await read(0, 0)).total, size);
    const { submissions } = await read((paging.page - 1) * size, size);
    return { paging, history: submissions };
  }

  /** The store cannot search sealed items for a purpose, so this reads every submission. */
  async function partAbout(purpose: string, asked: unknown, call: Call): Promise<Part> {
    const wanted = pageOf(asked, Number.MAX_SAFE_INTEGER, entriesOnPage).page;
    const page: RecordedSubmission[] = [];
    let total = 0;
    for await (const submissions of partsOf(call)) {
      for (const each of submissions) {
        if (!each.items.some(({ id }) => id === purpose)) continue;
        if (total % entriesOnPage === 0 && total < wanted * entriesOnPage) page.length = 0;
        if (total < wanted * entriesOnPage) page.push(each);
        total += 1;
      }
    }
    return { paging: pageOf(asked, total, entriesOnPage), history: page };
  }

  /**
   * Returns the records of purposes that were changed elsewhere, for the last page alone. undefined on other
   * pages, and if the record could not be read.
   */
  async function elsewhereOf(subject: Subject | undefined, { paging, history }: Part, call: Call) {
    if (subject === undefined || paging.page < paging.pages) return undefined;
    const left: LeftAs = new Map();
    if (paging.pages === 1) noteLeft(left, history, clock.now());
    else for await (const submissions of partsOf(call)) noteLeft(left, submissions, clock.now());
    return knownFromElsewhere(subject, left);
  }

  const pageAt =
    (path: '/record' | '/record/certificate') =>
    async (call: Call): Promise<void> => {
      const { hrefOf } = call;
      const { page: asked, purpose: about } = call.request.query;
      const purpose =
        path === '/record' && typeof about === 'string' && isGuid(about) ? about.toLowerCase() : undefined;
      const part =
        purpose === undefined
          ? await partOf(asked, call, entriesOnPage)
          : await partAbout(purpose, asked, call);
      const { history, paging } = part;
      const context = await loadContext(call, path, soon);
      const only = (one: string | undefined) => hrefOf(path, { purpose: one });
      const input = {
        ...context,
        history,
        words: await wordings.read(askedWords(history)),
        paging,
        purpose,
        elsewhere: await elsewhereOf(context.subject, part, call),
        certificate:
          path === '/record' ? undefined : { now: clock.now(), verifiedAt: `${publicUrl.origin}/verify` },
        hrefs: {
          page: (number: number) => withPart(only(purpose), 'page', number),
          only,
          result: (reference: string) => hrefOf(resultPath(reference)),
          download: (number: number) => withPart(hrefOf('/record.json'), 'part', number),
          certificate: hrefOf('/record/certificate'),
          record: hrefOf('/record'),
          back: hrefOf(''),
        },
      };
      const entries = await mapInTurns(history, createEntries(input));
      const page = buildRecordPage(input, entries);
      await endTurn();
      await render(call.response, 'record/record', page);
    };

  async function giveCopy(call: Call): Promise<void> {
    const { request, response, centerConfig } = call;
    const { history, paging } = await partOf(request.query['part'], call, entriesInFile);
    const context = await loadContext(call, '/record.json', soon);
    const input = {
      ...context,
      words: await wordings.read(askedWords(history)),
      proofs: await dayRoots.proofs(
        centerConfig.center,
        history.map(({ reference }) => reference),
      ),
      paging,
      issuer: publicUrl.origin,
      id: random.id(),
      now: clock.now(),
    };
    response.setHeader('Content-Type', 'application/jose+json');
    response.setHeader('Content-Disposition', `attachment; filename="${nameOf(paging)}"`);
    const copy = buildRecordCopy(input, await mapInTurns(history, createRecords(input)));
    await endTurn();
    const signed = await signer.sign(copy);
    await endTurn();
    response.send(`${JSON.stringify(signed, undefined, 2)}\n`);
  }

  for (const path of ['/record', '/record/certificate'] as const) get(path, managersOnly(pageAt(path)));
  get('/record.json', managersOnly(giveCopy));

  post('/objection', { size: 'button' }, async (call) => {
    const nonce = call.openAction('objection');
    // The record is read anew for purposes that are on by default: the objection must not switch off a choice
    // of the person.
    const [center, subject] = await Promise.all([findCenter(call), readCounted(call, 'objection')]);
    if (center === undefined) throw new Problem('not-found');
    const intent = objectionIntent(center, subject);
    const purposes = intent.purposes.map(({ purpose }) => purpose);
    const submission = await submit(call, {
      nonce: nonces.ofObjection(nonce, purposes),
      intent,
      shown: await shownNow(call, center),
      globalPrivacyControl: true,
      isObjection: true,
    });
    call.response.redirect(303, afterSubmitHref(call, submission));
  });
}

interface Part {
  readonly history: readonly RecordedSubmission[];
  readonly paging: Paging;
}

function withPart(href: string, name: string, number: number): string {
  return number === 1 ? href : withQuery(href, { [name]: String(number) });
}

function nameOf({ page, pages }: Paging): string {
  return pages === 1 ? 'my-record.json' : `my-record-${page}-of-${pages}.json`;
}

/** The public keys of signed records. */
export function wellKnownRoutes({ signer }: { signer: RecordSigner }): Router {
  const router = Router();
  // RFC 7517. A record may be verified in a browser, on a page of their own.
  router.get('/.well-known/jwks.json', async (_request, response) => {
    const keys = await signer.keys();
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.type('application/jwk-set+json').send(JSON.stringify({ keys }));
  });
  // The schema of a signed record.
  router.get('/.well-known/sayso/record.schema.json', (_request, response) => {
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.type('application/schema+json').send(JSON.stringify(recordSchema, undefined, 2));
  });
  return router;
}
