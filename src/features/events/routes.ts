import { type Request, type RequestHandler, Router } from 'express';
import * as z from 'zod';
import { purposesOf } from '../../core/consent/merge-set.ts';
import { isGuid } from '../../core/model/center/center-config.ts';
import type { Identifiers } from '../../core/model/person/identifiers.ts';
import { Problem } from '../../core/model/problem.ts';
import { eventBody } from '../../core/model/submission/event-body.ts';
import type { EventPage, Events } from '../../ports/events.ts';
import type { Platform } from '../../ports/platform.ts';
import { dropBody, jsonBody } from '../../web/body.ts';
import { within } from '../../web/within.ts';
import { type ApiKeysParts, type Caller, createApiKeys } from './api-keys.ts';

export interface EventParts extends ApiKeysParts {
  readonly events: Pick<Events, 'page' | 'stopped' | 'mayUse'>;
  readonly platform: Pick<Platform, 'findCenter'>;
  readonly identifiers: Pick<Identifiers, 'read'>;
}

const usualLines = 100;
const mostLines = 1_000;
/** Characters of one answer; the rest comes with the next request. */
const mostText = 2_000_000;
const mostIdentifiers = 1_000;
/**
 * The bytes of a thousand identifiers of 512 bytes. The body is parsed in one turn of the event loop, so it
 * must not be larger.
 */
const mostBytes = 640 * 1024;

/** Milliseconds that the answer waits for a schema that is not cached: it works without. */
const lookUpMs = 50;

const questionShape = z.object({
  // Another value would name no withdrawal, and the answer would allow sending to everyone.
  purpose: z
    .string()
    .refine(isGuid)
    .transform((id) => id.toLowerCase()),
  identifiers: z.array(z.unknown()).max(mostIdentifiers),
});

const number = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);
const position = number.optional();
const limit = number.refine((value) => value >= 1 && value <= mostLines).default(usualLines);

/**
 * Routes for the customer's systems, with a key of the center. They use no session, cookie or form, so a
 * browser's request from another site has no rights here. They stand before the cross-origin check.
 */
export function eventRoutes(parts: EventParts): Router {
  const { events, platform, clock } = parts;
  const keys = createApiKeys(parts);
  const router = Router();
  router.use('/api', answersInJson);

  router.get('/api/events', async (request, response) => {
    const { center } = keys.admit(request, 'events');
    const after = position.safeParse(request.query['after']);
    const asked = limit.safeParse(request.query['limit']);
    if (!after.success || !asked.success) throw new Problem('bad-request');
    const page = await events.page(center, { after: after.data ?? 0, limit: asked.data });
    if (after.data !== undefined && (after.data < page.goneUpTo || after.data > page.last)) {
      const error = after.data < page.goneUpTo ? 'events-gone' : 'cursor-unknown';
      return void response.status(410).json({ error, first: page.goneUpTo, last: page.last });
    }
    response.type('application/x-ndjson').send(linesOf(page));
  });

  router.post('/api/events/:id/stopped', async (request, response) => {
    const { center, key } = keys.admit(request, 'events');
    dropBody(request, response);
    const id = String(request.params['id']);
    const isThere = await events.stopped(center, id, { name: key.label, at: clock.now() });
    if (!isThere) throw new Problem('not-found');
    response.status(204).end();
  });

  const admitted = new WeakMap<Request, Caller>();
  const question = jsonBody({
    right: (request) => admitted.set(request, keys.admit(request, 'may-send')),
    bytes: mostBytes,
  });

  router.post('/api/may-send', question, async (request, response) => {
    const caller = admitted.get(request);
    const asked = questionShape.safeParse(request.body);
    if (caller === undefined || !asked.success) throw new Problem('bad-request');
    const { purpose, identifiers } = asked.data;
    const subjects = identifiers.map((each) => parts.identifiers.read(each));
    const wrong = subjects.flatMap((subject, index) => (subject === undefined ? index : []));
    if (wrong.length > 0) return void response.status(400).json({ error: 'identifier-refused', wrong });
    const known = subjects.flatMap((subject) => subject ?? []);
    const [{ since, answers }, center] = await Promise.all([
      events.mayUse(caller.center, purpose, known),
      within(lookUpMs, platform.findCenter(caller.center), () => undefined),
    ]);
    // A wrong id would look like a purpose that no person has withdrawn, so the answer says that the center
    // lacks it.
    const isMissing = center !== undefined && !purposesOf(center).has(purpose);
    response.json({
      source: 'journal',
      since: new Date(since).toISOString(),
      purpose,
      ...(isMissing ? { purposeInCenter: false } : {}),
      maySend: answers,
    });
  });

  return router;
}

/** Programs get problems in JSON, whatever they accept. */
const answersInJson: RequestHandler = (request, response, next) => {
  request.headers.accept = 'application/json';
  response.setHeader('WWW-Authenticate', 'Bearer');
  next();
};

function linesOf({ events }: EventPage): string {
  let text = '';
  for (const { position, event } of events) {
    const body = event === undefined ? { type: 'event.unreadable' } : eventBody(event);
    text += `${JSON.stringify({ cursor: position, ...body })}\n`;
    if (text.length > mostText) break;
  }
  return text;
}
