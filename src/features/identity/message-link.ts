import { signInAddress } from '../../core/model/person/mail-address.ts';
import { Problem } from '../../core/model/problem.ts';
import { buildStepUpPage } from '../../pages/person/one-button.ts';
import { openCenter } from '../../visits/call.ts';
import { type Call, type IdentityRouter, noteRefusal, showButton, signInByMail } from './context.ts';
import { freshLinkForm, mayGoOnAs, requireOwner, showExpired, showLink } from './links.ts';
import { answerOf, readMailedLink } from './messages.ts';
import { answerSent } from './sign-in.ts';

/** Links of our own messages. They are used once, by a button, because mail scanners open every link. */
export function messageLinkRoutes({ parts, get, post }: IdentityRouter): void {
  const path = '/sign-in/link';

  get(path, async (call) => {
    const page = await openCenter(call, path, readMailedLink(call.request.query['k'])?.text);
    const { link, found } = await requireSent(call);
    const form = { action: call.hrefOf(path, { k: link.text }) };
    if (found.kind === 'right') return showLink(page, found.subject, form);
    noteRefusal(call, 'mail', 'over');
    await showExpired(page, found.subject);
  });

  post(path, { right: requireSent, size: 'button' }, async (call, { link, found }) => {
    const page = await openCenter(call, path);
    const since = parts.clock.now();
    if (found.kind === 'right' && !mayGoOnAs(call, found.subject)) return call.goTo(path, { k: link.text });
    const taken = await answerOf(parts, link, { center: call.centerConfig.center, how: 'takeLink' });
    if (taken.kind === 'unknown') {
      noteRefusal(call, 'mail', 'invalid');
      throw new Problem('link-invalid');
    }
    if (taken.kind === 'over') {
      noteRefusal(call, 'mail', 'over');
      return showExpired(page, taken.subject);
    }
    await signInByMail(call, { subject: taken.subject, since });
    call.goTo('');
  });

  // The body may carry a held post.
  post('/sign-in/fresh', { right: requireOwner, size: 'page' }, async (call, subject) => {
    const page = await openCenter(call, '/sign-in');
    if (!call.centerConfig.signIn.mail) throw new Problem('form-refused');
    await answerSent(page, { subject, hasLink: true });
  });

  get('/step-up', async (call) => {
    const page = await openCenter(call, '/step-up');
    const { visit } = call;
    if (visit === undefined) return call.goTo('/sign-in');
    if (visit.scope === 'manage') return call.goTo('');
    const { subject } = visit;
    const stepUp = buildStepUpPage({
      ...page,
      subject,
      form: signInAddress(call.centerConfig, subject) ? freshLinkForm(call, subject) : undefined,
      held: undefined,
      signInHref: call.signInHref(),
      backHref: call.hrefOf(''),
    });
    await showButton(call, stepUp);
  });
}

/** Returns the link in the address, valid or over. Throws link-invalid. */
async function requireSent(call: Call) {
  const link = readMailedLink(call.request.query['k']);
  const { center } = call.centerConfig;
  const found = link && (await answerOf(call.parts, link, { center, how: 'findLink' }));
  if (link !== undefined && found !== undefined && found.kind !== 'unknown') return { link, found };
  noteRefusal(call, 'mail', 'invalid');
  throw new Problem('link-invalid');
}
