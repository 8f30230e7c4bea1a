import { isLoopback } from '../core/model/web-address.ts';

export interface MailSettings {
  /** smtp:// or smtps://, with user and password if needed. */
  readonly url: string;
  /** An address, or `Name <address>`. */
  readonly from: string;
  /** Sends nothing to a server without encryption. */
  readonly requiresTls: boolean;
}

const sender = /^(?:[^<>\r\n]*<)?[^<>\s@]+@[^<>\s@]+>?$/;
/** Query parameters that weaken the encryption. */
const loosening = /^(ignoretls|requiretls|opportunistictls|secure|tls\.rejectunauthorized)$/i;

/**
 * Reads SMTP_URL and MAIL_FROM; undefined: no mail can be sent. The default sender is at the public host. Messages
 * contain links and passcodes: they leave this machine encrypted, unless `allowsPlaintext`.
 */
export function readMailSettings(
  given: {
    readonly url: string | undefined;
    readonly from: string | undefined;
    readonly host: string;
    readonly allowsPlaintext: boolean;
  },
  { faults, warnings }: { readonly faults: string[]; readonly warnings: string[] },
): MailSettings | undefined {
  const from = given.from ?? `no-reply@${given.host}`;
  if (!sender.test(from)) faults.push('MAIL_FROM must be an address, or a name followed by <address>');
  if (given.url === undefined) return undefined;
  const url = URL.canParse(given.url) ? new URL(given.url) : undefined;
  if (url === undefined || !['smtp:', 'smtps:'].includes(url.protocol)) {
    faults.push('SMTP_URL must be an smtp:// or smtps:// address');
    return undefined;
  }
  const leaves = !isLoopback({ protocol: 'http:', hostname: url.hostname });
  const isLoosened = [...url.searchParams.keys()].some((name) => loosening.test(name));
  if (leaves && isLoosened && !given.allowsPlaintext) {
    faults.push('SMTP_URL loosens its encryption by its query: leave that out, or set ALLOW_PLAINTEXT=on');
  }
  if (leaves && given.allowsPlaintext && (url.protocol === 'smtp:' || isLoosened)) {
    warnings.push(
      'SMTP_URL is no smtps:// address, and ALLOW_PLAINTEXT is on: links and passcodes may leave unencrypted',
    );
  }
  return { url: given.url, from, requiresTls: leaves && !given.allowsPlaintext };
}
