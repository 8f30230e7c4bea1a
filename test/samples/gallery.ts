import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import express, { type Express, Router } from 'express';
import { sandboxBrands } from '../../src/compose/sandbox-brands.ts';
import type { Brand } from '../../src/core/model/center/brand.ts';
import { catalogues } from '../../src/i18n/catalogue.ts';
import type { Pages } from '../../src/pages/every-page.ts';
import type { BrandView } from '../../src/pages/layout.ts';
import { type Assets, createAssets } from '../../src/web/assets.ts';
import { createRender, createToHtml, type Render } from '../../src/web/render.ts';
import { allowMailStyles, allowOwnFrames, allowOwnFraming, securityHeaders } from '../../src/web/security.ts';
import { publishIcon, publishTheme } from '../../src/web/theme.ts';
import { builtIn } from './built.ts';
import { samples } from './pages.ts';
import { textsTable } from './texts.ts';

const root = join(import.meta.dirname, '..', '..');

/** Paths of all pages in all states, such as `/centers/preferences/ordinary`. */
export const galleryPaths: readonly string[] = Object.entries(samples).flatMap(([view, states]) =>
  Object.keys(states).map((state) => `/${view}/${state}`),
);

const titleImage = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="64" viewBox="0 0 320 64">
<rect width="320" height="64" rx="12" fill="#0d5b54"/>
<path d="M24 20v28q14-8 28 0V20q-14-8-28 0zm28 0q14-8 28 0v28q-14-8-28 0" fill="none" stroke="#fff" stroke-width="3"/>
<path d="M104 26h180M104 40h120" stroke="#fff" stroke-width="6" stroke-linecap="round"/>
</svg>`;

/** Brands of the sandbox, and one with a pale colour and sharp corners. */
const brands: ReadonlyMap<string, Brand> = new Map([
  ...[...sandboxBrands.values()].map((brand): [string, Brand] => [
    brand.name.toLowerCase().replaceAll(' ', '-'),
    brand,
  ]),
  [
    'lemon',
    {
      name: 'Lemon',
      logoUrl: undefined,
      accent: '#f4d800',
      accentDark: undefined,
      radius: 0,
      font: undefined,
      scheme: 'auto',
      stylesheetUrl: undefined,
    },
  ],
]);

/** Query parameters of the gallery and their values; only the list knows `width`. */
export const galleryChoices = {
  lang: Object.keys(catalogues),
  brand: [...brands.keys()],
  scheme: ['light', 'dark'],
  width: ['desktop', 'phone'],
} as const;

/** Creates an app that serves all pages in all states, and their list at `/`. */
export function createGallery(): Express {
  const assets = createAssets({ publicDir: join(root, 'public') });
  const render = createRender(
    createToHtml({ viewsDir: join(root, 'views'), assets, development: undefined }),
  );
  const app = express();
  app.use(...securityHeaders({ https: false }), assets.handler, galleryRoutes({ assets, render }));
  return app;
}

export function galleryRoutes({ assets, render }: { assets: Assets; render: Render }): Router {
  const sheet = assets.publish('gallery.css', readFileSync(join(import.meta.dirname, 'gallery.css')));
  const titleImageUrl = assets.publish('title.svg', titleImage);
  const looks = new Map<string, Partial<BrandView>>(
    [...brands].map(([name, brand]) => {
      const iconHref = publishIcon(assets, brand);
      const logoUrl = brand.iconFile === undefined ? undefined : iconHref;
      return [name, { name: brand.name, ...publishTheme(assets, brand), iconHref, logoUrl }];
    }),
  );
  const pages = Router();
  pages.get('/', ({ baseUrl, originalUrl }, response) => {
    const asked = new URL(originalUrl, 'http://gallery').search;
    const width = new URLSearchParams(asked).get('width') === 'phone' ? 'phone' : 'desktop';
    const figures = galleryPaths.map((path) => {
      const href = `${baseUrl}${path}${quoted(asked)}`;
      return `<li><a href="${href}">${path}</a><iframe src="${href}" loading="lazy" sandbox="allow-same-origin" tabindex="-1" title="${path}"></iframe></li>`;
    });
    allowOwnFrames(response);
    response.send(
      `<!doctype html><html lang="en"><meta charset="utf-8"><title>Every page</title><link rel="stylesheet" href="${sheet}"><h1>Every page</h1><p><a href="${baseUrl}/texts">Every text, and where it stands</a></p>${choices(asked)}<ul class="${width}">${figures.join('')}</ul></html>`,
    );
  });
  pages.get('/texts', ({ baseUrl, originalUrl }, response) => {
    const asked = new URL(originalUrl, 'http://gallery').search;
    const lang = galleryChoices.lang.find((tag) => tag === new URLSearchParams(asked).get('lang')) ?? 'de';
    const all = Object.entries(samples).flatMap(([view, states]) =>
      Object.entries(states).map(([state, page]) => [`/${view}/${state}`, page] as const),
    );
    const table = textsTable(lang, new Map(all), (path) => `${baseUrl}${path}?lang=${lang}`);
    response.send(
      `<!doctype html><html lang="en"><meta charset="utf-8"><title>Every text</title><link rel="stylesheet" href="${sheet}"><h1>Every text</h1>${choices(asked, ['lang'])}${table}</html>`,
    );
  });
  pages.get('/:folder/:page/:state', (request, response, next) => {
    const { folder, page, state } = request.params;
    const view = `${folder}/${page}`;
    if (!isView(view)) return next();
    const sample = samples[view][state];
    if (sample === undefined) return next();
    const asked = new URL(request.originalUrl, 'http://gallery').searchParams;
    const lang = galleryChoices.lang.find((tag) => tag === asked.get('lang'));
    const scheme = (['light', 'dark'] as const).find((name) => name === asked.get('scheme'));
    const brand = { ...looks.get(asked.get('brand') ?? ''), ...(scheme === undefined ? {} : { scheme }) };
    const built = lang === undefined ? undefined : (builtIn(view, state, lang) as typeof sample | undefined);
    allowOwnFraming(response);
    if (folder === 'mail') allowMailStyles(response);
    return render(response, view, inBrand(built ?? sample, brand, titleImageUrl));
  });
  return pages;
}

/** Puts a brand on a page. The title image of a sample does not exist, so it is replaced by ours. */
function inBrand<V extends keyof Pages>(
  page: Pages[V],
  brand: Partial<BrandView>,
  titleImageUrl: string,
): Pages[V] {
  const picture = 'titleImageUrl' in page && page.titleImageUrl !== undefined ? { titleImageUrl } : {};
  const { layout } = page;
  return { ...page, ...picture, layout: { ...layout, brand: { ...layout.brand, ...brand } } };
}

/** Builds links that change one query parameter, or remove it, and keep the others. */
function choices(asked: string, names: readonly string[] = Object.keys(galleryChoices)): string {
  return Object.entries(galleryChoices)
    .filter(([name]) => names.includes(name))
    .map(([name, values]) => {
      const links = ['', ...values].map((value) => {
        const search = new URLSearchParams(asked);
        const isChosen = (search.get(name) ?? '') === value;
        if (value === '') search.delete(name);
        else search.set(name, value);
        return `<a href="?${quoted(search.toString())}"${isChosen ? ' aria-current="true"' : ''}>${value || 'usual'}</a>`;
      });
      return `<p>${name} ${links.join(' ')}</p>`;
    })
    .join('');
}

/** Escapes an address for an attribute. */
function quoted(address: string): string {
  return address.replaceAll('&', '&amp;').replaceAll('"', '%22');
}

function isView(name: string): name is keyof Pages {
  return Object.hasOwn(samples, name);
}
