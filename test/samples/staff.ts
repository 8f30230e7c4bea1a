import {
  area,
  cell,
  check,
  facts,
  input,
  moment,
  options,
  platformMoment,
  select,
  staffPage,
  table,
  tag,
} from '../../src/pages/staff/blocks.ts';
import type { PreviewPage, StaffPage } from '../../src/pages/staff/every-page.ts';
import { buildStaffLayout } from '../../src/pages/staff/layout.ts';
import { sampleToken } from './layouts.ts';
import { cards } from './preferences.ts';

const pageContext = {
  member: { id: 'staff-1', name: 'Robin Hart', roles: ['viewer', 'editor', 'auditor'] as const, since: 0 },
  signOutToken: sampleToken,
  endsIn: 900,
  continueHref: '/staff/notices',
};

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
  links: [{ href: '/staff/centers.csv', label: 'As CSV' }],
  blocks: [
    {
      kind: 'get-form',
      id: 'filter',
      heading: undefined,
      about: undefined,
      action: '/staff/centers',
      token: '',
      layout: 'line',
      fields: [
        filter,
        select({ id: 'status', label: 'Status', options: options([['active', 'Active']], 'active') }),
      ],
      buttons: [{ name: 'show', value: 'yes', label: 'Show', tone: 'ordinary' }],
      links: [],
    },
    table({
      id: 'centers',
      caption: 'Centers',
      columns: ['Center', 'Status', 'Published'],
      rows: [
        [
          cell('Harbour Books', { href: '/staff/centers/1', more: 'b00c5000-0000-4000-8000-000000000001' }),
          tag('Active', 'success'),
          moment(0),
        ],
        [
          cell('Alster Bank', { folded: { label: 'Ids', pairs: [{ name: 'Version', text: 'ba4c0000' }] } }),
          tag('Draft', 'warning'),
          platformMoment('2026-05-18T14:03:11.000'),
        ],
      ],
      empty: 'Nothing fits. Leave out a filter.',
      pager: {
        label: 'Pages',
        text: 'Page 1 of 2',
        first: undefined,
        previous: undefined,
        next: { href: '?page=2', label: 'Next' },
        last: undefined,
        sizes: [
          { href: '?size=20', label: '20', current: true },
          { href: '?size=50', label: '50', current: false },
        ],
      },
    }),
    table({
      id: 'none',
      caption: 'Nothing',
      columns: ['A'],
      rows: [],
      empty: 'Nothing is here yet: create a task.',
    }),
    {
      kind: 'chart',
      id: 'reasons',
      heading: 'Reasons for leaving',
      about: undefined,
      label: 'How often each reason was given',
      bars: [{ text: 'Too many messages', count: 3, share: '75 %' }],
    },
    { kind: 'cards', cards: [{ href: '/staff/tasks', label: 'Tasks', text: 'Create, open, close.' }] },
  ],
});

export const staffForm: StaffPage = staffPage(pageContext, {
  title: 'New task',
  section: 'tasks',
  mistakes: {
    title: 'One thing needs your attention',
    items: [{ href: '#taskName', text: 'Name: at most 512' }],
  },
  notes: [
    { tone: 'warning', title: 'Not created', lines: ['The platform asks to wait.'], receipt: undefined },
  ],
  blocks: [
    facts('facts', 'Facts', [
      ['Status', tag('Open', 'neutral')],
      ['Deadline', undefined],
      [
        'Description',
        'Everything that somebody has to know before beginning, and after that a few words more than these.',
      ],
    ]),
    {
      kind: 'post-form',
      id: 'task',
      heading: 'Task',
      about: 'Everything that the interface takes.',
      action: '/staff/tasks',
      token: sampleToken,
      layout: 'page',
      fields: [
        { kind: 'part', title: 'What is to be done' },
        input({ id: 'taskName', label: 'Name', mistake: 'At most 512 characters', value: 'A name' }),
        area({ id: 'description', label: 'Description' }),
        check({ id: 'isActive', label: 'Active', checked: true }),
        { kind: 'hidden', name: 'once', value: 'x' },
        {
          kind: 'checks',
          id: 'purposes',
          name: 'purpose',
          label: 'Purposes',
          hint: undefined,
          mistake: undefined,
          type: 'checkbox',
          choices: [{ id: 'p-1', value: '1', label: 'News', about: 'Since May', checked: false }],
        },
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
    },
  ],
});

export const preview: PreviewPage = { ...cards, form: undefined };
