import type { Subject, SubjectId } from '../../src/core/model/person/subject.ts';
import type { Member } from '../../src/core/model/staff/staff-member.ts';
import { noIntent } from '../../src/core/model/submission/intent.ts';
import type { CallMade, JournalEntry } from '../../src/core/model/submission/journal-entry.ts';
import { buildAuditPage } from '../../src/features/staff/audit.ts';
import { type Query, queries } from '../../src/features/staff/list.ts';
import { buildNoticePage } from '../../src/features/staff/notice.ts';
import { type Page, type StaffPageContext, staffPage } from '../../src/features/staff/page.ts';
import { buildPersonPage } from '../../src/features/staff/people.ts';
import { buildReasonsPage, latestMonths } from '../../src/features/staff/reasons.ts';
import { buildStudioPage, readTriedBrand, type StudioDraft } from '../../src/features/staff/studio.ts';
import { buildSubmissionPage } from '../../src/features/staff/submission.ts';
import { buildSubmissionList } from '../../src/features/staff/submissions.ts';
import { buildTaskPage } from '../../src/features/staff/task.ts';
import { buildWithdrawPage } from '../../src/features/staff/withdraw.ts';
import type { StaffPage } from '../../src/pages/staff-page.ts';
import { noWords } from '../core/page-builder.ts';
import { books } from '../kit/sandbox-ids.ts';
import { sampleToken } from './layouts.ts';
import { noon, sampleTask } from './staff.ts';

const centers = [{ id: books, name: 'Harbour Books' }];

const entry: JournalEntry = {
  reference: 'qT7x-V0a-9LmR',
  center: books,
  channel: 'link',
  state: 'done',
  everything: true,
  globalPrivacyControl: false,
  submittedAt: noon,
  dueAt: noon,
  doneAt: noon,
  undoes: undefined,
  undoneBy: undefined,
  receipts: ['64a9b83e-3aae-4e9f-9c8b-2f4f5d1f3a10'],
  work: undefined,
  evidence: {
    asked: {
      reference: 'qT7x-V0a-9LmR',
      center: books,
      subject: 'jonas@example.org',
      channel: 'link',
      salt: '',
      globalPrivacyControl: false,
      acceptedAt: noon,
      everything: true,
      changes: [],
      linkMadeBy: { id: 'staff-7', name: 'Mira Sand' },
    },
    ended: { salt: '', state: 'done', endedAt: noon, items: [] },
  },
};

const letter = 'b00c5000-0000-4000-8000-000000000010';

const record: Subject = {
  id: 'jonas@example.org' as SubjectId,
  language: undefined,
  purposes: ['The Harbour Letter', 'Tell me when my preferences change', 'Offers and sales'].map(
    (label, at) => ({
      purpose: `b00c5000-0000-4000-8000-00000000001${at}`,
      label,
      status: at === 2 ? 'off' : 'active',
      topics: [],
      preferences: [],
    }),
  ),
  dataElements: {},
};

export const failedCall: CallMade = {
  at: noon,
  kind: 'put',
  why: 'change',
  changes: [`purpose:${letter}`],
  update: undefined,
  answer: undefined,
  problem: 'platform-slow',
};

export const changed = {
  ...entry,
  reference: 'qT7x-V0a-9LmS',
  everything: false,
  evidence: undefined,
  work: {
    request: {
      nonce: 'n',
      subject: record.id,
      center: books,
      intent: noIntent,
      channel: 'link',
      scope: 'manage',
      globalPrivacyControl: false,
      undoes: undefined,
      reasons: [],
      onBehalf: undefined,
    },
    attempts: 2,
    problem: undefined,
    before: record,
    items: [letter, 'b00c5000-0000-4000-8000-000000000012'].map((id, at) => ({
      what: 'purpose',
      id,
      change: at === 0 ? 'on' : 'off',
      outcome: at === 0 ? 'saved' : 'not-saved',
      receipt: undefined,
    })),
    calls: [failedCall, { ...failedCall, at: noon + 1_000 }],
  },
} as const satisfies JournalEntry;

const reasons = [
  { center: books, id: 'r1', text: 'Too many messages', count: 12 },
  { center: books, id: undefined, text: '', count: 3 },
];

export const unfiltered = queries.submissions.parse({});

export function submissionList(filter: Partial<Query<'submissions'>>): Page {
  return buildSubmissionList({
    entries: [entry, { ...entry, everything: false, state: 'failed', channel: 'staff-link' }],
    hasMore: true,
    counts: [{ state: 'pending', count: 3, oldestAt: noon }],
    centers,
    schemas: () => ({}),
    filter: { ...unfiltered, ...filter },
  });
}

/** A version of the notice. */
export const version = {
  id: '0071ce00-0000-4001-8000-000000003002',
  version: 2,
  status: 'retired',
  publishedDate: '2026-04-23T11:34:00Z',
  name: 'Archive notice 2023',
  publishedBy: undefined,
  languages: [{ code: 'en', guid: undefined, isDefault: true }],
} as const;
export const onePage = { page: 0, size: 20, totalPages: 1, totalElements: 1, last: true };
export const notice = {
  id: '0071ce00-0000-4001-8000-000000003000',
  createdDate: '2026-01-15T11:00:00.000',
  lastPublishedDate: '2026-04-23T11:34:00.000',
  organizationId: '0f610000-0000-4000-8000-000000000001',
  responsibleUserId: undefined,
};

/** Builds the studio without a center, because with one it would frame another page of the gallery. */
function studio(typed: Partial<StudioDraft>): Page {
  const draft = { center: '', accent: '#8a1c4a', radius: '6', font: '', mark: '', ...typed };
  return buildStudioPage({ centers, draft, tried: readTriedBrand(draft, 'Harbour Books') });
}

/** Pages of the staff's daily work, by name. */
export function workPages(
  context: StaffPageContext & { readonly member: Member },
): Readonly<Record<string, StaffPage>> {
  const { member } = context;
  const pages: Readonly<Record<string, Page>> = {
    submissions: submissionList({}),
    'submissions-filtered': submissionList({ center: books, only: 'withdrawals' }),
    audit: buildAuditPage({
      lines: (['done', 'corrected', 'failed'] as const).map((outcome) => ({
        at: noon,
        staff: 'staff-1',
        name: 'Robin Hart',
        does: 'looked up what a person could withdraw',
        about: { done: undefined, corrected: books, failed: `${books} person goNwRUBGZAwW` }[outcome],
        outcome,
      })),
      total: 120,
      filter: { ...unfiltered, staff: '', text: '', page: 1 },
    }),
    person: buildPersonPage({
      member,
      subject: 'jonas@example.org' as SubjectId,
      centers: [...centers, { id: 'ba4c0000-0000-4000-8000-000000000001', name: 'Alster Bank' }],
      schemas: () => ({}),
      standings: [
        { id: books, name: 'Harbour Books', schema: undefined, record },
        { id: 'b00c5000-0000-4000-8000-000000000002', name: 'Away', schema: undefined, record: undefined },
      ],
      entries: [changed, entry],
      person: sampleToken,
      link: () => 'mailed',
    }),
    'person-unknown': buildPersonPage({
      member,
      subject: 'nobody@example.org' as SubjectId,
      centers: [],
      schemas: () => ({}),
      standings: [],
      entries: [],
      person: sampleToken,
      link: () => undefined,
    }),
    studio: studio({ accent: '#f4d800' }),
    'studio-mistaken': studio({ accent: 'yellow', radius: '99' }),
    submission: buildSubmissionPage({
      member,
      entry: { ...changed, state: 'pending', undoneBy: entry.reference },
      center: undefined,
      person: sampleToken,
      isRetried: true,
      words: noWords,
      stuck: {
        reference: changed.reference,
        center: books,
        submittedAt: noon,
        state: 'open',
        task: '7a5c0000-0000-4000-8000-000000000001',
      },
    }),
    reasons: buildReasonsPage({
      counts: reasons,
      months: latestMonths(noon, 3).map((month) => ({ ...month, counts: reasons })),
      latest: latestMonths(noon, 3),
      words: [{ center: books, day: noon, id: undefined, text: 'I moved away.' }],
      centers,
      filter: unfiltered,
    }),
    task: buildTaskPage({
      member,
      task: sampleTask,
      was: 'saved',
      differs: ['Deadline'],
      parentName: 'Harbour Books',
      known: new Map(),
    }),
    withdraw: buildWithdrawPage({
      subject: 'jonas@example.org' as SubjectId,
      center: books,
      name: 'Harbour Books',
      schema: undefined,
      record,
      person: sampleToken,
      typed: { what: 'some', purposes: [], reason: '' },
      mistakes: [
        { field: 'what', text: 'Choose what to withdraw.' },
        { field: 'reason', text: 'Give the reason.' },
      ],
    }),
    notice: buildNoticePage({
      id: notice.id,
      versions: {
        versions: [version],
        paging: onePage,
      },
      asked: { date: '', time: '', count: 'through', page: 0, size: 20 },
      current: {
        ...notice,
        version,
      },
      read: { kind: 'none' },
      answer: undefined,
      known: new Map(),
    }),
  };
  return Object.fromEntries(Object.entries(pages).map(([name, page]) => [name, staffPage(context, page)]));
}
