import nodemailer from 'nodemailer';
import type { Mail } from '../core/model/mail.ts';
import type { Mailer } from '../ports/mailer.ts';

/** Time-out in milliseconds. A server that hangs holds up only its own message. */
const timeoutMs = 10_000;

/** `url`: smtp://user:password@host:587 or smtps://…:465. `from`: an address, or `Name <address>`. */
export function createSmtpMailer(options: {
  readonly url: string;
  readonly from: string;
  /** True to send nothing to a server without encryption. */
  readonly requiresTls?: boolean;
}): Mailer & { check(): Promise<void> } {
  const transport = nodemailer.createTransport({
    url: options.url,
    pool: true,
    maxConnections: 2,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    requireTLS: options.requiresTls ?? false,
  });
  const sender = readSender(options.from);
  return {
    async send(mail) {
      await transport.sendMail(toMessage(mail, sender));
    },
    /** Connects and signs in; throws if it cannot. */
    async check() {
      await transport.verify();
    },
    close: () => transport.close(),
  };
}

/** Reads `Name <address>` or an address alone. */
export function readSender(from: string) {
  const [, name = '', address = ''] = /^(?:"?([^"<]*?)"?\s*<)?([^<>\s]+)>?$/.exec(from.trim()) ?? [];
  return { name: name === '' ? undefined : name, address };
}

/**
 * Makes a message of a mail. Addresses are objects, so that none is parsed as a list. The name in the
 * settings wins over a brand's.
 */
function toMessage(mail: Mail, sender: ReturnType<typeof readSender>) {
  return {
    ...(mail.messageId === undefined
      ? {}
      : { messageId: `<${mail.messageId}@${sender.address.split('@').at(-1)}>` }),
    from: { name: sender.name ?? mail.from, address: sender.address },
    to: { name: '', address: mail.to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      'Content-Language': mail.language,
    },
  };
}
