import type { Problem } from '../../core/model/problem.ts';
import { buildWaitingPage } from '../../pages/person/one-button.ts';
import { type Call, loadContext, unread } from './context.ts';
import { leaveAction, leavePath } from './everything.ts';

/** Bounds of the wait between two tries, in seconds. */
const shortest = 3;
const longest = 60;

/**
 * Answers with a page that waits for quota. A header repeats the request, so it works in a frame and without
 * script. Status 503: browsers show it, and programs do not take it for the page.
 */
export async function askToWait(
  call: Call,
  { path, problem }: { readonly path: string; readonly problem: Problem },
): Promise<void> {
  const { parts, response } = call;
  const context = await loadContext(call, path, unread);
  const waitSeconds = Math.max(shortest, problem.retryAfter ?? shortest);
  // `retryAfter` differs for each visitor, so that they do not all return at once.
  const seconds = Math.ceil(Math.min(longest, waitSeconds));
  const page = buildWaitingPage({ ...context, waitSeconds, leave: call.formOf(leaveAction, leavePath) });
  response.setHeader('Retry-After', seconds);
  response.setHeader('Refresh', seconds);
  await parts.render(response, 'identity/one-button', page, { status: 503 });
}
