import type { JournalEntry } from '../../core/model/journal-entry.ts';
import type { Submission } from '../../core/model/submission.ts';
import { writtenUtc } from '../../core/model/utc-time.ts';
import { cell, facts, input, moment, options, select, staffPage, table, tag } from './blocks.ts';
import type { Block, Cell, FormBlock, StaffPage, TableView } from './every-page.ts';
import type { StaffPageContext } from './layout.ts';
import { withQuery } from './paging.ts';
import type { Period } from './period.ts';
import { askedInShort, channelNames, linkMakerName, stateNames } from './submission-words.ts';

/** Center ids with their names; a center that nobody names is called by its id. */
export type CenterNames = readonly { readonly id: string; readonly name: string }[];

export interface SubmissionFilter extends Period {
  readonly state: Submission['state'] | undefined;
  /** A center's id; '' for all. */
  readonly center: string;
  readonly page: number;
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
}

export function readState(text: string): Submission['state'] | undefined {
  return text === 'pending' || text === 'done' || text === 'failed' ? text : undefined;
}

/** The journal, newest first. */
export function buildSubmissionList(pageContext: StaffPageContext, input: SubmissionListInput): StaffPage {
  return staffPage(pageContext, {
    title: 'Submissions',
    section: 'submissions',
    lead: [
      'What people asked for and what became of it, newest first. Identifiers are not listed: search for one instead.',
    ],
    links: [
      { href: '/staff/people', label: 'Find a person' },
      { href: '/staff/reasons', label: 'Reasons for leaving' },
    ],
    blocks: [countFacts(input), filterForm(input), entryTable(input)],
  });
}

function countFacts({ counts }: SubmissionListInput): Block {
  return facts(
    'counts',
    undefined,
    (['pending', 'done', 'failed'] as const).map((state): [string, Cell] => {
      const found = counts.find((one) => one.state === state);
      const oldest = found?.oldestAt === undefined ? undefined : `oldest: ${writtenUtc(found.oldestAt)}`;
      const count = found?.count ?? 0;
      const href = withQuery('/staff/submissions', { state });
      return [
        stateNames[state][0],
        cell(`${count} ${count === 1 ? 'submission' : 'submissions'}`, { href, more: oldest }),
      ];
    }),
  );
}

function filterForm({ filter, centers }: SubmissionListInput): FormBlock {
  return {
    kind: 'get-form',
    id: 'filter',
    heading: undefined,
    about: undefined,
    action: '/staff/submissions',
    token: '',
    layout: 'line',
    fields: [
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
      ...periodFields(filter),
    ],
    buttons: [{ name: '', value: '', label: 'Show', tone: 'ordinary' }],
    links: [],
  };
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

function entryTable({ entries, hasMore, centers, filter }: SubmissionListInput): TableView {
  const query = { state: filter.state, center: filter.center, from: filter.fromDay, to: filter.toDay };
  const hrefOf = (page: number) =>
    withQuery('/staff/submissions', { ...query, page: page === 0 ? undefined : page });
  const isFiltered = Object.values(query).some((value) => value !== undefined && value !== '');
  return {
    ...submissionTable(entries, centers),
    empty: isFiltered
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
    columns: ['Submitted', 'State', 'Asked', 'Center', 'Channel', 'Receipts'],
    rows: entries.map((entry) => [
      moment(entry.submittedAt, {
        href: submissionHref(entry.reference),
        more: entry.reference,
        moreLook: 'code',
      }),
      tag(...stateNames[entry.state]),
      cell(askedInShort(entry)),
      cell(centerName(centers, entry.center)),
      cell(channelNames[entry.channel], { more: linkMakerName(entry) }),
      cell(entry.receipts.join('\n'), { look: 'code' }),
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
export function submissionRows(entries: readonly JournalEntry[], centers: CenterNames) {
  const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString());
  return [
    [
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
    ],
    ...entries.map((entry) => [
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
    ]),
  ];
}
