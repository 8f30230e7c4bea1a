import type { Mail } from '../core/model/mail.ts';
import type { SendResult } from '../ports/leased-queue.ts';
import type { Mailer } from '../ports/mailer.ts';

/** Sends a mail; separates faults of this message from faults of the mail server. */
export async function sendMail(mailer: Pick<Mailer, 'send'>, mail: Mail): Promise<SendResult> {
  try {
    await mailer.send(mail);
    return { kind: 'taken' };
  } catch (fault) {
    return readFault(fault as Readonly<Record<string, unknown>>);
  }
}

function readFault({ code, command, responseCode }: Readonly<Record<string, unknown>>): SendResult {
  const status = typeof responseCode === 'number' ? responseCode : undefined;
  const problem = status !== undefined ? `smtp-${status}` : String(code ?? 'unexpected').toLowerCase();
  // The address or the content of this message is at fault. 421 means that the server closes, at any command.
  const isOfThis = (command === 'RCPT TO' || command === 'DATA') && status !== undefined && status !== 421;
  if (isOfThis && status >= 500) return { kind: 'refused', problem };
  return { kind: 'not-taken', problem, retryAfterMs: 0, ...(isOfThis ? { isOfThis } : {}) };
}
