import { Router } from 'express';
import { buildPlainStartPage, buildStartPage, type More, type ReadyMade } from '../../pages/start.ts';
import type { PageParts } from '../../web/page-parts.ts';

export interface StartParts extends Pick<PageParts, 'brandOf' | 'render'> {
  /** undefined with a tenant: the start page then shows no person. */
  readonly readyMade: (() => readonly ReadyMade[]) | undefined;
  readonly more: More;
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
