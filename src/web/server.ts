import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Express } from 'express';
import { http } from './http.ts';

/**
 * An HTTP server for an Express application.
 *
 * Express sets the prototypes of each request and response, which costs more than the rest of its work. Node
 * creates the objects with these prototypes, so that setting them again does nothing.
 *
 * The time-outs stop clients that send slowly. Idle connections stay open longer than the usual 60 seconds of
 * a proxy. A connection without any traffic for 30 seconds is cut.
 */
export function createServer(app: Express): Server {
  const server = http.createServer(
    {
      IncomingMessage: withPrototype(http.IncomingMessage, app.request),
      ServerResponse: withPrototype(http.ServerResponse, app.response),
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
function withPrototype<T extends typeof IncomingMessage | typeof ServerResponse>(
  base: T,
  prototype: object,
): T {
  function born(): void {}
  born.prototype = prototype;
  return new Proxy(base, { construct: (target, args) => Reflect.construct(target, args, born) });
}
