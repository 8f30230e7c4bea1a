import type { JournalEntry } from '../../core/model/journal-entry.ts';
import { mayDo } from '../../core/model/staff-member.ts';
import { maskIdentifier, type SubjectId } from '../../core/model/subject.ts';
import { cell, facts, input, options, select, staffPage } from './blocks.ts';
import type { Block, FormBlock, StaffPage } from './every-page.ts';
import type { StaffPageContext } from './layout.ts';
import { type CenterNames, centerName, submissionTable } from './submission-list.ts';

/** Of one person's submissions, the newest. */
export const mostShown = 100;

export const personCrumbs = [
  { href: '/staff/submissions', label: 'Submissions' },
  { href: '/staff/people', label: 'Find a person' },
];

export interface FindPersonInput {
  readonly centers: CenterNames;
  readonly token: string;
  readonly typed: { readonly identifier: string; readonly center: string };
  readonly mistake: string | undefined;
}

/** The identifier goes by post: it must not stand in an address, a history or a log. */
export function buildFindPersonPage(pageContext: StaffPageContext, given: FindPersonInput): StaffPage {
  const { centers, typed, mistake } = given;
  return staffPage(pageContext, {
    title: 'Find a person',
    section: 'submissions',
    crumbs: personCrumbs.slice(0, 1),
    lead: [
      'Their submissions; withdrawing on their behalf; a link, sent to them, with which they can choose for themselves.',
    ],
    mistakes:
      mistake === undefined
        ? undefined
        : { title: 'Please check one entry', items: [{ href: '#identifier', text: mistake }] },
    blocks: [
      {
        kind: 'post-form',
        id: 'person',
        heading: undefined,
        about: undefined,
        action: '/staff/people',
        token: given.token,
        layout: 'page',
        fields: [
          input({
            id: 'identifier',
            label: 'Identifier',
            value: typed.identifier,
            required: 'required',
            hint: 'As the platform knows the person, letter by letter: often an e-mail address.',
            mistake,
          }),
          select({
            id: 'center',
            label: 'Center',
            hint: 'To withdraw or to make a link, choose one.',
            options: options(
              [['', 'All'], ...centers.map(({ id, name }): [string, string] => [id, name])],
              typed.center,
            ),
          }),
        ],
        buttons: [{ name: undefined, value: undefined, label: 'Find', tone: 'primary' }],
        links: [],
      },
    ],
  });
}

/** `mailed`: to the person alone. `shown`: to staff, because no mail reaches the person; it can only withdraw. */
export type LinkDelivery = 'mailed' | 'shown';

export interface PersonInput {
  readonly subject: SubjectId;
  /** '' for all. */
  readonly center: string;
  readonly centers: CenterNames;
  /** Newest first, at most `mostShown`. */
  readonly entries: readonly JournalEntry[];
  /** Who and where, sealed. */
  readonly person: string;
  readonly token: () => string;
  /** What becomes of a link for this person; undefined where the center is not served here. */
  readonly link: LinkDelivery | undefined;
}

export function buildPersonPage(pageContext: StaffPageContext, given: PersonInput): StaffPage {
  const { subject, center, centers, entries } = given;
  const isEditor = pageContext.member !== undefined && mayDo(pageContext.member, 'editor');
  return staffPage(pageContext, {
    title: maskIdentifier(subject),
    section: 'submissions',
    crumbs: personCrumbs,
    lead: [
      `${submissionsSaid(entries.length)} ${center === '' ? 'in all centers' : `in ${centerName(centers, center)}`}.`,
    ],
    blocks: [
      {
        ...submissionTable(entries, centers),
        empty:
          'This installation has no submission of this person here. Check the identifier letter by letter, or look in all centers.',
      },
      ...(isEditor && center !== '' ? actionForms(given) : []),
    ],
  });
}

function submissionsSaid(count: number): string {
  if (count === mostShown) return `The last ${mostShown} submissions`;
  if (count === 0) return 'No submission';
  return count === 1 ? '1 submission' : `${count} submissions`;
}

function actionForms({ person, token, link }: PersonInput): readonly Block[] {
  const form = (id: 'choose' | 'link', heading: string, about: string, label: string): FormBlock => ({
    kind: 'post-form',
    id,
    heading,
    about,
    action: `/staff/people/${id}`,
    token: token(),
    layout: 'line',
    fields: [{ kind: 'hidden', name: 'person', value: person }],
    buttons: [{ name: undefined, value: undefined, label, tone: 'ordinary' }],
    links: [],
  });
  const withdraw = form(
    'choose',
    'Withdraw on their behalf',
    'Only withdrawing: a consent is given by the person alone. Your name and a reason go on record.',
    'Choose what to withdraw',
  );
  if (link === undefined) return [withdraw];
  return [
    withdraw,
    link === 'mailed'
      ? form(
          'link',
          'Let them choose for themselves',
          `Mails them a link that opens their own page for ${staffLinkDays} days. Nobody else gets it, and your name goes on record with what they change by it.`,
          'Send them a link',
        )
      : form(
          'link',
          'Let them withdraw by themselves',
          `No mail reaches them from here, so you are shown the link: for ${staffLinkDays} days it opens their page with masked data, to withdraw and nothing else. Your name goes on record with what is withdrawn by it.`,
          'Make a link for withdrawing',
        ),
  ];
}

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
        `With this link ${person}, or whoever else has it, can withdraw in ${center} for ${staffLinkDays} days, and do nothing else. Give it to nobody but them.`,
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
