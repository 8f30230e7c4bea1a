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
      title: 'Your browser asks for privacy',
      lines: ['It sends the Global Privacy Control signal.'],
      receipt: undefined,
    },
  ],
  objection: {
    action: '/centers/harbour-books/objection',
    label: 'Make this objection permanent',
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

export const record: RecordPage = {
  layout: { ...englishLayout, place: undefined, title: 'My record' },
  intro: 'What was changed, when and how.',
  empty: undefined,
  entries: [
    {
      reference: 'qT7x-V0a-9LmR',
      href: '/centers/harbour-books/results/qT7x-V0a-9LmR',
      at: { iso: '2026-05-17T10:30:00.000Z', text: 'May 17, 2026 at 10:30 AM UTC' },
      channel: 'By a link',
      state: { tone: 'success', text: 'Done' },
      items: [
        { name: shown('New books'), text: 'Switched on.' },
        { name: inEnglish('Magazine'), text: 'It was off already.' },
      ],
      nothing: undefined,
      receipts: ['64a9b83e-3aae-4e9f-9c8b-2f4f5d1f3a10'],
      tags: ['Global Privacy Control'],
    },
    {
      reference: 'aB3x-V0a-1LmR',
      href: '/centers/harbour-books/results/aB3x-V0a-1LmR',
      at: { iso: '2026-05-16T08:00:00.000Z', text: 'May 16, 2026 at 8:00 AM UTC' },
      channel: 'One-click unsubscribe in an e-mail',
      state: { tone: 'info', text: 'Being carried out' },
      items: [{ name: shown('Everything'), text: 'We will switch this off as soon as possible.' }],
      nothing: undefined,
      receipts: [],
      tags: [],
    },
    {
      reference: 'zZ3x-V0a-1LmR',
      href: '/centers/harbour-books/results/zZ3x-V0a-1LmR',
      at: { iso: '2026-05-15T08:00:00.000Z', text: 'May 15, 2026 at 8:00 AM UTC' },
      channel: 'Signed in by e-mail',
      state: { tone: 'problem', text: 'Not saved' },
      items: [],
      nothing: 'It was not changed.',
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
  },
  back: { href: '/centers/harbour-books', label: 'Back to your preferences' },
};

export const emptyRecord: RecordPage = {
  ...record,
  empty: 'Nothing has been changed here yet.',
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
      { name: shown('كتب جديدة'), text: arabic.result.switchedOn },
      { name: inEnglish('Partner offers (UK).'), text: arabic.result.alreadyOff },
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
    action: `/unsubscribe/${sampleToken}`,
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
  layout: { ...oneClick.layout, title: 'You are unsubscribed' },
  isDone: true,
  lines: [
    'You will no longer receive “New books”.',
    'There is nothing else for you to do. A message that was sent before may still arrive.',
    'Was it a mistake? We will send a link to your address, so that only you can switch it on again.',
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
