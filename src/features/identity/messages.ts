import { randomInt } from 'node:crypto';
import type { CenterConfig } from '../../core/model/center/center-config.ts';
import { asMailAddress } from '../../core/model/person/mail-address.ts';
import type { PasscodeDigits } from '../../core/model/person/passcode.ts';
import type { SubjectId } from '../../core/model/person/subject.ts';
import { mailOf } from '../../pages/mail/message.ts';
import { buildSignInMail } from '../../pages/mail/sign-in.ts';
import type { MailPage } from '../../pages/person/sign-in-view.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Passcodes } from '../../ports/passcodes.ts';
import type { Random } from '../../ports/random.ts';
import type { Seal } from '../../ports/seal.ts';
import type { BrandOf } from '../../web/brand-view.ts';
import { centerHref } from '../../web/href.ts';
import type { Allowance } from './limits.ts';
import { mailedLinkOf } from './mailed-link.ts';
import type { Outbox } from './outbox.ts';

/** What the browser needs to try the passcode: its message and its length. */
export interface SentMessage {
  readonly id: string;
  readonly digits: PasscodeDigits;
}

/** Sends a link and a passcode. If no further message may be sent now, it returns the last one. */
export interface SignInMessages {
  send(change: {
    readonly centerConfig: CenterConfig;
    /** The center's title, used if the settings give no name. */
    readonly title: string | undefined;
    readonly subject: SubjectId;
    readonly language: string;
    /** The language chosen by hand; the link keeps it. */
    readonly lang: string | undefined;
    readonly allowance: Allowance;
  }): Promise<SentMessage>;
}

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
}): SignInMessages {
  const { passcodes, outbox, random, clock, brandOf, publicUrl, toHtml } = parts;
  return {
    async send({ centerConfig, title, subject, language, lang, allowance }) {
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
