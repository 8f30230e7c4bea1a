import { type NextFunction, type Request, type Response, Router } from 'express';
import type { FormSize } from '../core/consent/form-size.ts';
import { type CenterConfig, offersSignIn } from '../core/model/center/center-config.ts';
import { Problem } from '../core/model/problem.ts';
import type { Platform } from '../ports/platform.ts';
import { type FormRule, formBody } from '../web/body.ts';
import type { Query } from '../web/href.ts';
import { openPage } from '../web/open-page.ts';
import type { PageParts } from '../web/page-parts.ts';
import type { Visits } from './visits.ts';

/** The parts that the pages of a center are made from. */
export interface CallParts extends PageParts {
  readonly visits: Visits;
  readonly platform: Pick<Platform, 'findOpenCenter'>;
}

export type Call<P extends CallParts> = ReturnType<typeof createCall<P>>;

/** Makes the call of a request below a center's address. */
export function createCall<P extends CallParts>(
  parts: P,
  about: { readonly request: Request; readonly response: Response; readonly centerConfig: CenterConfig },
) {
  const { request, response, centerConfig } = about;
  const { visits } = parts;
  const hrefOf = (path: string, query?: Query) => visits.href(request, centerConfig, path, query);
  return {
    parts,
    ...about,
    visit: visits.find(request, centerConfig),
    /** An address in the center. It keeps the visit and the chosen language. */
    hrefOf,
    /** Redirects to an address in the center. */
    goTo: (path: string, query?: Query): void => response.redirect(303, hrefOf(path, query)),
    /** The sign-in page; undefined if this center has no sign-in. */
    signInHref: () => (offersSignIn(centerConfig) ? hrefOf('/sign-in') : undefined),
  };
}

/** Makes the routes of a center. Their handlers get a call. */
export function centerRouter<P extends CallParts>(parts: P) {
  const router = Router();

  /** Throws not-found for a center that is not served. */
  function callOf(request: Request, response: Response): Call<P> {
    const centerConfig = parts.registry.find(String(request.params['center']));
    if (centerConfig === undefined) throw new Problem('not-found');
    return createCall(parts, { request, response, centerConfig });
  }

  return {
    parts,
    router,
    callOf,
    get(path: string, show: (call: Call<P>, next: NextFunction) => Promise<void> | void): void {
      router.get(`/:center${path}`, (request, response, next) => show(callOf(request, response), next));
    },
    /**
     * Adds a route for a form. `right` throws if the visitor has no right. The right is checked before the
     * body is read, and again when the body is complete.
     */
    post<Right>(
      path: string,
      { size, right, displayed }: PostRule<P, Right>,
      act: (call: Call<P>, shown: Awaited<Right>) => Promise<void> | void,
    ): void {
      const body = formBody({
        size,
        right: (request, response) => right(callOf(request, response)),
        displayed:
          displayed && (async (request, response) => displayed(await right(callOf(request, response)))),
      });
      router.post(`/:center${path}`, body, async (request, response) => {
        const call = callOf(request, response);
        await act(call, await right(call));
      });
    },
  };
}

export interface PostRule<P extends CallParts, Right> extends Pick<FormRule, 'size'> {
  readonly right: (call: Call<P>) => Right;
  /** The bytes and fields by which the form may be larger than `size`. */
  readonly displayed?: (shown: Awaited<Right>) => Promise<FormSize | undefined>;
}

export type PageCall<P extends CallParts> = Awaited<ReturnType<typeof openCenter<P>>>;

/**
 * Adds to a call all that a page needs for a visitor who is not signed in. Language links lead to `path` in
 * the center, with `k`. Throws not-found for a center that is not served.
 */
export async function openCenter<P extends CallParts>(call: Call<P>, path: string, k?: string) {
  const { parts, request, centerConfig, hrefOf } = call;
  const center = await parts.platform.findOpenCenter(centerConfig.center);
  if (center === undefined) throw new Problem('not-found');
  const page = openPage(parts.brandOf, request, {
    centerConfig,
    center,
    frame: 'top',
    pageHref: () => hrefOf(''),
    languageHref: (lang) => hrefOf(path, { lang, k }),
  });
  return { ...call, center, ...page };
}
