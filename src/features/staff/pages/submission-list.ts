import type { JournalEntry } from '../../../core/model/submission/journal-entry.ts';
import type { Submission } from '../../../core/model/submission/submission.ts';
import type { FilterBlock, StaffPage, TableView } from '../../../pages/staff-page.ts';
import { cell, check, filterOf, input, moment, select, shortId, staffPage, table, tag } from './blocks.ts';
import { type Centers, entryLines } from './entry-lines.ts';
import type { StaffPageContext } from './layout.ts';
import { csvLink, withQuery } from './paging.ts';
import { type Period, readPeriod } from './period.ts';
import { channelNames, linkMakerName, stateNames } from './submission-words.ts';

/** Center ids with their names; a center without a name is called by its id. */
export type CenterNames = readonly { readonly id: string; readonly name: string }[];

export interface SubmissionFilter extends Period {
  readonly state: Submission['state'] | undefined;
  /** A center's id; '' for all. */
  readonly center: string;
  /** Of `latest`, counted from now, so that an address that was kept stays true; '' for the days. */
  readonly within: string;
  /** Only what withdraws something. */
  readonly withdraws: boolean;
  readonly page: number;
}

const hour = 60 * 60 * 1000;
const latest: Readonly<Record<string, { readonly label: string; readonly ms: number }>> = {
  '24h': { label: 'The last 24 hours', ms: 24 * hour },
  '7d': { label: 'The last 7 days', ms: 7 * 24 * hour },
  '30d': { label: 'The last 30 days', ms: 30 * 24 * hour },
};

/** The days of an address, or what it calls the latest of them. */
export function readTime(
  query: { readonly from: string; readonly to: string; readonly within: string },
  now: number,
): Period & { readonly within: string } {
  const wanted = Object.hasOwn(latest, query.within) ? latest[query.within] : undefined;
  if (wanted === undefined) return { ...readPeriod(query.from, query.to), within: '' };
  return { fromDay: '', toDay: '', from: now - wanted.ms, to: undefined, within: query.within };
}

export interface SubmissionListInput {
  readonly entries: readonly JournalEntry[];
  /** There are more after these. */
  readonly hasMore: boolean;
  readonly counts: readonly { readonly state: Submission['state']; readonly count: number }[];
  readonly centers: CenterNames;
  /** Name what was changed. */
  readonly schemas: Centers;
  readonly filter: SubmissionFilter;
}

export function readState(text: string): Submission['state'] | undefined {
  return text === 'pending' || text === 'done' || text === 'failed' ? text : undefined;
}

/** The journal, newest first. */
export function buildSubmissionList(pageContext: StaffPageContext, input: SubmissionListInput): StaffPage {
  return staffPage(pageContext, {
    title: 'Submissions',
    section: 'submissions',
    lead: ['What people asked for and what became of it, newest first.'],
    links: [
      { href: '/staff/people', label: 'Find a person' },
      { href: '/staff/wordings', label: 'Wordings' },
      { href: '/staff/reasons', label: 'Reasons for leaving' },
      { href: '/staff/receivers', label: 'Receivers of events' },
      { href: '/staff/hosted-links', label: 'Links of hosted pages' },
    ],
    blocks: [filterForm(input), entryTable(input)],
  });
}

/** Views that many need, with their numbers where these cost nothing. */
function usualViews({ counts, filter }: SubmissionListInput): FilterBlock['views'] {
  const count = (state: Submission['state']) => counts.find((one) => one.state === state)?.count ?? 0;
  const all = counts.reduce((sum, one) => sum + one.count, 0);
  const views: readonly (readonly [
    label: string,
    query: { state?: Submission['state']; within?: string; only?: string },
  ])[] = [
    [`All (${all})`, {}],
    [`Pending (${count('pending')})`, { state: 'pending' }],
    [`Failed (${count('failed')})`, { state: 'failed' }],
    ['Withdrawals waiting', { state: 'pending', only: 'withdrawals' }],
    [`Done (${count('done')})`, { state: 'done' }],
    ['Last 7 days', { within: '7d' }],
  ];
  const isPlain = filter.center === '' && filter.fromDay === '' && filter.toDay === '';
  return views.map(([label, { state, within = '', only }]) => ({
    href: withQuery('/staff/submissions', { state, only, within }),
    label,
    current:
      isPlain &&
      filter.state === state &&
      filter.within === within &&
      filter.withdraws === (only !== undefined),
  }));
}

function filterForm(given: SubmissionListInput): FilterBlock {
  const { filter, centers } = given;
  return filterOf({
    action: '/staff/submissions',
    views: usualViews(given),
    fields: [
      select({
        id: 'state',
        label: 'State',
        from: [['', 'All'], ...Object.entries(stateNames).map(([state, [name]]) => [state, name] as const)],
        chosen: filter.state,
      }),
      centerField(centers, filter.center),
      select({
        id: 'within',
        label: 'Submitted',
        from: [
          ['', 'At any time, or between'],
          ...Object.entries(latest).map(([within, { label }]) => [within, label] as const),
        ],
        chosen: filter.within,
      }),
      ...periodFields(filter),
      check({ id: 'only', label: 'Only withdrawals', value: 'withdrawals', checked: filter.withdraws }),
    ],
  });
}

/** A choice of centers; the one of the address is among them even without a name. */
export function centerField(centers: CenterNames, chosen: string) {
  const known =
    centers.some(({ id }) => id === chosen) || chosen === ''
      ? centers
      : [...centers, { id: chosen, name: chosen }];
  return select({ id: 'center', label: 'Center', from: [['', 'All'], ...known], chosen });
}

export function periodFields({ fromDay, toDay }: Period) {
  return [
    input({ id: 'from', label: 'From (UTC)', type: 'date', value: fromDay }),
    input({ id: 'to', label: 'Until (UTC)', type: 'date', value: toDay }),
  ];
}

function queryOf(filter: SubmissionFilter) {
  return {
    state: filter.state,
    only: filter.withdraws ? 'withdrawals' : undefined,
    center: filter.center,
    within: filter.within,
    from: filter.fromDay,
    to: filter.toDay,
  };
}

function isFiltered(filter: SubmissionFilter): boolean {
  return Object.values(queryOf(filter)).some((value) => value !== undefined && value !== '');
}

function entryTable({ entries, hasMore, centers, schemas, filter }: SubmissionListInput): TableView {
  const query = queryOf(filter);
  const hrefOf = (page: number) =>
    withQuery('/staff/submissions', { ...query, page: page === 0 ? undefined : page });
  return table({
    id: 'submissions',
    caption: 'Submissions, newest first',
    isList: true,
    columns: ['Change', 'State', 'Person', 'Center', 'Channel', 'Submitted'],
    rows: entries.map((entry) => {
      const { headline, person } = entryLines(entry, schemas);
      return [
        cell(headline, { href: submissionHref(entry.reference), dir: 'ltr' }),
        tag(...stateNames[entry.state]),
        cell(person),
        cell(shortId(centerName(centers, entry.center))),
        cell(channelNames[entry.channel], { more: linkMakerName(entry) }),
        moment(entry.submittedAt),
      ];
    }),
    empty: isFiltered(filter)
      ? 'No submission is like that. Try another state, center or time.'
      : 'No changes yet. Saved choices are listed here.',
    pager:
      filter.page === 0 && !hasMore
        ? undefined
        : {
            label: 'Pages of submissions',
            text: `Page ${filter.page + 1}`,
            first: filter.page > 1 ? { href: hrefOf(0), label: 'Newest' } : undefined,
            previous: filter.page > 0 ? { href: hrefOf(filter.page - 1), label: 'Newer' } : undefined,
            next: hasMore ? { href: hrefOf(filter.page + 1), label: 'Older' } : undefined,
            sizes: [],
          },
    links: csvLink('/staff/submissions.csv', query, entries.length),
  });
}

export function centerName(centers: CenterNames, id: string): string {
  return centers.find((center) => center.id === id)?.name ?? id;
}

export function submissionHref(reference: string): string {
  return `/staff/submissions/${encodeURIComponent(reference)}`;
}

/** Without identifiers, and without anything that was typed. */
export const submissionColumns = [
  'reference',
  'submitted',
  'done',
  'state',
  'asked',
  'center',
  'center id',
  'channel',
  'privacy control',
  'receipts',
  'link made by',
];

export function submissionRows(entries: readonly JournalEntry[], centers: CenterNames, schemas: Centers) {
  const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString());
  return entries.map((entry) => {
    const { headline, lines } = entryLines(entry, schemas);
    return [
      entry.reference,
      iso(entry.submittedAt),
      iso(entry.doneAt),
      entry.state,
      entry.everything || lines.length === 0 ? headline : lines.join('; '),
      centerName(centers, entry.center),
      entry.center,
      entry.channel,
      entry.globalPrivacyControl ? 'yes' : 'no',
      entry.receipts.join(' '),
      linkMakerName(entry),
    ];
  });
}
