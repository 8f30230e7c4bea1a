import type { Mail } from '../../core/model/mail.ts';
import type { Timer } from '../../ports/clock.ts';
import type { Mailer } from '../../ports/mailer.ts';

export type Outbox = ReturnType<typeof createOutbox>;

/** Milliseconds before each try. After the last one the message would be over. */
const waits = [0, 2_000, 10_000, 30_000, 60_000];

export function createOutbox(parts: {
  readonly mailer: Mailer;
  readonly timer: Timer;
  readonly warn: (event: string, fault: unknown) => void;
}) {
  const { mailer, timer, warn } = parts;
  const underWay = new Set<Promise<void>>();
  const pause = (milliseconds: number) => new Promise<void>((resolve) => timer.after(milliseconds, resolve));

  async function send(mail: Mail): Promise<void> {
    for (const [index, wait] of waits.entries()) {
      await pause(wait);
      try {
        return await mailer.send(mail);
      } catch (fault) {
        warn(index + 1 < waits.length ? 'a message waits to be sent' : 'a message was not sent', fault);
      }
    }
  }

  return {
    /**
     * Returns at once: every visitor gets the same answer after the same time, whatever happens to the mail.
     */
    post(mail: Mail): void {
      const sending = send(mail).finally(() => underWay.delete(sending));
      underWay.add(sending);
    },
    /** Resolves when all mails are sent, or after this many milliseconds. */
    async settled(longest: number): Promise<void> {
      if (underWay.size === 0) return;
      await Promise.race([Promise.all(underWay), pause(longest)]);
    },
  };
}
