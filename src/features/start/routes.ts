import { Router } from 'express';
import { buildPlainStartPage, buildStartPage, type More, type ReadyMade } from '../../pages/start.ts';
import type { BrandOf } from '../../web/brand-view.ts';
import type { Render } from '../../web/render.ts';

export interface StartParts {
  /** undefined with a tenant: the start page then shows no person. */
  readonly readyMade: (() => readonly ReadyMade[]) | undefined;
  readonly more: More;
  readonly brandOf: BrandOf;
  readonly render: Render;
}

/** `/`: in the sandbox an overview of what to try, otherwise a page that says how to get a link. */
export function startRoutes({ readyMade, more, brandOf, render }: StartParts): Router {
  const router = Router();
  router.get('/', (_request, response) => {
    const brand = brandOf(undefined, undefined);
    if (readyMade === undefined) return render(response, 'start/plain', buildPlainStartPage(brand));
    return render(response, 'start/sandbox', buildStartPage(readyMade(), more, brand));
  });
  return router;
}
