import type { Mail } from '../core/model/mail.ts';
import type { Clock } from '../ports/clock.ts';

interface KeptMail extends Mail {
  readonly id: number;
  /** Time of sending in epoch milliseconds. */
  readonly at: number;
}

export type Mailbox = ReturnType<typeof createMailbox>;

const most = 100;

/** The mailbox of the sandbox: keeps the last hundred messages, sends none. */
export function createMailbox(clock: Clock) {
  let mails: readonly KeptMail[] = [];
  let count = 0;
  return {
    async send(mail: Mail): Promise<void> {
      count += 1;
      mails = [{ ...mail, id: count, at: clock.now() }, ...mails].slice(0, most);
    },
    /** The kept messages, newest first. */
    list: () => mails,
    find: (id: number) => mails.find((mail) => mail.id === id),
    close() {},
  };
}
