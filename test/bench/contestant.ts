import { readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Express, Response } from 'express';
import type { PreferencePage } from '../../src/pages/person/preferences.ts';
import { centerId, ordinary, person } from './material.ts';

/**
 * The first message of a server under test, which has its own process. To each message it answers its
 * `Usage`.
 */
export interface Ready {
  readonly port: number;
  readonly path: string;
}

export interface Usage {
  /** Microseconds of CPU, user and system, of all threads. */
  readonly cpu: number;
  readonly rss: number;
}

const upstream = String(process.env['BENCH_UPSTREAM']);
const redisPort = Number(process.env['BENCH_REDIS']);
const centerPath = `/api/consentmanager/v1/preferencecenters/${centerId(ordinary)}`;
const schemaPath = `${centerPath}/preferences`;
const record = {
  path: `${centerPath}/datasubjects/preferences`,
  headers: { authorization: 'Bearer bench', identifier: person },
};

/** The servers. Each imports what it needs, and no more: memory is compared, too. */
const contestants: Readonly<Record<string, () => Promise<Ready>>> = {
  'raw-trivial': () => listen(createServer((_request, response) => answer(response, Buffer.from('ok')))),
  async 'sayso-trivial'() {
    const { createServer: createOurs } = await import('../../src/web/server.ts');
    const app = await bare();
    app.get('/', (_request, response) => answer(response, Buffer.from('ok')));
    return listen(createOurs(app));
  },

  /** Answers with the page as a ready buffer. */
  async 'raw-page'() {
    const ready = Buffer.from(await html());
    return listen(createServer((_request, response) => answer(response, ready)));
  },
  async 'express-page'() {
    const page = await model();
    const app = await expressWithViews();
    app.get('/', (_request, response) => renderBoth(response, page, (text) => response.send(text)));
    return listen(createServer(app));
  },
  async 'sayso-page'() {
    const { createServer: createOurs } = await import('../../src/web/server.ts');
    const { createRender, createToHtml } = await import('../../src/web/render.ts');
    const { viewsDir, assets } = await import('./page.ts');
    const page = await model();
    const render = createRender(createToHtml({ viewsDir, assets, development: undefined }));
    const app = await bare();
    app.get('/', (_request, response) => render(response, 'centers/preferences', page));
    return listen(createOurs(app));
  },

  /** Reads the record without looking into it, and answers with a ready compressed page. */
  async 'raw-whole'() {
    const { Pool } = await import('undici');
    const ready = gzipSync(await html());
    const pool = new Pool(upstream, { connections: 64 });
    return listen(
      createServer(async (_request, response) => {
        const { body } = await pool.request({ method: 'GET', ...record });
        await body.bytes();
        answer(response, ready, { 'Content-Encoding': 'gzip' });
      }),
    );
  },
  /**
   * A common Express stack: session in Redis, compression, pino-http, zod, EJS; simpler HTML of the same
   * content.
   */
  async 'common-whole'() {
    const { createCommonStack } = await import('./common-stack.ts');
    const app = await createCommonStack({ upstream, redisPort, record, schemaPath });
    return { ...(await listen(createServer(app))), path: '/sign-in' };
  },
  /** The product itself. */
  async 'sayso-whole'() {
    const { readConfig } = await import('../../src/config/environment.ts');
    const { startSayso } = await import('../../src/compose/product.ts');
    const { linksOf, readIdentifier } = await import('../../src/cli/links.ts');
    const config = readConfig(process.env, (path) => readFileSync(path, 'utf8'));
    const running = await startSayso(config);
    const subject = readIdentifier(config, person);
    const link = new URL(linksOf(config, centerId(ordinary)).manage(subject, 'manage', 1));
    return { port: Number(new URL(running.url).port), path: link.pathname + link.search };
  },
};

async function model(): Promise<PreferencePage> {
  const { find, pageOf, platformAt } = await import('./page.ts');
  const platform = platformAt(upstream);
  const found = await find(platform, ordinary);
  await platform.close();
  return pageOf(found);
}

async function html(): Promise<string> {
  const { createToHtml } = await import('../../src/web/render.ts');
  const { viewsDir, assets } = await import('./page.ts');
  return createToHtml({ viewsDir, assets, development: undefined })('centers/preferences', await model());
}

async function bare(): Promise<Express> {
  const { default: express } = await import('express');
  return express().disable('x-powered-by').disable('etag');
}

async function expressWithViews(): Promise<Express> {
  const { default: express } = await import('express');
  const { default: ejs } = await import('ejs');
  const { escapeHtml, viewHelpers } = await import('../../src/web/view-helpers.ts');
  const { viewsDir } = await import('./page.ts');
  const settings = { root: viewsDir, context: viewHelpers, escape: escapeHtml, cache: true };
  const app = express();
  app.engine('ejs', (file, data, done) => ejs.renderFile(file, data, settings, done));
  app.set('view engine', 'ejs');
  app.set('views', viewsDir);
  app.enable('view cache');
  return app;
}

function renderBoth(response: Response, page: PreferencePage, done: (html: string) => void) {
  response.render('centers/preferences', page, (fault: unknown, body: string) => {
    if (fault) throw fault;
    const links = { style: '/a.css', script: '/a.js', icon: '/a.svg' };
    const outer = { layout: page.layout, body, links, refresh: undefined, pageTitle: page.pageTitle };
    response.render('layouts/person', outer, (another: unknown, whole: string) => {
      if (another) throw another;
      done(whole);
    });
  });
}

function answer(response: ServerResponse, body: Buffer, headers: Record<string, string> = {}): void {
  const plain = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': body.length };
  response.writeHead(200, { ...plain, ...headers });
  response.end(body);
}

function listen(server: Server): Promise<Ready> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve({ port: (server.address() as AddressInfo).port, path: '/' });
    });
  });
}

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpu: user + system, rss: process.memoryUsage.rss() } satisfies Usage);
});
process.once('disconnect', () => process.exit(0));
const start = contestants[process.argv[2] ?? ''];
if (start === undefined) throw new Error('no such contestant');
process.send?.(await start());
