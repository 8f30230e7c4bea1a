import type { Request, RequestHandler, Response } from 'express';
import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import { internalErrorOf, type LoggedFault } from '../core/model/logged-fault.ts';
import { isProbe } from './health.ts';
import { whenClosed } from './when-closed.ts';

export type { Logger } from 'pino';

interface LogOptions {
  readonly level: string;
  readonly stream?: DestinationStream | undefined;
  /** Receives the error's name or code. */
  readonly onInternalError?: ((error: string) => void) | undefined;
}

/**
 * Makes the log: JSON lines on standard output. Each log call chooses its fields; the redaction is only a
 * second net. A `fault` of the product itself is marked as `internalError`.
 */
export function createLog({ level, stream, onInternalError }: LogOptions): Logger {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: {
      level: (label) => ({ level: label }),
      log(fields: { readonly fault?: LoggedFault }) {
        const internalError = internalErrorOf(fields.fault);
        if (internalError === undefined) return fields;
        onInternalError?.(internalError);
        return { ...fields, internalError };
      },
    },
    redact: [
      'identifier',
      'subject',
      'email',
      'token',
      'cookie',
      'authorization',
      'url',
      'headers',
      'body',
    ].flatMap((name) => [name, `*.${name}`]),
  };
  return stream === undefined ? pino(options) : pino(options, stream);
}

/**
 * Logs one line for each answer. The line names the route's pattern and never the address, which may hold a
 * token.
 */
export function requestLog(log: Logger): RequestHandler {
  return (request, response, next) => {
    if (!log.isLevelEnabled('info') || isProbe(request)) return next();
    whenAnswered(request, response, ({ ms, ...answer }) => {
      log.info({ method: request.method, ...answer, ms: Math.round(ms * 10) / 10 }, 'answered');
    });
    next();
  };
}

/** A finished answer; status 499 if the client left. `route` is the pattern. */
export interface Answer {
  readonly route: string;
  readonly status: number;
  readonly ms: number;
}

export function whenAnswered(request: Request, response: Response, tell: (answer: Answer) => void): void {
  const from = performance.now();
  whenClosed(response, () => {
    tell({
      route: routeOf(request),
      status: response.writableFinished ? response.statusCode : 499,
      ms: performance.now() - from,
    });
  });
}

/** The pattern of a route, such as `/centers/:center`; `none` if no route took the request. */
export function routeOf(request: { route?: { path?: unknown } | undefined }): string {
  const path = request.route?.path;
  if (path === undefined) return 'none';
  return Array.isArray(path) ? path.join(' | ') : String(path);
}
