import { join } from 'node:path';
import type { RequestHandler, Router } from 'express';
import express from 'express';
import type { CenterConfig } from '../../src/core/model/center/center-config.ts';
import type { Pages } from '../../src/pages/every-page.ts';
import type { ProblemPage } from '../../src/pages/person/problem.ts';
import { createAssets } from '../../src/web/assets.ts';
import { createErrors, type Fault } from '../../src/web/errors.ts';
import { createLog } from '../../src/web/log.ts';
import { createRender, createToHtml } from '../../src/web/render.ts';
import { guardPage } from '../samples/page-guard.ts';
import { samples } from '../samples/pages.ts';

export const root = join(import.meta.dirname, '..', '..');
export const assets = createAssets({ publicDir: join(root, 'public') });
export const render = createRender(
  createToHtml({ viewsDir: join(root, 'views'), assets, development: guardPage }),
);

export const shop: CenterConfig = {
  name: 'shop',
  center: 'b00c5000-0000-4000-8000-000000000001',
  brand: undefined,
  embedOrigins: ['https://shop.example'],
  linkKeys: [],
  signIn: { mail: true, singleSignOn: undefined },
};

/** A minimal page about a problem: the title is the code. */
export function problemPage({ code, reference }: Pick<Fault, 'code' | 'reference'>): ProblemPage {
  const page: Pages['errors/problem'] = samples['errors/problem'].ordinary;
  return {
    ...page,
    layout: { ...page.layout, title: code },
    reference,
  };
}

/** An application with the handlers between the log and the error handler, and the lines that it logs. */
export function appOf(...handlers: readonly (RequestHandler | Router)[]) {
  const lines: Record<string, unknown>[] = [];
  const log = createLog({
    level: 'debug',
    stream: { write: (line: string) => lines.push(JSON.parse(line)) },
  });
  const errors = createErrors({ render, log, problemPage });
  const app = express();
  app.use(...handlers);
  app.use(errors.notFound, errors.handler);
  return { app, lines, log };
}
