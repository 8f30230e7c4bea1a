import { offersSignIn } from '../../core/model/center/center-config.ts';
import { signInAddress } from '../../core/model/person/mail-address.ts';
import { buildStepUpPage } from '../../pages/person/one-button.ts';
import { centerHref, withQuery } from '../../web/href.ts';
import { freshLinkToken, type HeldPost, heldPostToken } from '../../web/tokens.ts';
import { type Call, type CenterContext, loadContext, soon } from './context.ts';

/**
 * Guards pages that have nothing to do with withdrawing: a visitor with the withdraw right is offered a link
 * with more rights.
 */
export function managersOnly(show: (call: Call) => Promise<void>): (call: Call) => Promise<void> {
  return (call) => (call.visit.scope === 'manage' ? show(call) : offerStepUp(call, { path: '' }));
}

/**
 * Refuses an act that the withdraw right does not allow, and offers a message with a stronger link. The
 * posted fields are sealed into the page, so that nothing is lost. `path` is where they were posted, within
 * the center; `isPartlyTaken`: their withdrawals are submitted.
 */
export async function offerStepUp(
  call: Call,
  { path, isPartlyTaken }: Pick<HeldPost, 'path' | 'isPartlyTaken'>,
): Promise<void> {
  const { parts, request, response, centerConfig, visit } = call;
  const context = await loadContext(call, path, soon);
  const receiver = { center: centerConfig.center, subject: visit.subject };
  const page = buildStepUpPage({
    ...context,
    subject: visit.subject,
    form: signInAddress(centerConfig, visit.subject)
      ? { action: signInPath(context, '/fresh', freshLinkToken.seal(parts, receiver)) }
      : undefined,
    held:
      request.method === 'POST'
        ? heldPostToken.seal(parts, { ...receiver, path, fields: fieldsOf(request.body), isPartlyTaken })
        : undefined,
    signInHref: offersSignIn(centerConfig) ? signInPath(context) : undefined,
    backHref: call.hrefOf(''),
  });
  const status = parts.visits.frame === 'embedded' ? 200 : 403;
  await parts.render(response, 'identity/one-button', page, { status });
}

/**
 * The address at which a visitor with the withdraw right can get more rights; undefined if the center offers
 * no sign-in.
 */
export function stepUpHref(context: CenterContext): string | undefined {
  if (!offersSignIn(context.centerConfig)) return undefined;
  return context.parts.visits.frame === 'embedded'
    ? signInPath(context)
    : context.hrefOf('/step-up', { lang: context.language });
}

/** Sign-in pages are never framed and do not know the record, so the link names the language. */
function signInPath({ centerConfig, language }: CenterContext, path = '', k?: string): string {
  return withQuery(centerHref(centerConfig, `/sign-in${path}`), { lang: language, k });
}

function fieldsOf(body: Readonly<Record<string, string | readonly string[]>> = {}): HeldPost['fields'] {
  return Object.entries(body).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, String(value)] as const),
  );
}
