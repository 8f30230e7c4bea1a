import type { Request, RequestHandler, Response } from 'express';
import { Problem } from '../core/model/problem.ts';
import type { ProblemPage } from '../pages/every-page.ts';
import type { Fault } from './errors.ts';
import type { ToHtml } from './render.ts';
import { whenClosed } from './when-closed.ts';

/**
 * What a request is for, the first to be shed first. A posted form may hold a withdrawal, so it counts as one until
 * it is read: `admit` then turns away what only opts in.
 */
export type RequestClass = (typeof requestClasses)[number];
export const requestClasses = ['staff', 'read', 'opt-in', 'withdrawal'] as const;

/** Shed at or above `inFlight`, or when the loop is late by `delay` while not just a few are in flight. */
export type Thresholds = Readonly<
  Record<Exclude<RequestClass, 'withdrawal'>, { readonly delay: number; readonly inFlight: number }>
>;

/**
 * `delay`: milliseconds by which the event loop usually is late; `inFlight`: requests that have arrived in full and are
 * not answered.
 */
const usual: Thresholds = {
  staff: { delay: 40, inFlight: 256 },
  read: { delay: 80, inFlight: 512 },
  'opt-in': { delay: 200, inFlight: 1_024 },
};

/**
 * A loop that is late for so few is held up by something else, which shedding would not cure. And so many it takes
 * to keep it busy: turning away costs time too, and with fewer in work hardly anyone would be served.
 */
const minInFlight = 160;

export interface LoadShedderParts {
  /** Milliseconds by which the event loop usually was late, over the last moment. */
  readonly loopDelay: () => number;
  readonly thresholds?: Thresholds | undefined;
  readonly onShed?: ((shed: RequestClass) => void) | undefined;
}

export interface LoadShedder {
  /** Before anything that costs: no session, no body, no call. */
  middleware(answer: Reject): RequestHandler;
  /** Throws overloaded. For what is known only once a form is read. */
  admit(what: RequestClass): void;
  inFlight(): number;
}

/** Answers that there is too much to do, at next to no cost. */
export type Reject = (request: Request, response: Response) => void;

/** Seconds. */
const retryAfter = 2;

export function createLoadShedder({ loopDelay, thresholds = usual, onShed }: LoadShedderParts): LoadShedder {
  let inFlight = 0;

  function isTooMuch(what: RequestClass): boolean {
    if (what === 'withdrawal') return false;
    const most = thresholds[what];
    if (inFlight < most.inFlight && (inFlight < minInFlight || loopDelay() < most.delay)) return false;
    onShed?.(what);
    return true;
  }

  /** Counts a request from its last byte on: one that stalls is no work, and must not shed the others. */
  function countArrived(request: Request, response: Response): void {
    let isCounted = false;
    let isOver = false;
    const count = () => {
      if (isOver) return;
      isCounted = true;
      inFlight += 1;
    };
    whenClosed(response, () => {
      isOver = true;
      if (isCounted) inFlight -= 1;
    });
    if (waitsForBody(request)) request.once('end', count);
    else count();
  }

  return {
    admit(what) {
      if (isTooMuch(what)) throw new Problem('overloaded', { retryAfter });
    },
    inFlight: () => inFlight,
    middleware: (answer) => (request, response, next) => {
      if (isTooMuch(classOf(request))) return answer(request, response);
      countArrived(request, response);
      next();
    },
  };
}

/** The page is made once for each list of languages, not for each person: it holds no address and no reference. */
export function createRejection({
  problemPage,
  toHtml,
}: {
  problemPage: (fault: Fault) => ProblemPage;
  toHtml: ToHtml;
}): Reject {
  const pages = new Map<string, Buffer>();

  function pageFor(request: Request): Buffer {
    const languages = request.get('accept-language')?.slice(0, 100) ?? '';
    const known = pages.get(languages);
    if (known !== undefined) return known;
    const anyone: Request = Object.create(request, {
      path: { value: '/' },
      originalUrl: { value: '/' },
      // The way on is the same address again.
      method: { value: 'GET' },
      query: { value: {} },
    });
    const page = problemPage({ code: 'overloaded', reference: 'overloaded', retryAfter, request: anyone });
    const made = Buffer.from(toHtml(page.view, page));
    if (pages.size < 200) pages.set(languages, made);
    return made;
  }

  return (request, response) => {
    response.statusCode = 503;
    response.setHeader('Retry-After', retryAfter);
    if (request.accepts(['html', 'json']) === 'json') {
      response.setHeader('Content-Type', 'application/json; charset=utf-8');
      response.end('{"error":"overloaded"}');
      return;
    }
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(pageFor(request));
  };
}

/** A post is work once its body is there. Nothing else reads one: its head is all. */
function waitsForBody({ method, headers }: Request): boolean {
  if (method !== 'POST') return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** By method and path alone. */
export function classOf({ method, path }: Pick<Request, 'method' | 'path'>): RequestClass {
  if (/^\/(staff|reports|metrics)(\/|$)/i.test(path)) return 'staff';
  // Of programs, which ask again.
  if (/^\/api(\/|$)/i.test(path)) return 'read';
  if (/^\/u\/|\/(unsubscribe|one-click)(\/|$)/i.test(path)) return 'withdrawal';
  if (method === 'POST') return /\/(sign-in|sign-out)(\/|$)/i.test(path) ? 'read' : 'withdrawal';
  return /\/results(\/|$)/i.test(path) ? 'opt-in' : 'read';
}
