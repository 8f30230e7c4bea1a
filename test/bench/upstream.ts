import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { materialOf, recordBody, schemaBody } from './material.ts';
import { createRedis } from './redis.ts';

/**
 * The answers of this stand-in platform, each made once: token, schema and record. A Redis runs beside it.
 */
const bodies = new Map<string, Buffer>();

function body(path: string): Buffer | undefined {
  const known = bodies.get(path);
  if (known !== undefined) return known;
  const made = make(path);
  if (made !== undefined) bodies.set(path, Buffer.from(made));
  return bodies.get(path);
}

function make(path: string): string | undefined {
  if (path.endsWith('/oauth/token'))
    return JSON.stringify({ access_token: 'bench', token_type: 'bearer', expires_in: 3_600 });
  const [, center = '', isSubject] =
    /\/preferencecenters\/([^/]+)(\/datasubjects)?\/preferences$/.exec(path) ?? [];
  if (center === '') return undefined;
  const size = materialOf(center);
  return isSubject === undefined ? schemaBody(size) : recordBody(size);
}

const server = createServer((request, response) => {
  request.resume();
  const found = body((request.url ?? '').split('?')[0] ?? '');
  response.writeHead(found === undefined ? 404 : 200, {
    'Content-Type': 'application/json',
    'Content-Length': found?.length ?? 0,
  });
  response.end(found);
});
const redis = createRedis();
await Promise.all([server, redis].map((each) => once(each.listen(0, '127.0.0.1'), 'listening')));
process.send?.({ port: portOf(server), redisPort: portOf(redis) });

function portOf(listening: Server): number {
  return (listening.address() as AddressInfo).port;
}

process.once('disconnect', () => process.exit(0));
