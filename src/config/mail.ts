import { isLoopback } from '../core/model/web-address.ts';
import type { Reading } from './reading.ts';
import { Secret } from './setting.ts';

const sender = /^(?:[^<>\r\n]*<)?[^<>\s@]+@[^<>\s@]+>?$/;
/** Query parameters that weaken the encryption. */
const loosening = /^(ignoretls|requiretls|opportunistictls|secure|tls\.rejectunauthorized)$/i;

/**
 * undefined: no mail can be sent. The default sender is at the public host. Messages contain links and passcodes: they
 * leave this machine encrypted, unless `allowsPlaintext`.
 */
export function readMailSettings(
  { read, faults, warnings }: Reading,
  { publicHost, allowsPlaintext }: { readonly publicHost: string; readonly allowsPlaintext: boolean },
) {
  const text = read('SMTP_URL');
  /** An address, or `Name <address>`. */
  const from = read('MAIL_FROM') ?? `no-reply@${publicHost}`;
  if (!sender.test(from)) faults.push('MAIL_FROM must be an address, or a name followed by <address>');
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (url === null || !['smtp:', 'smtps:'].includes(url.protocol)) {
    faults.push('SMTP_URL must be an smtp:// or smtps:// address');
    return undefined;
  }
  const leaves = !isLoopback({ protocol: 'http:', hostname: url.hostname });
  const isLoosened = [...url.searchParams.keys()].some((name) => loosening.test(name));
  if (leaves && isLoosened && !allowsPlaintext) {
    faults.push('SMTP_URL loosens its encryption by its query: leave that out, or set ALLOW_PLAINTEXT=on');
  }
  if (leaves && allowsPlaintext && (url.protocol === 'smtp:' || isLoosened)) {
    warnings.push(
      'SMTP_URL is no smtps:// address, and ALLOW_PLAINTEXT is on: links and passcodes may leave unencrypted',
    );
  }
  return { url: new Secret(text), from, requiresTls: leaves && !allowsPlaintext };
}
