import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ejs from 'ejs';
import type { Response } from 'express';
import type { Pages } from '../pages/every-page.ts';
import type { Assets } from './assets.ts';
import { gzip } from './gzip.ts';
import { guardPage } from './page-guard.ts';
import { allowImages, allowStyles } from './security.ts';
import { escapeHtml, viewHelpers } from './view-helpers.ts';

/** Answers with a page. Everything about it is in its model; `status` is 200 unless said otherwise. */
export type Render = <V extends keyof Pages>(
  response: Response,
  view: V,
  page: Pages[V],
  options?: { status?: number },
) => Promise<void>;

/** A page as HTML text. */
export type ToHtml = <V extends keyof Pages>(view: V, page: Pages[V]) => string;

export interface RenderOptions {
  readonly viewsDir: string;
  readonly assets: Pick<Assets, 'href'>;
  /** Members that a model does not have throw, faults name the template's line, and templates are read afresh. */
  readonly development: boolean;
}

/** Below this a compressed answer is hardly shorter. Bytes. */
const worthCompressing = 1_024;

export function createRender(options: RenderOptions): Render {
  const toHtml = createToHtml(options);
  return async (response, view, page, { status = 200 } = {}) => {
    const { lang, brand } = page.layout;
    const html = encode(toHtml(view, page));
    allowStyles(response, [brand.stylesheetUrl]);
    allowImages(response, [brand.logoUrl, 'titleImageUrl' in page ? page.titleImageUrl : undefined]);
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

const encoder = new TextEncoder();

/** UTF-8 in one pass while few characters are not ASCII; `Buffer.from` measures the text first. */
function encode(html: string): Buffer {
  const space = Buffer.allocUnsafeSlow(html.length + (html.length >> 3));
  const { read, written } = encoder.encodeInto(html, space);
  return read === html.length ? space.subarray(0, written) : Buffer.from(html);
}

/** Templates are read and compiled once each, at first use; in development at each. */
export function createToHtml({ viewsDir, assets, development }: RenderOptions): ToHtml {
  const compiled = new Map<string, (data: object) => string>();
  const layouts = new Map<string, string>();
  const settings = {
    strict: true,
    escape: escapeHtml,
    context: viewHelpers,
    rmWhitespace: true,
    compileDebug: development,
    // An absolute path is looked up once; any other would be looked for in the file system at each page.
    root: viewsDir,
    async: false as const,
    // For the files that are included.
    cache: !development,
    // The model itself, not a copy of it: a copy would lose the guard.
    unsafePrototypeLocals: true,
  };

  function template(name: string): (data: object) => string {
    const known = compiled.get(name);
    if (known !== undefined) return known;
    const filename = join(viewsDir, `${name}.ejs`);
    const made = ejs.compile(readFileSync(filename, 'utf8'), { ...settings, filename });
    if (!development) compiled.set(name, made);
    return made;
  }

  const links = {
    style: assets.href('app.css'),
    script: assets.href('app.js'),
    icon: assets.href('icon.svg'),
    /** Of pages in another site's frame. */
    frame: assets.href('frame.js'),
    frameStyle: assets.href('frame.css'),
    /** Of the staff's layout. */
    staff: assets.href('staff.css'),
    staffScript: assets.href('staff.js'),
  };

  return (view, page) => {
    const model = development ? guardPage(page) : page;
    const body = template(view)(model);
    const layout = layouts.get(view) ?? layoutOf(viewsDir, view);
    layouts.set(view, layout);
    const refresh = 'refresh' in page ? page.refresh : undefined;
    const pageTitle = 'pageTitle' in page ? page.pageTitle : page.layout.title;
    return template(layout)({ layout: model.layout, body, links, refresh, pageTitle });
  };
}

/** A folder of views may have a layout of its own name; the others share the person's. */
function layoutOf(viewsDir: string, view: string): string {
  const own = `layouts/${view.split('/')[0]}`;
  return existsSync(join(viewsDir, `${own}.ejs`)) ? own : 'layouts/person';
}
