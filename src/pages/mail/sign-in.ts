import { fillCount, messagesFor } from '../../i18n/catalogue.ts';
import { buildMessage, type Message, type MessageInput } from './message.ts';

/** A message that lets somebody in. */
interface Input extends MessageInput {
  readonly href: string;
}

/** What somebody asked for at the sign-in page. `minutes`: how long it is good. */
export function buildSignInMail(input: Input & { readonly code: string; readonly minutes: number }): Message {
  const { mail } = messagesFor(input.language);
  const validity = fillCount(mail.validity, input.language, input.minutes);
  const { subject, text, ignore } = mail;
  return buildMessage(input, { subject, text, code: input.code, lines: [validity, ignore] });
}

/** A link that a member of the staff had sent. `days`: how long it is good. */
export function buildStaffLinkMail(input: Input & { readonly days: number }): Message {
  const { mail } = messagesFor(input.language);
  const validity = fillCount(mail.linkValidity, input.language, input.days);
  const { subject, staffText, ignore } = mail;
  return buildMessage(input, { subject, text: staffText, lines: [validity, ignore] });
}
