import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Request, RequestHandler, Response } from 'express';

export type Assets = ReturnType<typeof createAssets>;

type Edit = (text: string, request: Request) => string;

interface Asset {
  readonly href: string;
  readonly type: string;
  readonly plain: Buffer;
  readonly compressed: Map<Coding, Buffer>;
}

type Coding = 'br' | 'gzip';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

const yearOfSeconds = 31_536_000;

/** Static files in memory. Their names change with their content; each is compressed once. */
export function createAssets({ publicDir }: { publicDir: string }) {
  const byHref = new Map<string, Asset>();
  const hrefs = new Map<string, string>();

  function add(name: string, plain: Buffer): Asset {
    const href = `/assets/${hashedName(name, plain)}`;
    return byHref.getOrInsertComputed(href, () => ({
      href,
      type: types[extname(name)] ?? 'application/octet-stream',
      plain,
      compressed: new Map(),
    }));
  }

  for (const entry of readdirSync(publicDir, { withFileTypes: true })) {
    if (!entry.isFile() || types[extname(entry.name)] === undefined) continue;
    const content = readFileSync(join(publicDir, entry.name));
    hrefs.set(entry.name, add(entry.name, asServed(entry.name, content)).href);
  }

  /**
   * The address of a file of the public folder: `app.css` → `/assets/app.<hash>.css`. Throws for an unknown
   * name.
   */
  function href(name: string): string {
    const known = hrefs.get(name);
    if (known === undefined) throw new Error(`there is no public file ${name}`);
    return known;
  }

  /** Answers `/assets/…`. An unknown path goes to the next handler. */
  const handler: RequestHandler = (request, response, next) => {
    const asset =
      request.method === 'GET' || request.method === 'HEAD' ? byHref.get(request.path) : undefined;
    if (asset === undefined) return next();
    response.setHeader('Cache-Control', `public, max-age=${yearOfSeconds}, immutable`);
    send(asset, request, response);
  };

  return {
    href,
    handler,
    /** Adds a generated file and gives its address. The same content has the same address. */
    publish: (name: string, content: string | Buffer): string => add(name, Buffer.from(content)).href,
    /**
     * Answers any site with one file under an address that does not change, such as `/embed.js`; clients keep
     * it for `maxAge` seconds. `edit` writes its text for the languages of a request.
     */
    fixed(name: string, { maxAge, edit }: { maxAge: number; edit: Edit }): RequestHandler {
      const given = byHref.get(href(name))?.plain.toString() ?? '';
      return (request, response) => {
        response.setHeader('Cache-Control', `public, max-age=${maxAge}`);
        response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
        // Browsers load modules with CORS.
        response.setHeader('Access-Control-Allow-Origin', '*');
        response.vary('Accept-Language');
        send(add(name, Buffer.from(edit(given, request))), request, response);
      };
    },
  };
}

/** Removes comments on lines of their own, and indentation: a third of the bytes. */
function asServed(name: string, content: Buffer): Buffer {
  const comments = { '.js': /^[ \t]*(?:\/\/.*|\/\*\*[\s\S]*?\*\/)$/gm, '.css': /\/\*[\s\S]*?\*\//g }[
    extname(name)
  ];
  if (comments === undefined) return content;
  return Buffer.from(content.toString().replace(comments, '').replace(/^\s+/gm, ''));
}

function hashedName(name: string, content: Buffer): string {
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 12);
  const ending = extname(name);
  return `${name.slice(0, -ending.length)}.${hash}${ending}`;
}

function send(asset: Asset, request: Request, response: Response): void {
  const coding = asset.plain.length < 500 ? undefined : codingFor(request, asset);
  const body = coding === undefined ? asset.plain : compressed(asset, coding);
  response.setHeader('Content-Type', asset.type);
  // An SVG opened by itself is a page of this origin: it must run nothing.
  if (asset.type === types['.svg'])
    response.setHeader(
      'Content-Security-Policy',
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
    );
  response.vary('Accept-Encoding');
  if (coding !== undefined) response.setHeader('Content-Encoding', coding);
  response.setHeader('Content-Length', body.length);
  response.end(request.method === 'HEAD' ? undefined : body);
}

function codingFor(request: Request, asset: Asset): Coding | undefined {
  if (asset.type === 'image/png' || asset.type === 'font/woff2') return undefined;
  // Browsers list gzip first, but take brotli as well: the order of their header is no preference.
  return (['br', 'gzip'] as const).find((coding) => request.acceptsEncodings(coding) === coding);
}

/** Compresses at the first request, not at the start: the start stays short. */
function compressed(asset: Asset, coding: Coding): Buffer {
  return asset.compressed.getOrInsertComputed(coding, () =>
    coding === 'br'
      ? brotliCompressSync(asset.plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })
      : gzipSync(asset.plain, { level: 9 }),
  );
}
