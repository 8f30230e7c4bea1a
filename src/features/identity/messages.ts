import { randomInt } from 'node:crypto';
import { asMailAddress } from '../../core/model/person/mail-address.ts';
import type { PasscodeDigits } from '../../core/model/person/passcode.ts';
import type { SubjectId } from '../../core/model/person/subject.ts';
import { mailOf } from '../../pages/mail/message.ts';
import { buildSignInMail } from '../../pages/mail/sign-in.ts';
import { centerHref, withQuery } from '../../web/href.ts';
import { readRequestPreferences } from '../../web/request-preferences.ts';
import type { PageCall } from './context.ts';
import type { Allowance } from './limits.ts';
import { mailedLinkOf } from './mailed-link.ts';
import { askedToken } from './tokens.ts';

export interface Receiver {
  readonly subject: SubjectId;
  /** The visitor has a link that was made for the receiver. */
  readonly hasLink: boolean;
}

/**
 * Sends a link and a passcode, and gives the token with which the browser may try it. If no further message may be
 * sent now, that of the last one.
 */
export async function sendMessage(page: PageCall, { subject, hasLink }: Receiver): Promise<string> {
  const { parts, request, centerConfig } = page;
  const { center } = centerConfig;
  const allowance = await parts.limits.message(request, { center, subject, hasLink });
  const digits = await parts.limits.digits();
  const fresh = { id: parts.random.id(), digits };
  const sealed = (message: typeof fresh) => askedToken.seal(parts, { ...message, center, subject });
  // If the last message is used already, the answer is an id without a row, which opens no session.
  if (allowance.kind !== 'message')
    return sealed((await parts.passcodes.findShared(center, subject)) ?? fresh);
  await writeMessage(page, { ...fresh, ...allowance, subject });
  return sealed(fresh);
}

type Message = Extract<Allowance, { kind: 'message' }> & {
  readonly id: string;
  readonly digits: PasscodeDigits;
  readonly subject: SubjectId;
};

async function writeMessage(page: PageCall, message: Message): Promise<void> {
  const { parts, request, centerConfig, language } = page;
  const { center } = centerConfig;
  const { id, digits, subject, minutes, isShared } = message;
  const link = parts.random.id();
  const code = String(randomInt(10 ** digits)).padStart(digits, '0');
  const endsAt = parts.clock.now() + minutes * 60_000;
  await parts.passcodes.open({ id, center, subject, link, code, endsAt, isShared });
  // An identifier that is no address gets the same answer, and no mail is sent.
  const to = asMailAddress(subject);
  if (to === undefined) return;
  // The link keeps the language that was chosen by hand.
  const { visit: lang } = readRequestPreferences(request);
  const token = mailedLinkOf(parts, { secret: link, center, subject });
  const href = withQuery(centerHref(centerConfig, '/sign-in/link'), { lang, k: token });
  const mail = buildSignInMail({
    language,
    brand: parts.brandOf(centerConfig, page.center.title),
    colours: centerConfig.brand,
    href: new URL(href, parts.publicUrl).href,
    code,
    minutes,
  });
  parts.outbox.post(mailOf(mail, { to, html: parts.toHtml('mail/message', mail.page) }));
}
