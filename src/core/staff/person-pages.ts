import type { JournalEntry } from '../journal-entry.ts';
import { maskIdentifier, type SubjectId } from '../subject.ts';
import { cell, facts, input, options, select, staffPage } from './blocks.ts';
import { mayDo } from './member.ts';
import type { Block, FormBlock, StaffPage } from './pages.ts';
import type { StaffSurroundings } from './shell.ts';
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
export function buildFindPersonPage(surroundings: StaffSurroundings, given: FindPersonInput): StaffPage {
  const { centers, typed, mistake } = given;
  return staffPage(surroundings, {
    title: 'Find a person',
    room: 'submissions',
    crumbs: personCrumbs.slice(0, 1),
    lead: [
      'Their submissions; withdrawing on their behalf; a link with which they can choose for themselves.',
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
        buttons: [{ name: '', value: '', label: 'Find', tone: 'primary' }],
        links: [],
      },
    ],
  });
}

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
  /** The center is served here, so that a link can be made. */
  readonly isServed: boolean;
}

export function buildPersonPage(surroundings: StaffSurroundings, given: PersonInput): StaffPage {
  const { subject, center, centers, entries } = given;
  const isEditor = surroundings.member !== undefined && mayDo(surroundings.member, 'editor');
  return staffPage(surroundings, {
    title: maskIdentifier(subject),
    room: 'submissions',
    crumbs: personCrumbs,
    lead: [
      `${submissionsSaid(entries.length)} ${center === '' ? 'in all centers' : `in ${centerName(centers, center)}`}.`,
    ],
    blocks: [
      {
        ...submissionTable(entries, centers),
        empty:
          'This house has no submission of this person here. Check the identifier letter by letter, or look in all centers.',
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

function actionForms({ person, token, isServed }: PersonInput): readonly Block[] {
  const form = (id: 'choose' | 'link', heading: string, about: string, label: string): FormBlock => ({
    kind: 'post-form',
    id,
    heading,
    about,
    action: `/staff/people/${id}`,
    token: token(),
    layout: 'line',
    fields: [{ kind: 'hidden', name: 'person', value: person }],
    buttons: [{ name: '', value: '', label, tone: 'ordinary' }],
    links: [],
  });
  const withdraw = form(
    'choose',
    'Withdraw on their behalf',
    'Only withdrawing: a consent is given by the person alone. Your name and a reason go on record.',
    'Choose what to withdraw',
  );
  const link = form(
    'link',
    'Let them choose for themselves',
    'Makes a link that opens this person’s own page for seven days. Send it to nobody but them.',
    'Make a link',
  );
  return isServed ? [withdraw, link] : [withdraw];
}

/** The link is shown once, to be copied: it is no address of ours, and nowhere kept. */
export function buildLinkPage(
  surroundings: StaffSurroundings,
  given: { readonly subject: SubjectId; readonly centerName: string; readonly link: string },
): StaffPage {
  return staffPage(surroundings, {
    title: 'A link for this person',
    room: 'submissions',
    crumbs: personCrumbs,
    lead: [
      `Whoever has this link can see and change the choices of ${maskIdentifier(given.subject)} in ${given.centerName} for seven days. Copy it into a message to them, and to nobody else.`,
    ],
    blocks: [facts('link', undefined, [['Link', cell(given.link, { look: 'code' })]])],
  });
}
