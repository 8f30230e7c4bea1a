import { join } from 'node:path';
import express, { type Express, Router } from 'express';
import type { Pages } from '../../src/pages/every-page.ts';
import { createAssets } from '../../src/web/assets.ts';
import { createRender } from '../../src/web/render.ts';
import { securityHeaders } from '../../src/web/security.ts';
import { samples } from './pages.ts';

const root = join(import.meta.dirname, '..', '..');

/** Addresses of every page in every state, such as `/centers/preferences/ordinary`. */
export const galleryPaths: readonly string[] = Object.entries(samples).flatMap(([view, states]) =>
  Object.keys(states).map((state) => `/${view}/${state}`),
);

/** Every page in every state, as it is served, and at `/` the list of them. */
export function createGallery(): Express {
  const assets = createAssets({ publicDir: join(root, 'public') });
  const render = createRender({ viewsDir: join(root, 'views'), assets, development: true });
  const pages = Router();
  pages.get('/', (_request, response) => {
    const links = galleryPaths.map((path) => `<li><a href="${path}">${path}</a>`);
    response.send(`<!doctype html><title>Every page</title><ul>${links.join('')}</ul>`);
  });
  pages.get('/:folder/:page/:state', (request, response, next) => {
    const { folder, page, state } = request.params;
    const view = `${folder}/${page}`;
    if (!isView(view)) return next();
    const sample = samples[view][state];
    return sample === undefined ? next() : render(response, view, sample);
  });
  const app = express();
  app.use(...securityHeaders({ https: false }), assets.handler, pages);
  return app;
}

function isView(name: string): name is keyof Pages {
  return Object.hasOwn(samples, name);
}
