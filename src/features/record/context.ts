import type { Request, RequestHandler } from 'express';
import type { Center } from '../../core/model/center.ts';
import type { CenterConfig } from '../../core/model/center-config.ts';
import type { Subject } from '../../core/model/subject.ts';
import type { Visit } from '../../core/model/visit.ts';
import type { PageContext } from '../../pages/person/layout.ts';

interface VisitContext {
  readonly centerConfig: CenterConfig;
  readonly visit: Visit;
}

interface CenterContext extends VisitContext {
  readonly center: Center;
  readonly language: string;
  readonly pageContext: PageContext;
}

/** How the pages of a center find out where a request is, at the top or in a frame; `path` begins with a slash. */
export interface CenterContexts {
  /** Throws not-found, or not-signed-in. */
  requireVisit(request: Request): VisitContext;
  /** The record is undefined when it does not come at once. */
  loadSoon(
    request: Request,
    path: string,
  ): Promise<CenterContext & { readonly subject: Subject | undefined }>;
  read(request: Request, path: string): Promise<CenterContext & { readonly subject: Subject }>;
  /** Lets on who may manage; others are offered a message that lets them. */
  readonly managersOnly: RequestHandler;
  href(request: Request, centerConfig: CenterConfig, path: string): string;
}
