import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../../src/core/model/problem.ts';
import { emptyCollaborator, emptyTaskDraft } from '../../src/core/model/staff/task-draft.ts';
import { buildCenterPage } from '../../src/features/staff/center.ts';
import { everyDay } from '../../src/features/staff/days.ts';
import { buildHomePage, type HomeInput } from '../../src/features/staff/home.ts';
import { lintCenter } from '../../src/features/staff/lint.ts';
import { latestDays, queries } from '../../src/features/staff/list.ts';
import { buildNoticeList } from '../../src/features/staff/notices.ts';
import { buildStaffLayout, staffPage } from '../../src/features/staff/page.ts';
import { buildSignInPage } from '../../src/features/staff/plain.ts';
import { turnPage, turns } from '../../src/features/staff/task.ts';
import { buildTaskFormPage } from '../../src/features/staff/task-form.ts';
import type { StaffPage } from '../../src/pages/staff-page.ts';
import { readNoticePage } from '../../src/upstream/wire-notices.ts';
import { readTask } from '../../src/upstream/wire-tasks.ts';
import { aCenter, aPurpose } from '../core/center-builder.ts';
import { words } from '../core/page-builder.ts';
import { sampleToken } from './layouts.ts';

const pageContext = {
  member: { id: 'staff-1', name: 'Robin Hart', roles: ['viewer', 'editor', 'auditor'] as const, since: 0 },
  token: sampleToken,
  endsIn: 900,
  continueHref: '/staff/notices',
};

export { pageContext as staffContext };

export const staffLayout = buildStaffLayout(pageContext, {
  title: 'The platform asks us to wait',
  section: 'start',
});

/** Reads a recorded answer of the platform. */
function payload(name: string) {
  return JSON.parse(readFileSync(join(import.meta.dirname, `../payloads/${name}.json`), 'utf8'));
}

const query = queries.notices.parse({});
const notices = readNoticePage(payload('11_privacynotices_list'), query);
const organization = { id: notices.notices[0]?.organizationId ?? '', name: 'Harbour Books' };

const noticeList: StaffPage = staffPage(
  pageContext,
  buildNoticeList({
    page: { ...notices, paging: { ...notices.paging, totalPages: 2, totalElements: 23, last: false } },
    asked: query,
    names: new Map(),
    known: new Map([[organization.id, organization.name]]),
  }),
);

const collaborators = [{ ...emptyCollaborator, id: '05e70000' }];

export const sampleTask = readTask(payload('15_task_information'));

/** Builds a form with mistakes while the platform is busy: of a new task with menus, or of a stored task. */
function taskForm(isNew: boolean): StaffPage {
  const shown = {
    draft: { ...emptyTaskDraft, parentEntityId: 'no id', collaborators },
    mistakes: [{ field: isNew ? 'parentEntityId' : 'taskName', text: 'This cannot be.' }],
    trouble: new Problem('platform-busy', { retryAfter: 30 }),
  };
  const known = {
    people: [{ id: '05e70000', name: 'Mira Sand', type: 'user' }],
    organizations: [organization],
    parents: [
      { label: 'Preference centers', things: [{ id: 'b00c5000', name: 'Harbour Books' }] },
      { label: 'Privacy notices', things: [{ id: '0071ce00', name: 'Cookie notice' }] },
    ],
  } as const;
  const nothing = { people: [], organizations: [], parents: [] };
  const page = isNew
    ? buildTaskFormPage(shown, known)
    : buildTaskFormPage({ ...shown, task: sampleTask }, nothing);
  return staffPage(pageContext, page);
}

/** Builds a center whose names lack languages; with many purposes the page lists only some findings. */
function centerPage(purposes: number, kind = ''): StaffPage {
  const names = [words({}), { entries: [], plain: 'Letter' }];
  const items = Array.from({ length: purposes }, (_, at) =>
    aPurpose(`p${at}`, {
      name: names[at] ?? words({ en: `Letter ${at}` }),
    }),
  );
  const center = aCenter(items, { title: 'Harbour Books', languages: ['en', 'it'] });
  const findings = purposes === 0 ? [] : lintCenter(center, undefined);
  const filter = queries.findings.parse({ kind });
  return staffPage(pageContext, buildCenterPage({ center, centerConfig: undefined, findings, filter }));
}

/** Frames with an empty address, because they would show other pages of the gallery. */
const frames: StaffPage = staffPage(pageContext, {
  title: 'Preview',
  section: 'centers',
  blocks: [
    {
      kind: 'frame',
      id: 'preview',
      title: 'Preview of Harbour Books',
      href: '/assets/none',
      width: 'phone',
      widths: [
        { href: '?width=wide', label: 'Desktop', current: false },
        { href: '?width=phone', label: 'Phone, 375 px', current: true },
      ],
      aloneHref: '?alone=yes',
    },
    {
      kind: 'frames',
      id: 'looks',
      heading: 'How it looks',
      frames: [{ title: 'Dark', look: 'dark', href: '/assets/none' }],
    },
  ],
});

export const noon = Date.parse('2026-11-22T12:00:00Z');
const month = latestDays(noon, 30);

/** A start page without submissions, centers or findings. */
export const quietHome: HomeInput = {
  member: pageContext.member,
  now: noon,
  waiting: { count: 0, oldestAt: undefined },
  failed: 0,
  days: everyDay([], month),
  reasons: [],
  centers: [],
  findings: [],
  platform: { answeredAt: undefined, fault: undefined, paused: [], lastHour: 0, limitedAt: undefined },
  hourlyQuota: undefined,
};

const home: StaffPage = staffPage(
  pageContext,
  buildHomePage({
    ...quietHome,
    waiting: { count: 3, oldestAt: noon - 3_600_000 },
    failed: 1_001,
    days: everyDay(
      Array.from({ length: 20 }, (_, at) => ({
        day: month.to - (at + 1) * 86_400_000,
        submissions: (at * 7) % 23,
        leavings: (at * 3) % 5,
      })),
      month,
    ),
    reasons: [
      { center: '1', id: 'r1', text: 'Too many messages', count: 12 },
      { center: '2', id: undefined, text: '', count: 3 },
    ],
    centers: [
      { id: '1', name: 'Harbour Books' },
      { id: '2', name: 'Alster Bank' },
      { id: '3', name: 'Lindgren University' },
    ],
    findings: [
      { id: '1', name: 'Harbour Books', problems: 2, warnings: 41, notes: 6 },
      { id: '2', name: 'Alster Bank', problems: 0, warnings: 0, notes: 1 },
    ],
    platform: {
      answeredAt: noon - 30_000,
      fault: { code: 'platform-slow', at: noon - 5_000 },
      paused: ['list-notices'],
      lastHour: 1_234,
      limitedAt: undefined,
    },
    hourlyQuota: 200_000,
  }),
);

/** Staff pages that show each kind of block. */
export const staffPages = {
  ordinary: noticeList,
  form: taskForm(true),
  'edit-form': taskForm(false),
  'close-task': staffPage(pageContext, turnPage(turns[0], { task: sampleTask })),
  home,
  'quiet-home': staffPage(pageContext, buildHomePage(quietHome)),
  center: centerPage(23),
  findings: centerPage(23, 'all'),
  'center-without-findings': centerPage(0),
  frames,
  'sign-in': staffPage(
    { ...pageContext, member: undefined },
    buildSignInPage({ singleSignOn: '/staff/sign-in', oneTime: 'command' }, 'closed'),
  ),
} as const;
