import { maskIdentifier, type SubjectId } from '../../../core/model/person/subject.ts';
import type { JournalEntry } from '../../../core/model/submission/journal-entry.ts';
import { isoDay, writtenDay, writtenTime } from '../../../core/model/utc-time.ts';
import type { Block, FormBlock, FormsBlock, StaffPage, StepView } from '../../../pages/staff-page.ts';
import { cell, form, input, type Mistake, may, mistakesOf, moment, select, staffPage } from './blocks.ts';
import { type Centers, entryLines } from './entry-lines.ts';
import type { StaffPageContext } from './layout.ts';
import { type CenterNames, centerName } from './names.ts';
import { type LinkDelivery, personCrumbs } from './person-link.ts';
import { type CenterStanding, standingTable } from './standing.ts';
import { submissionHref } from './submission-list.ts';
import { step } from './submission-timeline.ts';
import { channelNames, linkMakerName, stateNames } from './submission-words.ts';

/** Of one person's submissions, the newest. */
export const mostShown = 100;

export interface FindPersonInput {
  readonly token: string;
  readonly typed: string;
  readonly mistakes: readonly Mistake[];
}

/** The identifier goes by post: it must not stand in an address, a history or a log. */
export function buildFindPersonPage(pageContext: StaffPageContext, given: FindPersonInput): StaffPage {
  const { typed, mistakes } = given;
  return staffPage(pageContext, {
    title: 'Find a person',
    section: 'submissions',
    crumbs: personCrumbs.slice(0, 1),
    lead: ['What is on for them now and since when; withdrawing for them; a link that lets them choose.'],
    mistakes: mistakesOf(mistakes),
    blocks: [
      form({
        id: 'person',
        action: '/staff/people',
        token: given.token,
        mistakes,
        fields: [
          input({
            id: 'identifier',
            label: 'Identifier or reference',
            value: typed,
            required: 'required',
            hint: 'The identifier exactly as the platform has it, often an e-mail address; or the reference of a submission.',
          }),
        ],
        label: 'Find',
      }),
    ],
  });
}

export interface PersonInput {
  readonly subject: SubjectId;
  readonly centers: CenterNames;
  readonly schemas: Centers;
  /** Centers in which something is known of the person, or that were asked for. */
  readonly standings: readonly CenterStanding[];
  /** Newest first, at most `mostShown`. */
  readonly entries: readonly JournalEntry[];
  /** Who it is, sealed. */
  readonly person: string;
  readonly token: () => string;
  /** What becomes of a link for this person; undefined where the center is not served here. */
  readonly link: (center: string) => LinkDelivery | undefined;
}

/** What is on now, center by center; what can be done about it; and what happened, the newest first. */
export function buildPersonPage(pageContext: StaffPageContext, given: PersonInput): StaffPage {
  const { subject, standings, entries } = given;
  const isEditor = may(pageContext, 'editor');
  const isKnown = standings.length + entries.length > 0;
  return staffPage(pageContext, {
    title: maskIdentifier(subject),
    section: 'submissions',
    crumbs: personCrumbs,
    lead: [
      ...(isKnown
        ? []
        : ['Nothing is known of this identifier here. Check it letter by letter, capitals included.']),
      ...(isEditor
        ? ['You can withdraw for them, with a reason. To turn something on, send them a link.']
        : []),
    ],
    blocks: [
      ...standings.flatMap((one, at) => [
        standingTable(
          one,
          `standing-${at}`,
          entries.filter(({ center }) => center === one.id),
        ),
        ...(isEditor ? [actions(given, one.id, at)] : []),
      ]),
      ...otherCenters(given),
      ...(may(pageContext, 'privacy') ? [privacyActions(given)] : []),
      timeline(given),
    ],
  });
}

function personForm(
  { person, token }: PersonInput,
  given: Pick<FormBlock, 'id' | 'action' | 'fields'> & { readonly label: string },
): FormBlock {
  const fields = [{ kind: 'hidden' as const, name: 'person', value: person }, ...given.fields];
  return form({ ...given, token: token(), layout: 'line', fields, tone: 'ordinary' });
}

function actions(given: PersonInput, center: string, at: number): FormsBlock {
  const fields = [{ kind: 'hidden' as const, name: 'center', value: center }];
  const link = given.link(center);
  const withdraw = { action: '/staff/people/choose', label: 'Withdraw for them' };
  const send = {
    action: '/staff/people/link',
    label: link === 'mailed' ? 'Send them a link' : 'Make a link to withdraw',
  };
  return {
    kind: 'forms',
    id: `actions-${at}`,
    forms: [withdraw, ...(link === undefined ? [] : [send])].map((one, index) =>
      personForm(given, { ...one, id: `actions-${at}-${index}`, fields }),
    ),
  };
}

function privacyActions(given: PersonInput): FormsBlock {
  const forms = [
    { id: 'export', action: '/staff/people/export', label: 'Export all', fields: [] },
    { id: 'erase', action: '/staff/people/erase', label: 'Erase…', fields: [] },
  ];
  return {
    kind: 'forms',
    id: 'privacy',
    heading: 'All that is kept about this person',
    forms: forms.map((one) => personForm(given, one)),
  };
}

function otherCenters(given: PersonInput): readonly Block[] {
  const { centers, standings } = given;
  const others = centers.filter(({ id }) => !standings.some((one) => one.id === id));
  if (others.length === 0) return [];
  const center = select({
    id: 'center',
    label: standings.length === 0 ? 'Look in a center' : 'Another center',
    from: others,
  });
  return [personForm(given, { id: 'other', action: '/staff/people', fields: [center], label: 'Show' })];
}

function timeline({ entries, centers, schemas, standings }: PersonInput): Block {
  const records = new Map(standings.flatMap(({ id, record }) => (record ? [[id, record] as const] : [])));
  const named: Centers = Object.assign(new Map(schemas), { words: schemas.words, records });
  return {
    kind: 'timeline',
    id: 'timeline',
    heading: 'Timeline',
    about: entries.length === mostShown ? `The last ${mostShown} submissions.` : undefined,
    steps: entries.map((entry, index): StepView => {
      const { headline, lines } = entryLines(entry, named);
      const { shown } = entry.evidence?.asked ?? {};
      const said = entry.everything || lines.length === 0 ? [headline, ...lines] : lines;
      const [state, tone] = stateNames[entry.state];
      const maker = linkMakerName(entry);
      const at = entry.submittedAt;
      const before = entries[index - 1]?.submittedAt;
      const isFirst = before === undefined || isoDay(before) !== isoDay(at);
      return step(
        said[0] ?? headline,
        [
          moment(at, { look: 'time', text: writtenTime(at) }),
          cell((shown && schemas.words?.around(shown.words)?.title) ?? centerName(centers, entry.center)),
          cell(
            maker === undefined ? channelNames[entry.channel] : `${channelNames[entry.channel]}: ${maker}`,
          ),
          ...(entry.state === 'done' ? [] : [cell(state)]),
        ],
        {
          ...{ tone, lines: said.slice(1), href: submissionHref(entry.reference) },
          day: { iso: new Date(at).toISOString(), text: writtenDay(at), isFirst },
        },
      );
    }),
  };
}
