import type { JournalEntry } from '../../core/model/journal-entry.ts';
import type { Submission } from '../../core/model/submission.ts';
import { writtenUtc } from '../../core/model/utc-time.ts';
import {
  cell,
  check,
  filterOf,
  input,
  moment,
  options,
  select,
  shortId,
  staffPage,
  table,
  tag,
} from './blocks.ts';
import type { FilterBlock, StaffPage, TableView, ViewsView } from './every-page.ts';
import type { StaffPageContext } from './layout.ts';
import { withQuery } from './paging.ts';
import { type Period, readPeriod } from './period.ts';
import { askedInShort, channelNames, linkMakerName, stateNames } from './submission-words.ts';

/** Center ids with their names; a center that nobody names is called by its id. */
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
  readonly counts: readonly {
    readonly state: Submission['state'];
    readonly count: number;
    readonly oldestAt: number | undefined;
  }[];
  readonly centers: CenterNames;
  readonly filter: SubmissionFilter;
  /** What was looked for by its reference, and is not there; '' when nothing was. */
  readonly sought: string;
}

export function readState(text: string): Submission['state'] | undefined {
  return text === 'pending' || text === 'done' || text === 'failed' ? text : undefined;
}

/** The journal, newest first. */
export function buildSubmissionList(pageContext: StaffPageContext, input: SubmissionListInput): StaffPage {
  const views = usualViews(input);
  const isTold = input.sought === '' && views.views.some(({ current }) => current);
  return staffPage(pageContext, {
    title: 'Submissions',
    section: 'submissions',
    lead: ['What people asked for and what became of it, newest first.', ...oldest(input)],
    links: [
      { href: '/staff/people', label: 'Find a person' },
      { href: '/staff/reasons', label: 'Reasons for leaving' },
      { href: '/staff/receivers', label: 'Receivers of events' },
    ],
    blocks: [views, filterForm(input, isTold), entryTable(input)],
  });
}

function oldest({ counts }: SubmissionListInput): readonly string[] {
  const at = counts.find(({ state }) => state === 'pending')?.oldestAt;
  return at === undefined ? [] : [`The oldest that is pending came in ${writtenUtc(at)}.`];
}

/** Views that many need, with their numbers where these cost nothing. */
function usualViews({ counts, filter }: SubmissionListInput): ViewsView {
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
  return {
    kind: 'views',
    id: 'views',
    heading: undefined,
    about: undefined,
    label: 'Usual filters',
    views: views.map(([label, { state, within = '', only }]) => ({
      href: withQuery('/staff/submissions', { state, only, within }),
      label,
      current:
        isPlain &&
        filter.state === state &&
        filter.within === within &&
        filter.withdraws === (only !== undefined),
    })),
  };
}

function filterForm({ filter, centers, sought }: SubmissionListInput, isTold: boolean): FilterBlock {
  return filterOf({
    action: '/staff/submissions',
    isSet: isFiltered(filter) || sought !== '',
    isTold,
    fields: [
      input({ id: 'reference', label: 'Reference', value: sought }),
      select({
        id: 'state',
        label: 'State',
        options: options(
          [
            ['', 'All'],
            ...Object.entries(stateNames).map(([state, [name]]): [string, string] => [state, name]),
          ],
          filter.state ?? '',
        ),
      }),
      centerField(centers, filter.center),
      select({
        id: 'within',
        label: 'Submitted',
        options: options(
          [
            ['', 'At any time, or between'],
            ...Object.entries(latest).map(([within, { label }]): [string, string] => [within, label]),
          ],
          filter.within,
        ),
      }),
      ...periodFields(filter),
      check({ id: 'only', label: 'Only withdrawals', value: 'withdrawals', checked: filter.withdraws }),
    ],
  });
}

/** A choice of centers; the one of the address is among them even when nobody names it. */
export function centerField(centers: CenterNames, chosen: string) {
  const known =
    centers.some(({ id }) => id === chosen) || chosen === ''
      ? centers
      : [...centers, { id: chosen, name: chosen }];
  return select({
    id: 'center',
    label: 'Center',
    options: options([['', 'All'], ...known.map(({ id, name }): [string, string] => [id, name])], chosen),
  });
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

function entryTable({ entries, hasMore, centers, filter, sought }: SubmissionListInput): TableView {
  const query = queryOf(filter);
  const hrefOf = (page: number) =>
    withQuery('/staff/submissions', { ...query, page: page === 0 ? undefined : page });
  return {
    ...submissionTable(entries, centers),
    empty:
      sought !== ''
        ? 'No submission has this reference. Copy the whole of it: it is exact to the letter.'
        : isFiltered(filter)
          ? 'No submission is like that. Try another state, center or time.'
          : 'Nobody has changed anything yet. As soon as somebody saves their choices, it is listed here.',
    pager:
      filter.page === 0 && !hasMore
        ? undefined
        : {
            label: 'Pages of submissions',
            text: `Page ${filter.page + 1}`,
            first: filter.page > 1 ? { href: hrefOf(0), label: 'Newest' } : undefined,
            previous: filter.page > 0 ? { href: hrefOf(filter.page - 1), label: 'Newer' } : undefined,
            next: hasMore ? { href: hrefOf(filter.page + 1), label: 'Older' } : undefined,
            last: undefined,
            sizes: [],
          },
    links:
      entries.length === 0
        ? []
        : [{ href: withQuery('/staff/submissions.csv', query), label: 'Download these as CSV' }],
  };
}

export function submissionTable(entries: readonly JournalEntry[], centers: CenterNames): TableView {
  return table({
    id: 'submissions',
    caption: 'Submissions, newest first',
    columns: ['Submitted', 'State', 'Asked', 'Center', 'Channel'],
    rows: entries.map((entry) => [
      moment(entry.submittedAt, {
        href: submissionHref(entry.reference),
        folded: {
          label: 'Details',
          pairs: [
            { name: 'Reference', text: entry.reference },
            ...entry.receipts.map((text) => ({ name: 'Receipt', text })),
          ],
        },
      }),
      tag(...stateNames[entry.state]),
      cell(askedInShort(entry)),
      cell(shortId(centerName(centers, entry.center))),
      cell(channelNames[entry.channel], { more: linkMakerName(entry) }),
    ]),
    empty: 'There is no submission.',
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

export function submissionRows(entries: readonly JournalEntry[], centers: CenterNames) {
  const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString());
  return entries.map((entry) => [
    entry.reference,
    iso(entry.submittedAt),
    iso(entry.doneAt),
    entry.state,
    askedInShort(entry),
    centerName(centers, entry.center),
    entry.center,
    entry.channel,
    entry.globalPrivacyControl ? 'yes' : 'no',
    entry.receipts.join(' '),
    linkMakerName(entry),
  ]);
}
