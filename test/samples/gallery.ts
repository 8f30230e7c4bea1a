import { join } from 'node:path';
import express, { type Express, Router } from 'express';
import { catalogues } from '../../src/i18n/catalogue.ts';
import type { Pages } from '../../src/pages/every-page.ts';
import type { BrandView } from '../../src/pages/layout.ts';
import { type Assets, createAssets } from '../../src/web/assets.ts';
import { createRender, type Render } from '../../src/web/render.ts';
import { securityHeaders } from '../../src/web/security.ts';
import { publishIcon, publishTheme } from '../../src/web/theme.ts';
import { samples } from './pages.ts';
import { inVariant } from './variants.ts';

const root = join(import.meta.dirname, '..', '..');

/** Addresses of every page in every state, such as `/centers/preferences/ordinary`. */
export const galleryPaths: readonly string[] = Object.entries(samples).flatMap(([view, states]) =>
  Object.keys(states).map((state) => `/${view}/${state}`),
);

/** Brands that somebody might have: a dark accent with round corners, a pale one with none, and serifs. */
const brands = {
  forest: { name: 'Forest & Sons', accent: '#0f5c4d', radius: 24, font: 'Georgia, serif' },
  harbour: {
    name: 'Harbour Books',
    accent: '#8a1c4a',
    radius: 6,
    font: undefined,
    background: '#fff8ee',
    backgroundDark: '#1d1510',
  },
  lemon: { name: 'Lemon', accent: '#f4d800', radius: 0, font: undefined },
} as const;

/** What the addresses of the gallery may end in: `?lang=…&brand=…&scheme=…`. */
export const galleryChoices = {
  lang: Object.keys(catalogues),
  brand: Object.keys(brands),
  scheme: ['light', 'dark'],
} as const;

/** Every page in every state, as it is served, and at `/` the list of them. */
export function createGallery(): Express {
  const assets = createAssets({ publicDir: join(root, 'public') });
  const render = createRender({ viewsDir: join(root, 'views'), assets, development: true });
  const app = express();
  app.use(...securityHeaders({ https: false }), assets.handler, galleryRoutes({ assets, render }));
  return app;
}

export function galleryRoutes({ assets, render }: { assets: Assets; render: Render }): Router {
  const looks = new Map<string, Partial<BrandView>>(
    Object.entries(brands).map(([name, brand]) => {
      const whole = { accentDark: undefined, logoUrl: undefined, stylesheetUrl: undefined, ...brand };
      return [
        name,
        {
          name: brand.name,
          themeHref: publishTheme(assets, { ...whole, scheme: 'auto' }),
          iconHref: publishIcon(assets, { ...whole, scheme: 'auto' }),
        },
      ];
    }),
  );
  const pages = Router();
  pages.get('/', ({ baseUrl, originalUrl }, response) => {
    const asked = new URL(originalUrl, 'http://gallery').search;
    const links = galleryPaths.map((path) => `<li><a href="${baseUrl}${path}${quoted(asked)}">${path}</a>`);
    response.send(`<!doctype html><title>Every page</title>${choices(asked)}<ul>${links.join('')}</ul>`);
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
    return render(response, view, inVariant(sample, { lang, brand }));
  });
  return pages;
}

/** For each choice links to this list with it, the others as they were asked for. */
function choices(asked: string): string {
  return Object.entries(galleryChoices)
    .map(([name, values]) => {
      const links = values.map((value) => {
        const search = new URLSearchParams(asked);
        search.set(name, value);
        return `<a href="?${quoted(search.toString())}">${value}</a>`;
      });
      return `<p>${name}: ${links.join(' ')}</p>`;
    })
    .join('');
}

/** An address within an attribute. */
function quoted(address: string): string {
  return address.replaceAll('&', '&amp;').replaceAll('"', '%22');
}

function isView(name: string): name is keyof Pages {
  return Object.hasOwn(samples, name);
}
