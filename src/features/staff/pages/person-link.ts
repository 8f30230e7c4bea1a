import { maskIdentifier, type SubjectId } from '../../../core/model/person/subject.ts';
import type { StaffPage } from '../../../pages/staff-page.ts';
import { cell, facts, staffPage } from './blocks.ts';
import type { StaffPageContext } from './layout.ts';

export const personCrumbs = [
  { href: '/staff/submissions', label: 'Submissions' },
  { href: '/staff/people', label: 'Find a person' },
];

/** `mailed`: to the person alone. `shown`: to staff, because no mail reaches the person; it can only withdraw. */
export type LinkDelivery = 'mailed' | 'shown';

/** How long a link that staff had made is good. */
export const staffLinkDays = 7;

/** What became of a link. `copy`: the message as it went to the person, without the link, which is theirs alone. */
export type LinkMade =
  | { readonly kind: 'mailed'; readonly copy: LetterCopy }
  | { readonly kind: 'shown'; readonly href: string };

export interface LetterCopy {
  readonly subject: string;
  readonly text: string;
  readonly lang: string;
  readonly dir: 'ltr' | 'rtl';
}

/** Stands in a copy where the message has the link. */
export const linkPlaceholder = '[the link, which is in their message alone]';

export interface LinkPageInput {
  readonly subject: SubjectId;
  readonly centerName: string;
  readonly made: LinkMade;
}

/** A link that is shown is shown once: it is no address of ours, and nowhere kept. */
export function buildLinkPage(pageContext: StaffPageContext, given: LinkPageInput): StaffPage {
  const { subject, centerName: center, made } = given;
  const person = maskIdentifier(subject);
  if (made.kind === 'shown') {
    return staffPage(pageContext, {
      title: 'A link for withdrawing',
      section: 'submissions',
      crumbs: personCrumbs,
      lead: [
        `With this link ${person}, or any other holder of it, can withdraw in ${center} for ${staffLinkDays} days, and do nothing else. Give it only to them.`,
      ],
      blocks: [facts('link', undefined, [['Link', cell(made.href, { look: 'code' })]])],
    });
  }
  const { subject: line, text, lang, dir } = made.copy;
  return staffPage(pageContext, {
    title: 'A link is on its way to this person',
    section: 'submissions',
    crumbs: personCrumbs,
    lead: [
      `A message to ${person} opens their own page in ${center} for ${staffLinkDays} days. The link is in that message alone.`,
    ],
    blocks: [
      facts('copy', 'What was sent', [
        ['To', person],
        ['Subject', cell(line, { lang, dir })],
        ['Message', cell(text, { lang, dir })],
      ]),
    ],
  });
}
