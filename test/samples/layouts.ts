import { messagesFor } from '../../src/i18n/catalogue.ts';
import type { LocalizedText } from '../../src/i18n/language.ts';
import { type Layout, plainBrand } from '../../src/pages/layout.ts';

/** A text in the page's own language. */
export function shown(text: string): LocalizedText {
  return { text, lang: undefined, dir: undefined };
}

/** A fallback text in English on a page in another language. */
export function inEnglish(text: string): LocalizedText {
  return { text, lang: 'en', dir: 'ltr' };
}

const token = 'k1.Zm9yIHRoZSBzYW1wbGVz.c2VhbGVkIGFuZCBzaWduZWQ';

export const sampleToken = token;

/** A person in an English page of three tabs. */
export const englishLayout: Layout = {
  lang: 'en',
  dir: 'ltr',
  title: 'Your preferences',
  place: 'News',
  brand: plainBrand('Harbour Books'),
  who: 'a•••@example.org',
  navigation: [
    { label: shown('News'), href: '/centers/harbour-books/news', current: true },
    { label: shown('Offers'), href: '/centers/harbour-books/offers', current: false },
    { label: shown('Profile'), href: '/centers/harbour-books/profile', current: false },
  ],
  languages: [
    { lang: 'en', name: 'English', dir: 'ltr', href: '?lang=en', current: true },
    { lang: 'fr', name: 'Français', dir: 'ltr', href: '?lang=fr', current: false },
    { lang: 'de', name: 'Deutsch', dir: 'ltr', href: '?lang=de', current: false },
    { lang: 'ar', name: 'العربية', dir: 'rtl', href: '?lang=ar', current: false },
  ],
  search: undefined,
  signOut: { action: '/centers/harbour-books/sign-out', label: 'Sign out', token },
  record: { href: '/centers/harbour-books/record', label: 'My record' },
  everywhereHref: '/centers/harbour-books/devices',
  brandLinks: { header: [], footer: [] },
  frame: 'top',
  hosts: undefined,
  showsBrand: true,
  showsTitle: true,
  hasOwnGround: false,
  messages: messagesFor('en'),
  languageLabel: 'Language',
  colon: ': ',
  session: {
    endsIn: 1800,
    warnBefore: 120,
    title: 'Are you still there?',
    description:
      'For your safety you will be logged out in two minutes. What you changed and did not save is lost.',
    continueLabel: 'Continue',
    leaveLabel: 'Sign out',
    continueHref: '/centers/harbour-books/news',
    ending: { href: '/centers/harbour-books/session-ending', seconds: 1680 },
  },
};

/** The same person in Arabic, right to left. */
export const arabicLayout: Layout = {
  ...englishLayout,
  lang: 'ar',
  dir: 'rtl',
  title: 'اختياراتك',
  place: 'أخبار',
  brand: { ...englishLayout.brand, name: 'مكتبة الميناء' },
  navigation: [
    { label: shown('أخبار'), href: '/centers/harbour-books/news', current: true },
    { label: shown('عروض'), href: '/centers/harbour-books/offers', current: false },
    { label: inEnglish('Profile'), href: '/centers/harbour-books/profile', current: false },
  ],
  languages: englishLayout.languages.map((language) => ({ ...language, current: language.lang === 'ar' })),
  search: undefined,
  signOut: { action: '/centers/harbour-books/sign-out', label: 'خروج', token },
  record: { href: '/centers/harbour-books/record', label: 'سجلّي' },
  messages: messagesFor('ar'),
  languageLabel: 'اللغة',
  session: undefined,
};

/** Nobody is signed in. */
export const openLayout: Layout = {
  ...englishLayout,
  title: 'Sayso',
  place: undefined,
  brand: { ...englishLayout.brand, name: 'Sayso' },
  who: undefined,
  navigation: [],
  search: undefined,
  signOut: undefined,
  record: undefined,
  everywhereHref: undefined,
  session: undefined,
};
