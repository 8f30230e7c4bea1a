import type { RequestHandler } from 'express';
import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino';

export type { Logger } from 'pino';

/**
 * JSON lines on standard output. What is logged is chosen word by word where it happens; the redaction is only the
 * net under it.
 */
export function createLog({
  level,
  stream,
}: {
  level: string;
  stream?: DestinationStream | undefined;
}): Logger {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
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
    if (!log.isLevelEnabled('info')) return next();
    const from = performance.now();
    response.once('close', () => {
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
