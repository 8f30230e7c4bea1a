import { Router } from 'express';
import type { Desk } from './desk.ts';
import type { Tokens } from './token.ts';

/** Where a client gets its token. */
export function tokenRoutes({ desk, tokens }: { desk: Desk; tokens: Tokens }): Router {
  return Router({ caseSensitive: true }).post(
    '/api/access/v1/oauth/token',
    desk('token', [], async ({ request, query, body }) => ({
      body: await tokens.issue({
        contentType: request.headers['content-type'],
        authorization: request.headers.authorization,
        query,
        body,
      }),
    })),
  );
}
