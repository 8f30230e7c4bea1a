export interface MailSettings {
  /** smtp:// or smtps://, with user and password where they are needed. */
  readonly url: string;
  /** An address, or `Name <address>`. */
  readonly from: string;
}

const sender = /^(?:[^<>\r\n]*<)?[^<>\s@]+@[^<>\s@]+>?$/;

/** SMTP_URL and MAIL_FROM; undefined when no mail can be sent. A sender that nobody named is of the public host. */
export function readMailSettings(
  given: { readonly url: string | undefined; readonly from: string | undefined; readonly host: string },
  faults: string[],
): MailSettings | undefined {
  const from = given.from ?? `no-reply@${given.host}`;
  if (!sender.test(from)) faults.push('MAIL_FROM must be an address, or a name followed by <address>');
  if (given.url === undefined) return undefined;
  const isSmtp = URL.canParse(given.url) && ['smtp:', 'smtps:'].includes(new URL(given.url).protocol);
  if (!isSmtp) faults.push('SMTP_URL must be an smtp:// or smtps:// address');
  return { url: given.url, from };
}
