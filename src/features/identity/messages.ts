import { randomInt } from 'node:crypto';
import type { CenterConfig } from '../../core/model/center/center-config.ts';
import type { Mail } from '../../core/model/mail.ts';
import { asMailAddress } from '../../core/model/person/mail-address.ts';
import type { PasscodeDigits } from '../../core/model/person/passcode.ts';
import type { SubjectId } from '../../core/model/person/subject.ts';
import type { MailPage } from '../../pages/mail/message.ts';
import { mailOf } from '../../pages/mail/message.ts';
import { buildSignInMail } from '../../pages/mail/sign-in.ts';
import type { Clock, Timer } from '../../ports/clock.ts';
import type { Mailer } from '../../ports/mailer.ts';
import type { Passcodes } from '../../ports/passcodes.ts';
import type { Random } from '../../ports/random.ts';
import type { Seal } from '../../ports/seal.ts';
import type { BrandOf } from '../../web/brand-view.ts';
import { centerHref } from '../../web/href.ts';
import type { Allowance } from './limits.ts';
import { mailedLinkOf } from './mailed-link.ts';

interface SignInMessage {
  readonly centerConfig: CenterConfig;
  /** The center's title, used if the settings give no name. */
  readonly title: string | undefined;
  readonly subject: SubjectId;
  readonly language: string;
  /** The language chosen by hand; the link keeps it. */
  readonly lang: string | undefined;
  readonly allowance: Allowance;
}

export type SignInMessages = ReturnType<typeof createSignInMessages>;

export function createSignInMessages(parts: {
  readonly passcodes: Pick<Passcodes, 'findShared' | 'open'>;
  readonly outbox: Outbox;
  readonly random: Random;
  readonly seal: Seal;
  readonly clock: Clock;
  readonly brandOf: BrandOf;
  readonly publicUrl: URL;
  readonly toHtml: (page: MailPage) => string;
  /** The length of new passcodes. */
  readonly digits: () => Promise<PasscodeDigits>;
}) {
  const { passcodes, outbox, random, clock, brandOf, publicUrl, toHtml } = parts;
  return {
    /**
     * Sends a link and a passcode, and gives what the browser needs to try it: its message and its length. If no further
     * message may be sent now, those of the last one.
     */
    async send({ centerConfig, title, subject, language, lang, allowance }: SignInMessage) {
      const digits = await parts.digits();
      const id = random.id();
      // If the last message is used already, the answer is an id without a row, which opens no session.
      if (allowance.kind === 'none')
        return (await passcodes.findShared(centerConfig.center, subject)) ?? { id, digits };
      const link = random.id();
      const code = String(randomInt(10 ** digits)).padStart(digits, '0');
      const endsAt = clock.now() + allowance.minutes * 60_000;
      await passcodes.open({
        id,
        center: centerConfig.center,
        subject,
        link,
        code,
        endsAt,
        isShared: allowance.isShared,
      });
      // An identifier that is no address gets the same answer, and no mail is sent.
      const to = asMailAddress(subject);
      if (to === undefined) return { id, digits };
      const href = new URL(centerHref(centerConfig, '/sign-in/link'), publicUrl);
      if (lang !== undefined) href.searchParams.set('lang', lang);
      href.searchParams.set('k', mailedLinkOf(parts, { secret: link, center: centerConfig.center, subject }));
      const brand = brandOf(centerConfig, title);
      const mail = buildSignInMail({
        language,
        brand,
        colours: centerConfig.brand,
        href: href.href,
        code,
        minutes: allowance.minutes,
      });
      outbox.post(mailOf(mail, { to, html: toHtml(mail.page) }));
      return { id, digits };
    },
  };
}

export type Outbox = ReturnType<typeof createOutbox>;

/** Milliseconds before each try. After the last one the message would be over. */
const waits = [0, 2_000, 10_000, 30_000, 60_000];

export function createOutbox({
  mailer,
  timer,
  warn,
}: {
  mailer: Mailer;
  timer: Timer;
  warn: (event: string, fault: unknown) => void;
}) {
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
    /** Returns at once: every visitor gets the same answer after the same time, whatever happens to the mail. */
    post(mail: Mail): void {
      const sending = send(mail).finally(() => underWay.delete(sending));
      underWay.add(sending);
    },
    /** Waits until all mails are sent, or this many milliseconds. */
    async settled(longest: number): Promise<void> {
      if (underWay.size === 0) return;
      await Promise.race([Promise.all(underWay), pause(longest)]);
    },
  };
}
