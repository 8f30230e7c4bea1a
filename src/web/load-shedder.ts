import type { Request, RequestHandler, Response } from 'express';
import { Problem } from '../core/model/problem.ts';
import type { ErrorsOptions } from './errors.ts';
import type { ToHtml } from './render.ts';
import { whenClosed } from './when-closed.ts';

/**
 * Classes of requests; the first is shed first. A posted form counts as a withdrawal until it is read:
 * `admit` then refuses forms that only opt in.
 */
export type RequestClass = (typeof requestClasses)[number];
export const requestClasses = ['staff', 'read', 'opt-in', 'withdrawal'] as const;

/** Finds the class of a request. `web` knows no feature, so the application passes this function. */
export type ClassOf = (request: Pick<Request, 'method' | 'path'>) => RequestClass;

/**
 * A class is shed at `inFlight` requests, or at `delay` once `minInFlight` requests are in flight. `delay`:
 * median lateness of the event loop in milliseconds. `inFlight`: requests that arrived completely and are not
 * answered.
 */
const usual = {
  staff: { delay: 40, inFlight: 256 },
  read: { delay: 80, inFlight: 512 },
  'opt-in': { delay: 200, inFlight: 1_024 },
};

/**
 * The fewest requests in flight at which a late loop sheds a class. With fewer requests something other than
 * load makes the loop late, and shedding does not help. This many are also needed to keep the loop busy:
 * refusing costs time too, and few visitors would be served.
 */
const minInFlight = 160;

export interface LoadShedderParts {
  readonly classOf: ClassOf;
  /** Median lateness of the event loop over the last moment, in milliseconds. */
  readonly loopDelay: () => number;
  readonly thresholds?: Readonly<typeof usual> | undefined;
  readonly onShed?: ((shed: RequestClass) => void) | undefined;
}

/** Refuses a request at almost no cost. */
export type Reject = (request: Request, response: Response) => void;

/** Seconds after which a refused client may try again. */
const retryAfter = 2;

export function createLoadShedder(parts: LoadShedderParts) {
  const { classOf, loopDelay, thresholds = usual, onShed } = parts;
  let inFlight = 0;

  function isTooMuch(requestClass: RequestClass): boolean {
    if (requestClass === 'withdrawal') return false;
    const most = thresholds[requestClass];
    if (inFlight < most.inFlight && (inFlight < minInFlight || loopDelay() < most.delay)) return false;
    onShed?.(requestClass);
    return true;
  }

  /**
   * Counts a request when its last byte has arrived: a stalled body is no work and must not shed other
   * requests.
   */
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
    /**
     * Throws overloaded if the class is shed. This call is for classes that are known only after the form is
     * read.
     */
    admit(requestClass: RequestClass): void {
      if (isTooMuch(requestClass)) throw new Problem('overloaded', { retryAfter });
    },
    inFlight: () => inFlight,
    /**
     * Refuses requests of a shed class. The handler stands before everything expensive: sessions, bodies,
     * calls.
     */
    middleware(answer: Reject): RequestHandler {
      return (request, response, next) => {
        if (isTooMuch(classOf(request))) return answer(request, response);
        countArrived(request, response);
        next();
      };
    },
  };
}

/**
 * Refuses requests with a page that is made once for each Accept-Language. The page holds no address and no
 * reference.
 */
export function createRejection(parts: Pick<ErrorsOptions, 'problemPage'> & { toHtml: ToHtml }): Reject {
  const { problemPage, toHtml } = parts;
  const pages = new Map<string, Buffer>();

  function pageFor(request: Request): Buffer {
    const languages = request.get('accept-language')?.slice(0, 100) ?? '';
    const known = pages.get(languages);
    if (known !== undefined) return known;
    const anyone: Request = Object.create(request, {
      path: { value: '/' },
      originalUrl: { value: '/' },
      // The page then offers the same address again.
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

/** True if the request has a body that is read. Only a POST has one; any other request counts at its head. */
function waitsForBody({ method, headers }: Request): boolean {
  if (method !== 'POST') return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
