import { randomBytes } from 'node:crypto';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { faultForLog } from '../core/model/logged-fault.ts';
import { Problem, type ProblemAnswer, problems } from '../core/model/problem.ts';
import type { ProblemPage, ProblemPageInput } from '../pages/person/problem.ts';
import { type Logger, routeOf } from './log.ts';
import type { Render } from './render.ts';

/** The input of a problem page. */
export interface Fault extends Pick<ProblemPageInput, 'code' | 'reference' | 'retryAfter'> {
  readonly request: Request;
}

export interface ErrorsOptions {
  readonly render: Render;
  readonly log: Logger;
  readonly problemPage: (fault: Fault) => ProblemPage;
}

/** Two handlers, which stand after all routes. */
export type Errors = ReturnType<typeof createErrors>;

export function createErrors({ render, log, problemPage }: ErrorsOptions) {
  const notFound: RequestHandler = (_request, _response, next) => next(new Problem('not-found'));
  // Express recognizes an error handler by its four parameters.
  const handler: ErrorRequestHandler = async (thrown: unknown, request, response, _next) => {
    if (isBrokenOff(thrown)) {
      log.info({ method: request.method, route: routeOf(request) }, 'request broken off');
      response.destroy();
      return;
    }
    const problem = toProblem(thrown);
    const { status, level, retryAfter: usual }: ProblemAnswer = problems[problem.code];
    const reference = randomBytes(5).toString('hex');
    const retryAfter = problem.retryAfter ?? usual;
    const line = { code: problem.code, reference, method: request.method, route: routeOf(request), status };
    log[level]({ ...line, fault: level === 'info' ? undefined : faultForLog(problem) }, 'problem');
    if (response.headersSent || request.socket.destroyed) {
      response.destroy();
      return;
    }
    clear(response);
    if (retryAfter !== undefined) response.setHeader('Retry-After', Math.max(1, Math.ceil(retryAfter)));
    const fault = { code: problem.code, reference, retryAfter, request };
    try {
      // HTML for browsers, JSON for programs, else one line of text.
      const wanted = request.accepts(['html', 'json', 'text']);
      if (wanted === 'json') response.status(status).json({ error: problem.code, reference });
      else if (wanted !== 'html') plain(response, status, fault);
      else {
        const page = problemPage(fault);
        await render(response, page.view, page, { status });
      }
    } catch (again) {
      log.error({ reference, fault: faultForLog(again) }, 'the problem page failed');
      if (response.headersSent) response.destroy();
      else plain(response, status, fault);
    }
  };
  return { notFound, handler };
}

function plain(response: Response, status: number, { code, reference }: Fault): void {
  response.status(status).type('text').send(`${code} (${reference})\n`);
}

/** Removes the headers of the answer that failed, and keeps the security headers. */
function clear(response: Response): void {
  for (const name of ['Content-Type', 'Content-Length', 'Content-Encoding', 'ETag', 'Location', 'Refresh']) {
    response.removeHeader(name);
  }
}

/**
 * Makes a Problem of an error. An address that Express cannot decode is a bad request; any other error is
 * unexpected.
 */
function toProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  const { status } = Object(thrown) as { readonly status?: unknown };
  return new Problem(status === 400 ? 'bad-request' : 'unexpected', { cause: thrown });
}

const brokenOff = new Set<unknown>(['ECONNRESET', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE']);

/** True if the client closed the connection while sending: no answer is needed, and nothing is wrong here. */
function isBrokenOff(thrown: unknown): boolean {
  return brokenOff.has((Object(thrown) as { readonly code?: unknown }).code);
}
