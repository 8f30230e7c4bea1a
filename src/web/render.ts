import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ejs from 'ejs';
import type { Response } from 'express';
import type { Pages } from '../pages/every-page.ts';
import type { Assets } from './assets.ts';
import { gzip } from './gzip.ts';
import { allow } from './security.ts';
import { escapeHtml, viewHelpers } from './view-helpers.ts';

/** Answers with a page, made from its model alone. `status` is 200 by default. */
export type Render = <V extends keyof Pages>(
  response: Response,
  view: V,
  page: Pages[V],
  options?: { status?: number },
) => Promise<void>;

export type ToHtml = <V extends keyof Pages>(view: V, page: Pages[V]) => string;

/** Wraps the model of a page: reading a member that it lacks throws. */
export type Guard = <T extends object>(page: T) => T;

export interface RenderOptions {
  readonly viewsDir: string;
  readonly assets: Pick<Assets, 'href'>;
  /** Set in development: errors then name the template's line, and templates are read again for each page. */
  readonly development: Guard | undefined;
}

/** Bytes from which a page is compressed. */
const worthCompressing = 1_024;

export function createRender(toHtml: ToHtml): Render {
  return async (response, view, page, { status = 200 } = {}) => {
    const { lang, brand } = page.layout;
    const html = Buffer.from(toHtml(view, page));
    allow(response, 'style-src', [brand.stylesheetUrl]);
    allow(response, 'img-src', [brand.logoUrl, 'titleImageUrl' in page ? page.titleImageUrl : undefined]);
    response.status(status);
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.setHeader('Content-Language', lang);
    response.setHeader('Vary', 'Accept-Encoding');
    const small = html.length < worthCompressing || response.req.acceptsEncodings('gzip') !== 'gzip';
    const body = small ? html : await gzip(html);
    if (!small) response.setHeader('Content-Encoding', 'gzip');
    response.setHeader('Content-Length', body.length);
    response.end(response.req.method === 'HEAD' ? undefined : body);
  };
}

/** Reads and compiles each template once; in development, for each page. */
export function createToHtml({ viewsDir, assets, development }: RenderOptions): ToHtml {
  const compiled = new Map<string, (data: object) => string>();
  const layouts = new Map<string, string>();
  const settings = {
    strict: true,
    escape: escapeHtml,
    context: viewHelpers,
    rmWhitespace: true,
    compileDebug: development !== undefined,
    // An absolute path is used as it is; any other is searched in the file system for each page.
    root: viewsDir,
    async: false as const,
    // The cache holds included files.
    cache: development === undefined,
    // This option passes the model itself: a copy would lose the guard.
    unsafePrototypeLocals: true,
  };

  function compile(name: string): (data: object) => string {
    const filename = join(viewsDir, `${name}.ejs`);
    return ejs.compile(readFileSync(filename, 'utf8'), { ...settings, filename });
  }

  const template = (name: string) =>
    development === undefined ? compiled.getOrInsertComputed(name, compile) : compile(name);

  const links = {
    style: assets.href('app.css'),
    script: assets.href('app.js'),
    icon: assets.href('icon.svg'),
    /** The script of pages in another site's frame. */
    frame: assets.href('frame.js'),
    frameStyle: assets.href('frame.css'),
    /** The stylesheet of the staff's layout. */
    staff: assets.href('staff.css'),
    staffScript: assets.href('staff.js'),
  };

  return (view, page) => {
    const model = development?.(page) ?? page;
    const body = template(view)(model);
    const layout = layouts.getOrInsertComputed(view, () => layoutOf(viewsDir, view));
    const refresh = 'refresh' in page ? page.refresh : undefined;
    const pageTitle = 'pageTitle' in page ? page.pageTitle : page.layout.title;
    return template(layout)({ layout: model.layout, body, links, refresh, pageTitle });
  };
}

/** The layout of a view: `layouts/<folder>` if it exists, else the layout of a person's pages. */
function layoutOf(viewsDir: string, view: string): string {
  const own = `layouts/${view.split('/')[0]}`;
  return existsSync(join(viewsDir, `${own}.ejs`)) ? own : 'layouts/person';
}
