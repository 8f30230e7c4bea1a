/**
 * A small customer site as an example: a bookshop whose account page shows a person's preferences in a frame.
 * Its backend signs a ticket for each page with its own key. The public key is at `/.well-known/jwks.json`,
 * where the preference center reads it (`linkKeys` in its centers file).
 *
 * The site needs only Node. Settings: DEMO_PORT, DEMO_URL (its public address), SAYSO_URL (the preference
 * center).
 */
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { accountPage, homePage, schemes, ways } from './pages.ts';
import { centers, people } from './people.ts';

const port = Number(process.env['DEMO_PORT'] ?? 3001);
const site = process.env['DEMO_URL'] ?? `http://localhost:${port}`;
const sayso = process.env['SAYSO_URL'] ?? 'http://localhost:3000';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const keyId = randomUUID();
const published = {
  ...publicKey.export({ format: 'jwk' }),
  kid: keyId,
  alg: 'ES256',
  use: 'sig',
};

/** Signs a JWT (ES256) that opens one view of one person's preferences within two minutes. */
function mintTicket(center: string, person: string): string {
  const now = Math.floor(Date.now() / 1000);
  const head = { alg: 'ES256', typ: 'JWT', kid: keyId };
  const claims = {
    iss: site,
    aud: center,
    sub: person,
    scope: 'manage',
    jti: randomUUID(),
    iat: now,
    exp: now + 120,
  };
  const text = [head, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}

/** Reads the signed-in person from the address; a real shop has a session. */
function readAccount(query: URLSearchParams) {
  const center = centers.find(({ id }) => id === query.get('center')) ?? centers[0];
  const person = people.find((each) => each === query.get('as'));
  if (center === undefined || person === undefined) return undefined;
  const way = ways.find((each) => each === query.get('way')) ?? 'element';
  const scheme = schemes.find((each) => each === query.get('scheme')) ?? 'auto';
  return { center, person, way, scheme, language: query.get('lang') ?? undefined };
}

function answer(response: ServerResponse, status: number, type: string, body: string | Buffer): void {
  response.writeHead(status, {
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Security-Policy': `default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; script-src 'self' ${sayso}; connect-src 'self'; frame-src ${sayso}; base-uri 'none'; frame-ancestors 'none'`,
    // A page holds a ticket, which only its reader may have.
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(body);
}

function asset(name: string): Buffer {
  return readFileSync(join(import.meta.dirname, name));
}

/** Host names of this site. A foreign name that points here (DNS rebinding) could read the tickets. */
const homes = new Set(['localhost', '127.0.0.1', '[::1]', new URL(site).hostname]);

const server = createServer((request, response) => {
  const host = `http://${request.headers.host}`;
  if (!URL.canParse(host) || !homes.has(new URL(host).hostname))
    return answer(response, 403, 'text/plain', 'This site has another name.\n');
  const { pathname, searchParams } = new URL(request.url ?? '/', site);
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return answer(response, 405, 'text/plain', 'Only to be read.\n');
  if (pathname === '/site.css') return answer(response, 200, 'text/css', asset('site.css'));
  // The shop uses the font of its brand in the preference center.
  if (pathname === '/literata.woff2')
    return answer(response, 200, 'font/woff2', asset('../src/sandbox/demo/fonts/literata.woff2'));
  if (pathname === '/icon.svg') return answer(response, 200, 'image/svg+xml', asset('icon.svg'));
  if (pathname === '/site.js') return answer(response, 200, 'text/javascript', asset('site.js'));
  if (pathname === '/.well-known/jwks.json') {
    return answer(response, 200, 'application/json', JSON.stringify({ keys: [published] }));
  }
  if (pathname === '/') return answer(response, 200, 'text/html', homePage({ sayso }));
  const account = readAccount(searchParams);
  if (account === undefined) return answer(response, 404, 'text/plain', 'There is nothing here.\n');
  const ticket = mintTicket(account.center.id, account.person);
  // The page asks for a new ticket when its view has expired.
  if (pathname === '/ticket') return answer(response, 200, 'application/json', JSON.stringify({ ticket }));
  if (pathname === '/account')
    return answer(response, 200, 'text/html', accountPage({ ...account, ticket, sayso }));
  answer(response, 404, 'text/plain', 'There is nothing here.\n');
});

// The server listens on this machine only, because it gives a ticket to every caller.
server.listen(port, '127.0.0.1', () => {
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  process.stdout.write(`The demo site: ${process.env['DEMO_URL'] ?? `http://localhost:${bound}`}\n`);
});

// The server ends with the process that started it.
if (process.argv.includes('--with-parent')) {
  process.stdin.resume();
  process.stdin.once('end', () => process.exit(0));
}
