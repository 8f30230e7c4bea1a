import { messagesFor } from '../../src/i18n/catalogue.ts';
import { fill } from '../../src/i18n/fill.ts';
import type { PreferencePage } from '../../src/pages/person/preferences-view.ts';
import type { ExpiredPage, RecordPage } from '../../src/pages/person/record-view.ts';
import type { OneButtonPage } from '../../src/pages/person/sign-in-view.ts';
import { arabicLayout, englishLayout, inEnglish, openLayout, sampleToken, shown } from './layouts.ts';
import { cards } from './preferences.ts';

export const objecting: PreferencePage = {
  ...cards,
  notes: [
    {
      tone: 'info',
      title: 'Your browser’s privacy signal is on (GPC)',
      lines: ['It sends the Global Privacy Control signal.'],
      receipt: undefined,
    },
  ],
  objection: {
    action: '/centers/harbour-books/objection',
    label: 'Keep it off everywhere',
    token: sampleToken,
  },
};

export const expired: ExpiredPage = {
  layout: {
    ...openLayout,
    title: 'Your session has ended',
    brand: englishLayout.brand,
    frame: 'embedded',
    hosts: 'https://shop.example https://www.shop.example',
  },
  lines: [
    'This view has expired. Please reload the page.',
    'For your safety, signing in opens in a new window.',
  ],
  links: [{ href: '/centers/harbour-books/sign-in', label: 'Open in a new window' }],
};

const plainItem = { move: undefined, choices: [], today: undefined };

export const record: RecordPage = {
  layout: { ...englishLayout, place: undefined, title: 'My record' },
  intro: 'What changed, when and how.',
  empty: undefined,
  entries: [
    {
      reference: 'qT7x-V0a-9LmR',
      href: '/centers/harbour-books/results/qT7x-V0a-9LmR',
      at: { iso: '2026-05-17T10:30:00.000Z', text: 'May 17, 2026 at 10:30 AM UTC' },
      channel: 'By a link',
      state: { tone: 'success', text: 'Done' },
      items: [
        {
          name: shown('New books'),
          text: 'Turned on.',
          move: { from: 'Off', to: 'On' },
          choices: [{ name: shown('How often: Weekly'), to: 'On' }],
          today: 'Today this is called “Books, and more”.',
        },
        { ...plainItem, name: inEnglish('Magazine'), text: 'It was already off.' },
      ],
      nothing: undefined,
      receipts: ['64a9b83e-3aae-4e9f-9c8b-2f4f5d1f3a10'],
      tags: [{ text: 'Global Privacy Control', href: undefined }],
    },
    {
      reference: 'aB3x-V0a-1LmR',
      href: '/centers/harbour-books/results/aB3x-V0a-1LmR',
      at: { iso: '2026-05-16T08:00:00.000Z', text: 'May 16, 2026 at 8:00 AM UTC' },
      channel: 'One-click unsubscribe in an email',
      state: { tone: 'info', text: 'Being saved' },
      items: [
        { ...plainItem, name: shown('All choices'), text: 'We will switch this off as soon as possible.' },
      ],
      nothing: undefined,
      receipts: [],
      tags: [],
    },
    {
      reference: 'zZ3x-V0a-1LmR',
      href: '/centers/harbour-books/results/zZ3x-V0a-1LmR',
      at: { iso: '2026-05-15T08:00:00.000Z', text: 'May 15, 2026 at 8:00 AM UTC' },
      channel: 'Signed in by email',
      state: { tone: 'problem', text: 'Not saved' },
      items: [],
      nothing: 'It wasn’t changed.',
      receipts: [],
      tags: [],
    },
  ],
  words: { how: 'How', receipt: 'Receipt', reference: 'Reference', details: 'Details' },
  pager: {
    text: 'Page 2 of 3',
    newer: { href: '/centers/harbour-books/record', label: 'Newer' },
    older: { href: '/centers/harbour-books/record?page=3', label: 'Older' },
  },
  download: {
    files: [{ href: '/centers/harbour-books/record.json', label: 'Download a signed copy' }],
    hint: 'A file that proves what you chose and when.',
    verify: { href: '/verify?lang=en', label: 'Check a signed copy', opensOutside: false },
  },
  back: { href: '/centers/harbour-books', label: 'Back to your preferences' },
};

export const emptyRecord: RecordPage = {
  ...record,
  empty: 'Nothing has changed here yet.',
  entries: [],
  pager: undefined,
  download: undefined,
};

const arabic = messagesFor('ar');

export const arabicRecord: RecordPage = {
  ...record,
  layout: { ...arabicLayout, place: undefined, title: arabic.record.title },
  intro: arabic.record.intro,
  entries: record.entries.slice(0, 1).map((entry) => ({
    ...entry,
    at: { ...entry.at, text: '17 مايو 2026 في 10:30 ص UTC' },
    channel: arabic.record.channels.oneClick,
    state: { tone: 'success', text: arabic.record.done },
    items: [
      { ...plainItem, name: shown('كتب جديدة'), text: arabic.result.switchedOn },
      { ...plainItem, name: inEnglish('Partner offers (UK).'), text: arabic.result.alreadyOff },
    ],
  })),
  words: {
    how: arabic.record.how,
    receipt: arabic.result.receipt,
    reference: arabic.page.reference,
    details: arabic.result.details,
  },
  pager: record.pager && {
    text: fill(arabic.record.page, { page: 3, pages: 3 }),
    newer: { href: '/centers/harbour-books/record?page=2', label: arabic.record.newer },
    older: undefined,
  },
  download: {
    files: [1, 2].map((part) => ({
      href: `/centers/harbour-books/record.json?part=${part}`,
      label: `${arabic.record.download} (${part}/2)`,
    })),
    hint: arabic.record.downloadHint,
    verify: { href: '/verify?lang=ar', label: arabic.verify.title, opensOutside: false },
  },
  back: { ...record.back, label: arabic.page.back },
};

export const oneClick: OneButtonPage = {
  layout: { ...openLayout, title: 'Unsubscribe', brand: englishLayout.brand },
  lines: ['With one click you will no longer receive “New books”.'],
  about: 'a•••@example.org',
  isDone: false,
  details: undefined,
  form: {
    action: `/u/${sampleToken}`,
    token: sampleToken,
    fields: [{ name: 'List-Unsubscribe', value: 'One-Click' }],
    button: 'Unsubscribe',
  },
  links: [{ href: '/centers/harbour-books/sign-in', label: 'Manage your preferences' }],
  others: [],
  opensOutside: false,
  refresh: undefined,
};

export const oneClickDone: OneButtonPage = {
  ...oneClick,
  layout: { ...oneClick.layout, title: 'You’re unsubscribed' },
  isDone: true,
  lines: [
    'You will no longer receive “New books”.',
    'You don’t need to do anything else. A message that’s already on its way may still arrive.',
    'Was it a mistake? We’ll email you a link, so that only you can turn it back on.',
  ],
  about: undefined,
  details: { label: 'Details', ids: [{ label: 'Reference', value: 'qT7x-V0a-9LmR' }] },
  form: {
    action: `/centers/harbour-books/sign-in/fresh?k=${sampleToken}`,
    token: undefined,
    fields: [],
    button: 'Undo',
  },
};
