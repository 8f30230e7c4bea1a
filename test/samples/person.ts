import type { PlainPage } from '../../src/pages/every-page.ts';
import { englishLayout, openLayout } from './layouts.ts';

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
