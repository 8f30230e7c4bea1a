import type { JournalEntry } from '../../core/model/submission/journal-entry.ts';
import type { Submission } from '../../core/model/submission/submission.ts';
import { streamCsv } from '../../web/download.ts';
import { cell, check, moment, select, shortId, tag } from './blocks.ts';
import type { Call } from './guarded-router.ts';
import { centerField, dayFields, list, type Query, queries, spanUntil, type Views } from './list.ts';
import { type CenterNames, centerName } from './names.ts';
import { type Page, submissionHref } from './page.ts';
import { channelNames, type EntryLines, entryLines, linkMakerName, stateNames } from './submission-words.ts';

const onOnePage = 20;
const mostInFile = 10_000;

/** Exports the list of submissions as a file. */
export async function exportSubmissions(call: Call): Promise<void> {
  const { journal, centerNames, schemas, clock } = call;
  const columns = submissionColumns(await centerNames());
  async function* parts() {
    const filter = { ...asked(call.asked(queries.submissions), clock.now()), limit: mostInFile };
    for await (const entries of journal.parts(filter)) {
      const named = await schemas(entries);
      yield entries.map((entry) => ({ ...entry, ...entryLines(entry, named(entry)) }));
    }
  }
  await streamCsv(call.response, 'submissions', { columns, parts: parts() });
}

const latest = { '24h': 'The last 24 hours', '7d': 'The last 7 days', '30d': 'The last 30 days' } as const;

export async function readSubmissions(call: Call) {
  const { journal, centerNames, schemas, clock } = call;
  const filter = call.asked(queries.submissions);
  const part = { limit: onOnePage + 1, offset: filter.page * onOnePage };
  const found = await journal.list({ ...asked(filter, clock.now()), ...part });
  const entries = found.slice(0, onOnePage);
  return {
    entries,
    /** Whether more entries follow. */
    hasMore: found.length > onOnePage,
    counts: await journal.counts(),
    centers: await centerNames(),
    /** Names the changes. */
    schemas: await schemas(entries),
    filter,
  };
}

type SubmissionListInput = Awaited<ReturnType<typeof readSubmissions>>;

const asked = (filter: Query<'submissions'>, now: number) => ({
  state: filter.state || undefined,
  withdraws: filter.only === 'withdrawals' || undefined,
  center: filter.center || undefined,
  ...spanUntil(filter, now),
});

/** The list of submissions, newest first. */
export function buildSubmissionList(given: SubmissionListInput): Page {
  const { entries, hasMore, centers, schemas, filter } = given;
  const states = Object.entries(stateNames).map(([state, [name]]) => [state, name] as const);
  return {
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
    blocks: list({
      path: '/staff/submissions',
      filter,
      views: usualViews(given),
      fields: [
        select({ id: 'state', label: 'State', none: 'All', from: states }),
        centerField(centers, filter.center),
        select({
          id: 'within',
          label: 'Submitted',
          none: 'At any time, or between',
          from: Object.entries(latest),
        }),
        ...dayFields,
        check({ id: 'only', label: 'Only withdrawals', value: 'withdrawals' }),
      ],
      id: 'submissions',
      caption: 'Submissions, newest first',
      isList: true,
      columns: {
        Change: ({ headline, reference }) => cell(headline, { href: submissionHref(reference), dir: 'ltr' }),
        State: ({ state }) => tag(...stateNames[state]),
        Person: ({ person }) => person,
        Center: ({ center }) => shortId(centerName(centers, center)),
        Channel: (entry) => cell(channelNames[entry.channel], { more: linkMakerName(entry) }),
        Submitted: ({ submittedAt }) => moment(submittedAt),
      },
      rows: entries.map((entry) => ({ ...entry, ...entryLines(entry, schemas(entry)) })),
      empty: 'No changes yet. Saved choices are listed here.',
      nothingFits: 'No submission is like that. Try another state, center or time.',
      hasMore,
      files: ['/staff/submissions.csv'],
    }),
  };
}

/** Views that many readers need, with counts where these cost nothing. */
function usualViews({ counts }: SubmissionListInput): Views {
  const count = (state: Submission['state']) => counts.find((one) => one.state === state)?.count ?? 0;
  const all = counts.reduce((sum, one) => sum + one.count, 0);
  return [
    [`All (${all})`, {}],
    [`Pending (${count('pending')})`, { state: 'pending' }],
    [`Failed (${count('failed')})`, { state: 'failed' }],
    ['Withdrawals waiting', { state: 'pending', only: 'withdrawals' }],
    [`Done (${count('done')})`, { state: 'done' }],
    ['Last 7 days', { within: '7d' }],
  ];
}

type NamedEntry = JournalEntry & EntryLines;

/** Columns of the file, without identifiers and typed values. */
const submissionColumns = (centers: CenterNames) => ({
  reference: ({ reference }: NamedEntry) => reference,
  submitted: ({ submittedAt }: NamedEntry) => new Date(submittedAt).toISOString(),
  done: ({ doneAt }: NamedEntry) => (doneAt === undefined ? undefined : new Date(doneAt).toISOString()),
  state: ({ state }: NamedEntry) => state,
  asked: ({ everything, headline, lines }: NamedEntry) =>
    everything || lines.length === 0 ? headline : lines.join('; '),
  center: ({ center }: NamedEntry) => centerName(centers, center),
  'center id': ({ center }: NamedEntry) => center,
  channel: ({ channel }: NamedEntry) => channel,
  'privacy control': ({ globalPrivacyControl }: NamedEntry) => (globalPrivacyControl ? 'yes' : 'no'),
  receipts: ({ receipts }: NamedEntry) => receipts.join(' '),
  'link made by': linkMakerName,
});
