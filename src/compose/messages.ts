import { systemTimer } from '../clock.ts';
import { changesSomething, isUnknownYet } from '../core/consent/mailed.ts';
import { viewOf } from '../core/consent/submission-view.ts';
import { offersSignIn } from '../core/model/center/center-config.ts';
import { faultForLog } from '../core/model/logged-fault.ts';
import { asMailAddress } from '../core/model/person/mail-address.ts';
import { sealedSubjectId } from '../core/model/person/subject.ts';
import { sendMail } from '../mail/result.ts';
import { buildChangesMail, mailOf } from '../pages/mail.ts';
import { askedWords } from '../pages/person/words-of-then.ts';
import type { SendResult } from '../ports/leased-queue.ts';
import type { Mailer } from '../ports/mailer.ts';
import type { QueuedMessage } from '../ports/messages.ts';
import { sendToReceivers } from '../queue/receivers.ts';
import { centerHref } from '../web/href.ts';
import { within } from '../web/within.ts';
import type { ProductParts } from './parts.ts';
import { messageRule } from './receivers.ts';

const minute = 60_000;
/** The lease of a message is long enough for every SMTP command and for the messages before it. */
const leaseMs = 5 * minute;
/**
 * Milliseconds that a stop waits for running sends. A send that is cut is repeated after the restart.
 */
const graceMs = 3_000;

/** Mails people what was changed for them. A change is recorded before it is queued. */
export function composeMessages(deps: ProductParts, mailer: Mailer) {
  const { config, stores, registry, platform, wordings, brandOf, toHtml, log } = deps;
  const observer = deps.metrics.messages;

  async function send(queued: QueuedMessage): Promise<SendResult | undefined> {
    const { entries, center, id, repeated, hasMore } = queued;
    if (entries === undefined) return undefined;
    const now = stores.clock.now();
    const views = entries.map((entry) => ({ ...viewOf(entry, now), evidence: entry.evidence }));
    const history = views.filter((view) => changesSomething(view, repeated.includes(view.reference)));
    const asked = history[0]?.evidence?.asked;
    const subject = sealedSubjectId(asked?.subject);
    const to = subject && asMailAddress(subject);
    if (asked === undefined || to === undefined) return { kind: 'taken' };
    if (history.some(isUnknownYet)) return ofThis('not-known-yet', minute);
    const centerConfig = registry.findByCenter(center);
    if (centerConfig === undefined) return ofThis('center-not-served');
    const schema = await platform.findCenter(center).catch(() => undefined);
    if (schema === undefined) return ofThis('center-not-read');
    const page = new URL(centerHref(centerConfig), deps.publicUrl);
    const message = buildChangesMail({
      language: asked.shown?.language ?? schema.defaultLanguage,
      brand: brandOf(centerConfig, schema.title),
      colours: centerConfig.brand,
      // The link signs no person in, so it needs a sign-in page.
      href: offersSignIn(centerConfig) ? page.href : undefined,
      center: schema,
      history,
      words: await wordings.read(askedWords(history)),
      hasMore,
      contact: centerConfig.rightsContact,
    });
    const result = await sendMail(mailer, {
      ...mailOf(message, { to, html: toHtml('mail/message', message.page) }),
      messageId: id,
    });
    observer.sent(result.kind === 'taken' ? 'ok' : result.problem);
    if (result.kind === 'refused')
      log.warn({ problem: result.problem }, 'a message about changes is refused');
    return result;
  }

  const canMail = messageRule(config)('', 'staff');
  const host = config.mail === undefined ? '' : new URL(config.mail.url.reveal()).hostname;
  const dispatcher = sendToReceivers({
    receivers: canMail ? [{ id: 'mail', host }] : [],
    queue: stores.messages,
    send: (_receiver, queued) =>
      send(queued).catch((fault: unknown) => {
        log.error({ fault: faultForLog(fault) }, 'a message about changes could not be made');
        return ofThis('unexpected');
      }),
    words: { queued: 'messages about changes', receiver: 'the mail server' },
    clock: stores.forwardClock,
    timer: systemTimer,
    random: deps.random,
    log,
    leaseMs,
  });
  if (canMail) observer.watch(() => stores.messages.counts());
  return {
    start: dispatcher.start,
    close: () => within(graceMs, dispatcher.stop(), () => undefined),
  };
}

function ofThis(problem: string, retryAfterMs = 0): SendResult {
  return { kind: 'not-taken', problem, retryAfterMs, isOfThis: true };
}
