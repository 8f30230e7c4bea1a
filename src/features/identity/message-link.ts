import { type Request, Router } from 'express';
import { signInAddress } from '../../core/model/person/mail-address.ts';
import type { SubjectId } from '../../core/model/person/subject.ts';
import { Problem } from '../../core/model/problem.ts';
import { buildStepUpPage } from '../../pages/person/one-button.ts';
import { formBody } from '../../web/body.ts';
import {
  addressOf,
  formAt,
  freshLinkForm,
  hrefOf,
  type IdentityParts,
  loadSignInContext,
  openFresh,
  signInByMail,
  signInHref,
} from './context.ts';
import { showExpired } from './follow-link.ts';
import { answerOf, readMailedLink } from './mailed-link.ts';
import { answerSent } from './sign-in.ts';
import { buildLinkPage, mayGoOnAs } from './switch-person.ts';

/** Links of our own messages. They are used once, by a button, because mail scanners open every link. */
export function messageLinkRoutes(parts: IdentityParts): Router {
  const { sessions, notes, clock, render } = parts;
  const router = Router({ mergeParams: true });

  /** The link in the address, valid or over. Throws link-invalid. */
  async function requireSent(request: Request) {
    const { name, center } = addressOf(parts, request);
    const link = readMailedLink(request.query['k']);
    const found = link && (await answerOf(parts, link, { center, how: 'findLink' }));
    if (link !== undefined && found !== undefined && found.kind !== 'unknown') return { link, found };
    notes.refused(request, { center: name, channel: 'mail', why: 'invalid' });
    throw new Problem('link-invalid');
  }

  router.get('/:center/sign-in/link', async (request, response) => {
    const k = readMailedLink(request.query['k'])?.text;
    const context = await loadSignInContext(parts, request, '/sign-in/link', k);
    const { centerConfig } = context;
    const { link, found } = await requireSent(request);
    if (found.kind === 'over') {
      notes.refused(request, { center: centerConfig.name, channel: 'mail', why: 'over' });
      return showExpired(parts, request, response, { context, subject: found.subject });
    }
    const page = buildLinkPage(parts, request, {
      context,
      subject: found.subject,
      form: formAt(request, centerConfig, { path: '/sign-in/link', token: link.text }),
    });
    await render(response, 'identity/one-button', page);
  });

  const button = formBody({ right: requireSent, size: 'button' });

  router.post('/:center/sign-in/link', button, async (request, response) => {
    const context = await loadSignInContext(parts, request, '/sign-in/link');
    const { centerConfig } = context;
    const { center } = centerConfig;
    const since = clock.now();
    const { link, found } = await requireSent(request);
    if (found.kind === 'right') {
      const { subject } = found;
      if (!mayGoOnAs(parts, request, { centerConfig, subject })) {
        return response.redirect(303, hrefOf(request, centerConfig, '/sign-in/link', { k: link.text }));
      }
    }
    const taken = await answerOf(parts, link, { center, how: 'takeLink' });
    const tried = { center: centerConfig.name, channel: 'mail' } as const;
    if (taken.kind === 'unknown') {
      notes.refused(request, { ...tried, why: 'invalid' });
      throw new Problem('link-invalid');
    }
    if (taken.kind === 'over') {
      notes.refused(request, { ...tried, why: 'over' });
      return showExpired(parts, request, response, { context, subject: taken.subject });
    }
    const { subject } = taken;
    await signInByMail(parts, request, response, { center: centerConfig.name, subject, since });
    response.redirect(303, hrefOf(request, centerConfig, ''));
  });

  /** The person of the sealed link in the address. Throws form-refused. */
  async function requireOwner(request: Request): Promise<SubjectId> {
    const subject = await openFresh(parts, addressOf(parts, request), request.query['k']);
    if (subject === undefined) throw new Problem('form-refused');
    return subject;
  }
  // The body may carry a held post.
  const asking = formBody({ right: requireOwner, size: 'page' });

  router.post('/:center/sign-in/fresh', asking, async (request, response) => {
    const context = await loadSignInContext(parts, request, '/sign-in');
    const subject = await requireOwner(request);
    if (!context.centerConfig.signIn.mail) throw new Problem('form-refused');
    await answerSent(parts, request, response, { context, subject, held: request.body?.held, hasLink: true });
  });

  router.get('/:center/step-up', async (request, response) => {
    const context = await loadSignInContext(parts, request, '/step-up');
    const { centerConfig } = context;
    const visit = sessions.visitOf(request, centerConfig.name);
    if (visit === undefined) return response.redirect(303, hrefOf(request, centerConfig, '/sign-in'));
    if (visit.scope === 'manage') return response.redirect(303, hrefOf(request, centerConfig, ''));
    const page = buildStepUpPage({
      ...context,
      subject: visit.subject,
      form: signInAddress(centerConfig, visit.subject)
        ? freshLinkForm(parts, request, { centerConfig, subject: visit.subject })
        : undefined,
      held: undefined,
      signInHref: signInHref(request, centerConfig),
      backHref: hrefOf(request, centerConfig, ''),
    });
    await render(response, 'identity/one-button', page);
  });

  return router;
}
