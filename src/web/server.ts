import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Express } from 'express';
import { http } from './http.ts';

/**
 * An HTTP server for an Express application.
 *
 * Express sets the prototypes of each request and response anew, which costs more than the rest of it. Objects that
 * are born with these prototypes make that a no-op, so Node is told to make them so.
 *
 * Time-outs are against clients that send slowly or not at all; an idle connection outlives the usual 60 seconds of
 * the proxies in front. A connection on which nothing moves for 30 seconds, in an answer that is not read, is cut.
 */
export function createServer(app: Express): Server {
  const server = http.createServer(
    {
      IncomingMessage: bornAs(http.IncomingMessage, app.request),
      ServerResponse: bornAs(http.ServerResponse, app.response),
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 5_000,
      maxHeaderSize: 16_384,
    },
    app,
  );
  server.timeout = 30_000;
  server.maxHeadersCount = 100;
  return server;
}

/** The same constructor, whose objects have `prototype`. */
function bornAs<T extends typeof IncomingMessage | typeof ServerResponse>(base: T, prototype: object): T {
  function born(): void {}
  born.prototype = prototype;
  return new Proxy(base, { construct: (target, args) => Reflect.construct(target, args, born) });
}
