import type { Mail } from '../core/model/mail.ts';
import type { Clock } from '../ports/clock.ts';
import type { Mailer } from '../ports/mailer.ts';

export interface KeptMail extends Mail {
  readonly id: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** The mailbox of the sandbox: keeps the last hundred messages, sends none. */
export interface Mailbox extends Mailer {
  /** Newest first. */
  list(): readonly KeptMail[];
  find(id: number): KeptMail | undefined;
}

const most = 100;

export function createMailbox(clock: Clock): Mailbox {
  let mails: readonly KeptMail[] = [];
  let count = 0;
  return {
    async send(mail) {
      count += 1;
      mails = [{ ...mail, id: count, at: clock.now() }, ...mails].slice(0, most);
    },
    list: () => mails,
    find: (id) => mails.find((mail) => mail.id === id),
    close() {},
  };
}
