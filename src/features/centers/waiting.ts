import type { Request, Response } from 'express';
import type { Problem } from '../../core/model/problem.ts';
import { buildWaitingPage } from '../../pages/person/waiting.ts';
import { sealAction } from '../../web/action-token.ts';
import { type CenterParts, loadContextUnread } from './context.ts';
import { leaveAction, leavePath } from './everything.ts';

/** Seconds: between two tries, however soon or late there may be room. */
const shortest = 3;
const longest = 60;

/**
 * Instead of a page that cannot be read yet. It asks again by a header, in a frame and without script, too. The status
 * is 503: browsers show it as any other, and no program takes it for the page.
 */
export async function askToWait(
  parts: CenterParts,
  request: Request,
  response: Response,
  { path, problem }: { readonly path: string; readonly problem: Problem },
): Promise<void> {
  const { visits, render } = parts;
  const { centerConfig, visit, center, language, pageContext } = await loadContextUnread(
    parts,
    request,
    path,
  );
  const waitSeconds = Math.max(shortest, problem.retryAfter ?? shortest);
  // Each visitor is told a time of their own, so that they do not come back together.
  const seconds = Math.ceil(Math.min(longest, waitSeconds));
  const page = buildWaitingPage({
    pageContext,
    center,
    language,
    waitSeconds,
    leave: {
      action: visits.href(request, centerConfig, leavePath),
      token: sealAction(parts, { action: leaveAction, centerConfig, visit }),
    },
  });
  response.setHeader('Retry-After', seconds);
  response.setHeader('Refresh', seconds);
  await render(response, 'identity/one-button', page, { status: 503 });
}
