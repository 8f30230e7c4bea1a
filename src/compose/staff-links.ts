import { signInAddress } from '../core/model/person/mail-address.ts';
import { linkMakerToken } from '../features/identity/tokens.ts';
import type { StaffLinks } from '../features/staff/parts.ts';
import { linkPlaceholder, staffLinkDays } from '../features/staff/people.ts';
import { buildStaffLinkMail, mailOf } from '../pages/mail.ts';
import type { Delivery } from '../ports/delivery.ts';
import { linkHref } from '../web/href.ts';
import type { Identity } from './identity.ts';
import type { ProductParts } from './parts.ts';

const day = 86_400;

/** Links that staff make for a person: mailed to the person, or shown to staff and only for withdrawing. */
export function createStaffLinks(
  { mint, seal, brandOf, publicUrl, toHtml }: ProductParts,
  { outbox, limits }: Pick<Identity, 'outbox' | 'limits'>,
): StaffLinks {
  return {
    deliveryOf: (centerConfig, subject) =>
      signInAddress(centerConfig, subject) === undefined ? 'shown' : 'mailed',
    async make({ centerConfig, title, language, subject, maker }) {
      const to = signInAddress(centerConfig, subject);
      if (to !== undefined) await limits.staffMessage({ center: centerConfig.center, subject });
      const token = mint.mint({
        subject,
        scope: to === undefined ? 'withdraw' : 'manage',
        actor: linkMakerToken.seal({ seal }, maker),
        center: centerConfig.center,
        lifetime: staffLinkDays * day,
      });
      const { href } = new URL(linkHref(centerConfig, token), publicUrl);
      if (to === undefined) return { kind: 'shown', href };
      const brand = brandOf(centerConfig, title);
      const look = { language, brand, colours: centerConfig.brand, days: staffLinkDays };
      const write = (link: string) => buildStaffLinkMail({ ...look, href: link });
      const mail = write(href);
      outbox.post(mailOf(mail, { to, html: toHtml('mail/message', mail.page) }));
      const { lang, dir } = mail.page.layout;
      const { subject: line, text } = write(linkPlaceholder);
      return { kind: 'mailed', copy: { subject: line, text, lang, dir } };
    },
  };
}

/**
 * The same delivery; it also notes in the audit log what a person submitted with a staff link. The submission
 * does not depend on that entry: a failing log must not lose a withdrawal.
 */
export function notingStaffLinks({
  delivery,
  stores: { staff, forwardClock },
  warn,
  onSubmitted,
}: ProductParts & { readonly onSubmitted: () => void }): Delivery {
  return {
    ...delivery,
    async submit(request, options) {
      const from = forwardClock.now();
      const submission = await delivery.submit(request, options);
      onSubmitted();
      // A form sent again returns the earlier submission.
      const isNew = submission.submittedAt >= from;
      if (request.linkMadeBy === undefined || !isNew) return submission;
      const { id, name } = request.linkMadeBy;
      const does = 'had made the link by which a person submitted';
      const { reference: about, submittedAt: at } = submission;
      try {
        await staff.log.begin({ at, staff: id, name, does, about, outcome: 'done' });
      } catch (fault) {
        warn('a submission by a link of staff is not in the audit log', fault);
      }
      return submission;
    },
  };
}
