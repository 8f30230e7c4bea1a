import { Router } from 'express';
import type { Endpoint } from './endpoint.ts';
import type { Tokens } from './token.ts';

/** Route that issues a client's token. */
export function tokenRoutes({ endpoint, tokens }: { endpoint: Endpoint; tokens: Tokens }): Router {
  return Router({ caseSensitive: true }).post(
    '/api/access/v1/oauth/token',
    endpoint('token', [], async ({ request, query, body }) => ({
      body: await tokens.issue({
        contentType: request.headers['content-type'],
        authorization: request.headers.authorization,
        query,
        body,
      }),
    })),
  );
}
