import { randomInt } from 'node:crypto';
import type { CenterConfig } from '../../core/model/center/center-config.ts';
import { asMailAddress } from '../../core/model/person/mail-address.ts';
import type { LinkAnswer } from '../../core/model/person/passcode.ts';
import { buildSignInMail, mailOf } from '../../pages/mail.ts';
import { centerHref, withQuery } from '../../web/href.ts';
import { readRequestPreferences } from '../../web/request-preferences.ts';
import type { IdentityParts, PageCall } from './context.ts';
import type { Limits } from './limits.ts';
import { askedToken, here, mailedToToken } from './tokens.ts';

export type Receiver = Omit<Parameters<Limits['message']>[1], 'center'>;

/**
 * Sends a link and a passcode, and returns the token with which the browser may try the passcode. If no
 * further message may be sent now, the token is that of the last one.
 */
export async function sendMessage(page: PageCall, receiver: Receiver): Promise<string> {
  const { parts, request, centerConfig, language } = page;
  const { center } = centerConfig;
  const { subject } = receiver;
  const allowance = await parts.limits.message(request, { center, ...receiver });
  const digits = await parts.limits.digits();
  const id = parts.random.id();
  // If the last message is used already, the answer is an id without a row, which opens no session.
  const last = allowance.kind === 'none' ? await parts.passcodes.findShared(center, subject) : undefined;
  const token = askedToken.seal(parts, { ...(last ?? { id, digits }), center, subject });
  if (allowance.kind === 'none') return token;
  const { minutes, isShared } = allowance;
  const link = parts.random.id();
  const code = String(randomInt(10 ** digits)).padStart(digits, '0');
  const endsAt = parts.clock.now() + minutes * 60_000;
  await parts.passcodes.open({ id, center, subject, link, code, endsAt, isShared });
  // An identifier that is no address gets the same answer, and no mail is sent.
  const to = asMailAddress(subject);
  if (to === undefined) return token;
  // The link keeps the language that was chosen by hand.
  const { visit: lang } = readRequestPreferences(request);
  const k = `${link}.${mailedToToken.seal(parts, { center, subject })}`;
  const mail = buildSignInMail({
    language,
    brand: parts.brandOf(centerConfig, page.center.title),
    colours: centerConfig.brand,
    href: new URL(withQuery(centerHref(centerConfig, '/sign-in/link'), { lang, k }), parts.publicUrl).href,
    code,
    minutes,
  });
  parts.outbox.post(mailOf(mail, { to, html: parts.toHtml('mail/message', mail.page) }));
  return token;
}

type MailedLink = NonNullable<ReturnType<typeof readMailedLink>>;

/**
 * Reads the `k` of a link in a mail: a secret, a dot, and the sealed receiver. `text` is `k` without appended
 * text. `secret` finds the row, and alone lets a person in. `mailedTo` is absent in a shortened address.
 */
export function readMailedLink(value: unknown) {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof first !== 'string') return undefined;
  const [text, secret, mailedTo] = /^([\w-]{20,64})(?:\.([\w-]{1,2048}))?/.exec(first.trim()) ?? [];
  return text === undefined || secret === undefined ? undefined : { text, secret, mailedTo };
}

/** Answers from the row. If the row is gone, the link is over, but it still names its receiver. */
export async function answerOf(
  parts: IdentityParts,
  { secret, mailedTo }: MailedLink,
  { center, how }: Pick<CenterConfig, 'center'> & { readonly how: 'findLink' | 'takeLink' },
): Promise<LinkAnswer> {
  const answer = await parts.passcodes[how](secret, center);
  if (answer.kind !== 'unknown') return answer;
  const opened = here({ center }, mailedToToken.open(parts, mailedTo));
  return opened === undefined ? answer : { kind: 'over', subject: opened.subject };
}
