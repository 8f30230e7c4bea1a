import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalEntry } from '../../src/core/model/journal-entry.ts';
import type { SubjectId } from '../../src/core/model/subject.ts';
import { buildAuditPage } from '../../src/pages/staff/audit.ts';
import type { StaffPage } from '../../src/pages/staff/every-page.ts';
import type { StaffPageContext } from '../../src/pages/staff/layout.ts';
import { buildNoticePage } from '../../src/pages/staff/notices.ts';
import { buildSubmissionList, type SubmissionFilter } from '../../src/pages/staff/submission-list.ts';
import { buildTaskPage } from '../../src/pages/staff/tasks.ts';
import { buildWithdrawPage } from '../../src/pages/staff/withdraw.ts';
import { readTask } from '../../src/upstream/wire-tasks.ts';
import { sampleToken } from './layouts.ts';

const noon = Date.parse('2026-11-22T12:00:00Z');
const books = 'b00c5000-0000-4000-8000-000000000001';
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
  repeats: undefined,
  saidAgainAt: undefined,
  receipts: ['64a9b83e-3aae-4e9f-9c8b-2f4f5d1f3a10'],
  work: undefined,
  evidence: { items: [], linkMadeBy: { id: 'staff-7', name: 'Mira Sand' } },
};

export const unfiltered: SubmissionFilter = {
  state: undefined,
  center: '',
  within: '',
  withdraws: false,
  page: 0,
  fromDay: '',
  toDay: '',
  from: undefined,
  to: undefined,
};

export function submissionList(context: StaffPageContext, filter: Partial<SubmissionFilter>): StaffPage {
  return buildSubmissionList(context, {
    entries: [entry, { ...entry, everything: false, state: 'failed', channel: 'staff-link' }],
    hasMore: true,
    counts: [{ state: 'pending', count: 3, oldestAt: noon }],
    centers,
    filter: { ...unfiltered, ...filter },
    sought: '',
  });
}

const version = {
  id: '0071ce00-0000-4001-8000-000000003002',
  version: 2,
  status: 'retired',
  publishedDate: '2026-04-23T11:34:00Z',
  name: 'Archive notice 2023',
} as const;

const payload = readFileSync(join(import.meta.dirname, '../payloads/15_task_information.json'), 'utf8');

/** What the staff work with, page by page. */
export function workPages(context: StaffPageContext): Readonly<Record<string, StaffPage>> {
  return {
    submissions: submissionList(context, {}),
    'submissions-filtered': submissionList(context, { center: books, withdraws: true }),
    audit: buildAuditPage(context, {
      lines: (['done', 'corrected', 'failed'] as const).map((outcome) => ({
        at: noon,
        staff: 'staff-1',
        name: 'Robin Hart',
        does: 'looked up what a person could withdraw',
        about: outcome === 'done' ? undefined : `${books} person goNwRUBGZAwW`,
        outcome,
      })),
      total: 120,
      size: 50,
      filter: { ...unfiltered, staff: '', text: '', page: 1 },
    }),
    task: buildTaskPage(context, {
      task: readTask(JSON.parse(payload)),
      was: 'saved',
      differs: ['Deadline'],
      parentName: 'Harbour Books',
      known: new Map(),
    }),
    withdraw: buildWithdrawPage(context, {
      subject: 'jonas@example.org' as SubjectId,
      center: undefined,
      centerName: 'Harbour Books',
      record: {
        id: 'jonas@example.org' as SubjectId,
        language: undefined,
        purposes: ['The Harbour Letter', 'Tell me when my preferences change'].map((label, at) => ({
          purpose: `b00c5000-0000-4000-8000-00000000001${at}`,
          label,
          status: 'active',
          topics: [],
          preferences: [],
        })),
        dataElements: {},
      },
      person: sampleToken,
      token: sampleToken,
      typed: { what: 'some', purposes: [], reason: '' },
      mistakes: [
        { field: 'what', text: 'Choose what to withdraw.' },
        { field: 'reason', text: 'Give the reason.' },
      ],
    }),
    notice: buildNoticePage(context, {
      id: '0071ce00-0000-4001-8000-000000003000',
      versions: {
        versions: [
          {
            ...version,
            publishedBy: undefined,
            languages: [{ code: 'en', guid: undefined, isDefault: true }],
          },
        ],
        paging: { page: 0, size: 20, totalPages: 1, totalElements: 1, first: true, last: true },
      },
      asked: { page: 0, size: 20 },
      current: {
        id: '0071ce00-0000-4001-8000-000000003000',
        createdDate: '2026-01-15T11:00:00.000',
        lastPublishedDate: '2026-04-23T11:34:00.000',
        organizationId: '0f610000-0000-4000-8000-000000000001',
        responsibleUserId: undefined,
        version,
      },
      question: { date: '', time: '', count: 'through' },
      read: { kind: 'none' },
      answer: undefined,
      known: new Map(),
    }),
  };
}
