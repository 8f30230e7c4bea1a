import {
  area,
  cell,
  check,
  checks,
  choice,
  facts,
  form,
  input,
  moment,
  options,
  ownMoment,
  platformMoment,
  select,
  tag,
} from '../../src/features/staff/blocks.ts';
import { everyDay } from '../../src/features/staff/days.ts';
import { buildHomePage } from '../../src/features/staff/home.ts';
import { latestDays, list } from '../../src/features/staff/list.ts';
import { buildStaffLayout, staffPage } from '../../src/features/staff/page.ts';
import { buildSignInPage } from '../../src/features/staff/plain.ts';
import { step } from '../../src/features/staff/submission-timeline.ts';
import { choose, collaboratorRows } from '../../src/features/staff/task-fields.ts';
import { note } from '../../src/pages/layout.ts';
import type { StaffPage } from '../../src/pages/staff-page.ts';
import { books } from '../kit/sandbox-ids.ts';
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

const filter = input({ id: 'name', label: 'Name or id', hint: 'A part of it is enough' });

export const staffList: StaffPage = staffPage(pageContext, {
  title: 'Preference centers',
  section: 'centers',
  lead: ['Open a center to see what is missing or wrong in it.'],
  crumbs: [{ href: '/staff', label: 'Staff' }],
  links: [{ href: '/staff/centers.csv', label: 'Download CSV' }],
  blocks: [
    ...list({
      path: '/staff/centers',
      filter: { status: 'active', size: 20 },
      fields: [
        filter,
        select({ id: 'status', label: 'Status', options: options([['active', 'Active']], 'active') }),
      ],
      paging: { page: 0, size: 20, totalPages: 2, totalElements: 23, first: true, last: false },
      hasSizes: true,
      id: 'centers',
      caption: 'Centers',
      columns: {
        Center: ({ center }) => center,
        Status: ({ status }) => status,
        Published: ({ published }) => published,
      },
      rows: [
        {
          center: cell('Harbour Books', { href: '/staff/centers/1', more: books }),
          status: tag('Active', 'success'),
          published: moment(0),
        },
        {
          center: cell('Alster Bank', {
            folded: { label: 'Ids', pairs: [{ name: 'Version', text: 'ba4c0000' }] },
          }),
          status: tag('Draft', 'warning'),
          published: platformMoment('2026-05-18T14:03:11.000'),
        },
      ],
      empty: 'Nothing fits. Leave out a filter.',
    }),
    ...list({
      path: '/staff/tasks',
      filter: {},
      what: 'tasks',
      id: 'none',
      caption: 'Nothing',
      columns: { A: () => undefined },
      rows: [],
      empty: 'Nothing is here yet: create a task.',
    }),
    {
      kind: 'chart',
      id: 'reasons',
      heading: 'Reasons for leaving',
      label: 'How often each reason was given',
      bars: [{ text: 'Too many messages', count: 3, share: '75' }],
      links: [{ href: '/staff/reasons', label: 'All reasons' }],
    },
  ],
});

export const staffForm: StaffPage = staffPage(pageContext, {
  title: 'New task',
  section: 'tasks',
  mistakes: [{ field: 'taskName', text: 'Name: at most 512' }],
  notes: [note('warning', 'Not created', 'The platform asks to wait.')],
  blocks: [
    facts('facts', 'Facts', [
      ['Status', tag('Open', 'neutral')],
      ['Deadline', undefined],
      ['Description', 'What to know before beginning, and after that a few words more than these.'],
    ]),
    form({
      id: 'task',
      heading: 'Task',
      about: 'All fields that the platform takes.',
      action: '/staff/tasks',
      fields: [
        { kind: 'part', title: 'What is to be done' },
        input({ id: 'taskName', label: 'Name', mistake: 'At most 512 characters', value: 'A name' }),
        area({ id: 'description', label: 'Description' }),
        check({ id: 'isActive', label: 'Active', checked: true }),
        { kind: 'hidden', name: 'once', value: 'x' },
        checks({
          type: 'checkbox',
          id: 'purposes',
          name: 'purpose',
          label: 'Purposes',
          choices: [choice('p-1', '1', 'News', false)],
        }),
        {
          kind: 'rows',
          id: 'collaborators',
          legend: 'Collaborators',
          hint: 'Each by id or by e-mail',
          rows: [{ legend: 'Collaborator 1', fields: [input({ id: 'c-1', label: 'Id' })] }],
          add: { name: 'add', value: 'collaborator', label: 'Add a collaborator', tone: 'ordinary' },
        },
      ],
      buttons: [{ name: 'do', value: 'create', label: 'Create the task', tone: 'primary' }],
      links: [{ href: '/staff/tasks', label: 'Leave without saving' }],
    }),
  ],
});

export const staffWork: StaffPage = staffPage(pageContext, {
  title: 'Harbour Books',
  section: 'centers',
  blocks: [
    {
      kind: 'findings',
      id: 'findings',
      heading: 'Findings',
      about: 'The gravest 60.',
      groups: [
        {
          weight: { text: 'Problem', tone: 'problem' },
          title: 'Empty text',
          language: 'Italiano (it)',
          count: 21,
          advice: 'Write it, or remove the language from this item.',
          items: [
            { where: 'Purpose “News”', what: 'The text is empty in this language.' },
            { where: 'Purpose “Offers”', what: undefined },
          ],
          all: { href: '?kind=empty-label', label: 'All 21 of them' },
        },
      ],
      links: [{ href: '/staff/centers/1/findings.csv', label: 'Download CSV' }],
    },
    {
      kind: 'findings',
      id: 'no-findings',
      groups: [],
      links: [],
    },
    {
      kind: 'timeline',
      id: 'timeline',
      heading: 'What happened',
      steps: [
        step('Submitted', [moment(0)], { tone: 'success', lines: ['Link in a message'] }),
        step('2 tries: refused', [moment(2_000)], {
          tone: 'problem',
          folded: { label: 'All 2', at: [moment(1_000), moment(2_000)] },
        }),
        step('Undone', [], { href: '/staff/submissions/x' }),
        step('Next try', [moment(9_000)], { tone: 'warning', lines: ['2 tries so far'] }),
      ],
    },
    { kind: 'timeline', id: 'no-timeline', steps: [] },
    {
      kind: 'frame',
      id: 'preview',
      title: 'Preview of Harbour Books',
      // A picture stands for the page, which would be another one in the gallery.
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
    {
      kind: 'folded',
      id: 'more',
      label: 'About this center',
      blocks: [facts('about', undefined, [['Id', books]])],
    },
  ],
});

/** A menu of what is known, and what is typed; a deadline in the reader's zone. */
export const staffChoices: StaffPage = staffPage(pageContext, {
  title: 'Edit the task',
  section: 'tasks',
  blocks: [
    facts('main', undefined, [['Deadline', ownMoment('2027-04-30T18:00:00Z')]]),
    form({
      id: 'task',
      action: '/staff/tasks/new',
      fields: [
        ...choose({
          field: input({
            id: 'parentEntityId',
            label: 'Parent record',
            required: 'required',
            mistake: 'No id',
          }),
          nothing: 'Choose what the task belongs to',
          other: 'Another record, by its id',
          groups: [
            { label: 'Preference centers', things: [{ id: 'b00c5000', name: 'Harbour Books' }] },
            { label: 'Privacy notices', things: [{ id: '0071ce00', name: 'Cookie notice' }] },
          ],
        }),
        collaboratorRows(
          [{ type: 'user', id: '05e70000', email: '' }],
          [{ id: '05e70000', name: 'Mira Sand', type: 'user' }],
        ),
      ],
      buttons: [{ name: 'action', value: 'save', label: 'Save the task', tone: 'primary' }],
    }),
  ],
});

const noon = Date.parse('2026-11-22T12:00:00Z');
const month = latestDays(noon, 30);

export const staffHome: StaffPage = staffPage(
  pageContext,
  buildHomePage({
    member: pageContext.member,
    now: noon,
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

export const staffQuietHome: StaffPage = staffPage(
  pageContext,
  buildHomePage({
    member: pageContext.member,
    now: noon,
    waiting: { count: 0, oldestAt: undefined },
    failed: 0,
    days: everyDay([], month),
    reasons: [],
    centers: [],
    findings: [],
    platform: {
      answeredAt: undefined,
      fault: undefined,
      paused: [],
      lastHour: 0,
      limitedAt: undefined,
    },
    hourlyQuota: undefined,
  }),
);

export const staffSignIn: StaffPage = staffPage(
  { ...pageContext, member: undefined },
  buildSignInPage({ singleSignOn: '/staff/sign-in', oneTime: 'command' }, 'closed'),
);
