import type { RequestHandler } from 'express';
import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import { internalErrorOf, type LoggedFault } from '../core/model/logged-fault.ts';
import { isProbe } from './health.ts';
import { whenClosed } from './when-closed.ts';

export type { Logger } from 'pino';

/**
 * JSON lines on standard output. What is logged is chosen word by word where it happens; the redaction is only the
 * net under it. A `fault` that is the product's own is marked as such, wherever it is logged.
 */
export function createLog({
  level,
  stream,
  onInternalError,
}: {
  level: string;
  stream?: DestinationStream | undefined;
  /** Hears its name or code. */
  onInternalError?: ((error: string) => void) | undefined;
}): Logger {
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

/** One line per answer. The route's pattern, never the address: that may hold a token. */
export function requestLog(log: Logger): RequestHandler {
  return (request, response, next) => {
    if (!log.isLevelEnabled('info') || isProbe(request)) return next();
    const from = performance.now();
    whenClosed(response, () => {
      log.info(
        {
          method: request.method,
          route: routeOf(request),
          status: response.writableFinished ? response.statusCode : 499,
          ms: Math.round((performance.now() - from) * 10) / 10,
        },
        'answered',
      );
    });
    next();
  };
}

/** `/centers/:center`; `none` when no route took the request. */
export function routeOf(request: { route?: { path?: unknown } | undefined }): string {
  const path = request.route?.path;
  if (path === undefined) return 'none';
  return Array.isArray(path) ? path.join(' | ') : String(path);
}
