import { maskIdentifier } from '../../core/model/person/subject.ts';
import { choosePageLanguage } from '../../i18n/language.ts';
import { cell, facts } from './blocks.ts';
import { found, type GuardedRouter } from './guarded-router.ts';
import { centerName } from './names.ts';
import type { Page } from './page.ts';
import type { LinkMade, NamingParts } from './parts.ts';
import { lookUp, openPerson, underPerson } from './person-form.ts';

/** A link that lets a person choose, or only withdraw. */
export function addPersonLinks(guarded: GuardedRouter, parts: NamingParts): void {
  const { registry, links, centerNames } = parts;

  guarded.post('/people/link', 'editor', 'made a link for a person', async (call) => {
    const { subject, center } = openPerson(parts, call);
    const centerConfig = found(registry.findByCenter(center));
    const [[schema, record], centers] = await Promise.all([lookUp(parts, center, subject), centerNames()]);
    const preferences = { visit: undefined, subject: record?.language, browser: [] };
    const made = await links.make({
      centerConfig,
      title: schema?.title,
      language: schema === undefined ? 'en' : choosePageLanguage({ preferences, center: schema }),
      subject,
      maker: { id: call.member.id, name: call.member.name },
    });
    call.about(made.kind === 'mailed' ? 'mailed to them' : 'shown for withdrawing only');
    await call.show(linkPage(made, maskIdentifier(subject), centerName(centers, center)));
  });
}

/** How long a link that staff had made is good. */
export const staffLinkDays = 7;

/** Stands in a copy where the message has the link. */
export const linkPlaceholder = '[the link, which is in their message alone]';

/** A link that is shown is shown once: it is no address of ours, and nowhere kept. */
function linkPage(made: LinkMade, person: string, center: string): Page {
  if (made.kind === 'shown') {
    return {
      ...underPerson,
      title: 'A link for withdrawing',
      lead: [
        `With this link ${person}, or any other holder of it, can withdraw in ${center} for ${staffLinkDays} days, and do nothing else. Give it only to them.`,
      ],
      blocks: [facts('link', undefined, [['Link', cell(made.href, { look: 'code' })]])],
    };
  }
  const { subject, text, lang, dir } = made.copy;
  return {
    ...underPerson,
    title: 'A link is on its way to this person',
    lead: [
      `A message to ${person} opens their own page in ${center} for ${staffLinkDays} days. The link is in that message alone.`,
    ],
    blocks: [
      facts('copy', 'What was sent', [
        ['To', person],
        ['Subject', cell(subject, { lang, dir })],
        ['Message', cell(text, { lang, dir })],
      ]),
    ],
  };
}
