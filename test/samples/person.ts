import type { PlainPage } from '../../src/pages/every-page.ts';
import type { OneButtonPage } from '../../src/pages/person/sign-in-view.ts';
import { englishLayout, openLayout, sampleToken } from './layouts.ts';

export const expired: PlainPage = {
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

export const oneClick: OneButtonPage = {
  layout: { ...openLayout, title: 'Unsubscribe', brand: englishLayout.brand },
  lines: ['With one click you’ll no longer get “New books”.'],
  about: 'a•••@example.org',
  isDone: false,
  numbers: undefined,
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
    'You’ll no longer get “New books”.',
    'You don’t need to do anything else. A message that’s already on its way may still arrive.',
    'Was it a mistake? We’ll email you a link, so that only you can turn it back on.',
  ],
  about: undefined,
  numbers: { reference: 'qT7x-V0a-9LmR', receipts: [] },
  form: {
    action: `/centers/harbour-books/sign-in/fresh?k=${sampleToken}`,
    token: undefined,
    fields: [],
    button: 'Undo',
  },
};
