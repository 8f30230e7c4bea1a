import { randomInt } from 'node:crypto';
import type { Address } from '../../core/address.ts';
import type { MailPage } from '../../core/identity-pages.ts';
import { asMailAddress } from '../../core/mail-address.ts';
import { buildSignInMail } from '../../core/mail-sign-in.ts';
import { messageLife } from '../../core/sign-in-page.ts';
import type { SubjectId } from '../../core/subject.ts';
import type { Clock, Passcodes, Random } from '../../ports.ts';
import type { BrandOf } from '../../web/brand-view.ts';
import type { Outbox } from './outbox.ts';

/** Sends somebody a link and a passcode. Gives what the browser that asked may try the passcode with. */
export interface SignInMessages {
  send(wish: {
    readonly address: Address;
    /** The center's own name, where the settings give it none. */
    readonly title: string | undefined;
    readonly subject: SubjectId;
    readonly language: string;
    /** The language chosen by hand, to be kept in the link. */
    readonly lang: string | undefined;
  }): string;
}

export function createSignInMessages(parts: {
  readonly passcodes: Passcodes;
  readonly outbox: Outbox;
  readonly random: Random;
  readonly clock: Clock;
  readonly brandOf: BrandOf;
  readonly publicUrl: URL;
  readonly toHtml: (page: MailPage) => string;
}): SignInMessages {
  const { passcodes, outbox, random, clock, brandOf, publicUrl, toHtml } = parts;
  return {
    send({ address, title, subject, language, lang }) {
      const id = random.id();
      const link = random.id();
      const code = String(randomInt(1_000_000)).padStart(6, '0');
      const endsAt = clock.now() + messageLife * 60_000;
      passcodes.open({ id, center: address.center, subject, link, code, endsAt });
      // An identifier that is no address gets the same answer to the end, and nothing else.
      const to = asMailAddress(subject);
      if (to === undefined) return id;
      const href = new URL(`/centers/${encodeURIComponent(address.name)}/sign-in/link`, publicUrl);
      if (lang !== undefined) href.searchParams.set('lang', lang);
      href.searchParams.set('k', link);
      const brand = brandOf(address, title);
      const mail = buildSignInMail({ language, brand, colours: address.brand, href: href.href, code });
      outbox.post({
        to,
        from: brand.name,
        subject: mail.subject,
        text: mail.text,
        html: toHtml(mail.page),
        language: mail.page.shell.lang,
      });
      return id;
    },
  };
}
