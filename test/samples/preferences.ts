import type {
  Center,
  Item,
  Preference,
  SafeHtml,
  Section,
  Text,
} from '../../src/core/model/center/center.ts';
import type { ConsentRecord, RecordedStatus, Subject } from '../../src/core/model/person/subject.ts';
import { noIntent } from '../../src/core/model/submission/intent.ts';
import { catalogues } from '../../src/i18n/catalogue.ts';
import { buildPreferencePage, type PreferencePageInput } from '../../src/pages/person/preferences.ts';
import { buildUnsubscribePage } from '../../src/pages/person/unsubscribe.ts';
import { aCenter, anElement, aPreference, aPurpose, offered } from '../core/center-builder.ts';
import { aRecord, aSubject } from '../core/page-builder.ts';
import { framedContext, openContext, sampleHome, sampleToken, signedInContext } from './layouts.ts';

/** Builds a text in English and, if it is supplied, in Arabic. */
export function textOf<T extends string = string>(english: string, arabic?: string): Text<T> {
  const texts = Object.entries({ en: english, ar: arabic });
  const entries = texts.flatMap(([language, text]) =>
    text === undefined ? [] : [{ language, text: text as T, isDefault: language === 'en' }],
  );
  return { entries, plain: undefined };
}

const html = (english: string, arabic?: string) => textOf<SafeHtml>(english, arabic);
type Named = string | readonly [english: string, arabic: string];
const named = (name: Named) => (typeof name === 'string' ? textOf(name) : textOf(...name));
const listed = (ids: string, names: readonly Named[]) =>
  names.map((name, at) => ({ id: `${ids}-${at}`, name: named(name), isDefault: false }));

type PurposeChange = Parameters<typeof aPurpose>[1];
function purpose(id: string, name: Named, about: Named | undefined, change: PurposeChange = {}): Item {
  const description = about === undefined ? {} : { description: named(about) as Text<SafeHtml> };
  return aPurpose(id, { name: named(name), ...description, ...change });
}

/** Builds a preference: a single choice by buttons, unless `change` says otherwise. */
function preference(
  id: string,
  name: Named,
  options: readonly Named[],
  change: Partial<Preference> = {},
): Preference {
  const chosen = { choice: 'single', display: 'buttons', options: listed(id, options) } as const;
  return aPreference(id, [], { name: named(name), ...chosen, ...change });
}

function section(id: string, name: Named | undefined, items: readonly Item[]): Section {
  const heading = name === undefined ? undefined : named(name);
  return { id, kind: 'ordinary', name: heading, description: undefined, items };
}

/** Builds a consent on record, with topics and options by their numbers. */
function consent(
  id: string,
  topics: readonly number[] = [],
  options: Readonly<Record<string, readonly number[]>> = {},
  status: RecordedStatus = 'active',
): ConsentRecord {
  return aRecord(id, {
    status,
    topics: topics.map((at) => `${id}-${at}`),
    preferences: Object.entries(options).map(([preference, chosen]) => ({
      id: preference,
      options: chosen.map((at) => `${preference}-${at}`),
    })),
  });
}

const often = preference(
  'often',
  ['How often', 'كم مرة'],
  [
    ['Weekly', 'أسبوعيًا'],
    ['Monthly', 'شهريًا'],
    ['Every season', 'كل فصل'],
  ],
);
const topics: readonly Named[] = [
  ['Crime', 'جريمة'],
  ['Poetry', 'شعر'],
  ['Cooking', 'طبخ'],
  ['Travel', 'سفر'],
  'Children',
  'History',
];
const books = purpose(
  'books',
  ['New books', 'كتب جديدة'],
  ['<p>A letter about what has just arrived.</p>', '<p>رسالة عمّا وصل حديثًا.</p>'],
  { topics: listed('books', topics), preferences: [often] },
);
const first = anElement('first', { label: 'First name', name: textOf('First name') });
const phone = anElement('phone', { label: 'Phone', type: 'phone', required: true });

const profile: Section = {
  ...section(
    's-profile',
    ['About you', 'عنك'],
    [
      anElement('e-mail', {
        label: 'E-mail',
        name: textOf('E-mail', 'البريد الإلكتروني'),
        type: 'email',
        readOnly: true,
      }),
      first,
      anElement('born', { label: 'Date of birth', type: 'date' }),
      anElement('country', {
        label: 'Country',
        type: 'country',
        display: 'dropdown',
        options: offered('NL', 'FR'),
      }),
      phone,
      anElement('size', { label: 'Shoe size', type: 'number' }),
    ],
  ),
  kind: 'profile',
};

const anna = aSubject({
  language: 'en',
  purposes: [
    consent('books', [0, 3], { often: [1] }),
    consent('partners', [], {}, 'pending'),
    consent('orders', [], {}, 'always-active'),
  ],
  dataElements: {
    'E-mail': 'anna@example.org',
    'First name': 'Anna',
    'Date of birth': '1984-05-17',
    Country: 'NL',
    Phone: '+31 20 123 4567',
    'Shoe size': '38',
  },
});

interface Shown extends Partial<Omit<PreferencePageInput, 'center'>> {
  readonly sections: readonly Section[];
  readonly center?: Partial<Center>;
  readonly buttons?: { readonly subscribeAll?: boolean; readonly unsubscribeAll?: boolean };
  /** Names of further pages, beside the page of these sections. */
  readonly otherPages?: readonly Named[];
}

const pageName: Named = ['News', 'أخبار'];
const otherPages: readonly Named[] = [['Offers', 'عروض'], 'Profile'];

/** Builds the preference page of a center with these sections. */
function build(language: string, { sections, center, buttons, otherPages = [], ...change }: Shown) {
  const about = { navigation: true, subscribeAll: false, unsubscribeAll: true };
  const others = otherPages.map((name, at) => ({
    id: `other-${at}`,
    name: named(name),
    ...about,
    sections: [],
  }));
  const built = buildPreferencePage({
    pageContext: signedInContext,
    center: aCenter([], {
      title: 'Your preferences',
      labelSets: { en: { title: 'Your preferences' }, ar: { title: 'اختياراتك' } },
      languages: Object.keys(catalogues),
      defaultLanguage: 'en',
      welcome: html(
        '<p>Tell us what you would like to hear from Harbour Books, and how. You can change your mind at any time.</p>',
        '<p>أخبرنا بما تودّ أن يصلك منا، وكيف. يمكنك تغيير رأيك في أي وقت.</p>',
      ),
      pages: [{ id: 'news', name: named(pageName), ...about, ...buttons, sections }, ...others],
      ...center,
    }),
    page: undefined,
    subject: anna,
    language,
    scope: 'manage',
    action: `${sampleHome}/news`,
    unsubscribeHref: `${sampleHome}/unsubscribe`,
    ...change,
  });
  if (built === undefined) throw new Error('the fixture has no page');
  const { page } = built;
  return { ...page, form: { ...page.form, token: sampleToken } };
}

const sections: readonly Section[] = [
  section(
    's-news',
    ['What you hear about', 'ما يصلك'],
    [
      books,
      purpose(
        'events',
        ['Events near you', 'فعاليات قريبة منك'],
        ['<p>Readings and signings in your city.</p>', '<p>قراءات وتوقيعات في مدينتك.</p>'],
        {
          preferences: [
            preference('reach', 'How to reach you', ['E-mail', 'Text message', 'Post'], {
              choice: 'multiple',
              display: 'checkboxes',
            }),
          ],
        },
      ),
      purpose('partners', 'Partner offers', '<p>Offers from publishers we work with.</p>'),
      purpose('orders', 'Order messages', '<p>Invoices and deliveries. These are part of every order.</p>'),
    ],
  ),
  profile,
];

/** A page with each display, each state, a text block, a notification purpose and buttons for all. */
const all: Shown = {
  sections: [
    {
      ...section('s-all', 'Every kind of choice', [
        {
          kind: 'text',
          id: 'rarely',
          html: html(
            '<p>We write <strong>rarely</strong>, and only about what you chose. Read our <a href="https://example.org/privacy">privacy notice</a>.</p><ul><li>No tracking pixels</li><li>No resale</li></ul>',
          ),
        },
        purpose(
          'magazine',
          'Magazine',
          '<p>Our magazine, with <a href="https://example.org/sample">a sample</a> to look at.</p>',
          {
            preferences: [
              preference('edition', 'Edition', ['North', 'South', 'Islands'], {
                description: html('<p>Each edition has its own pages.</p>'),
                display: 'radio-buttons',
                required: true,
              }),
              preference('paper', 'Paper', ['None', 'Glossy', 'Plain'], {
                description: html('<p>Both are recycled.</p>'),
                display: 'dropdown',
              }),
              preference('parts', 'Supplements', ['Crosswords', 'Children', 'Garden', 'Maps'], {
                choice: 'multiple',
              }),
              preference('channels', 'Channels', ['E-mail', 'Text message', 'Post', 'Telephone'], {
                choice: 'multiple',
                display: 'checkboxes',
              }),
              preference('hours', 'Several', ['Morning', 'Noon', 'Evening'], {
                choice: 'multiple',
                display: 'dropdown',
              }),
            ],
          },
        ),
        purpose('samples', 'Samples', '<p>Small books by post.</p>', { onByDefault: true }),
        purpose('old', 'Old letter', '<p>Your consent to this ended.</p>'),
        purpose('ending', 'Ending letter', '<p>Your consent to this ends soon.</p>', {
          lifeSpan: 63_072_000,
        }),
        purpose('calls', 'Calls', '<p>We will not call you.</p>', {
          hardOptOutMessage: textOf('You asked us never to call. Write to us if that has changed.'),
        }),
        purpose(
          'long',
          'A purpose with a name that goes on and on, as names do when a committee has had its say',
          undefined,
        ),
      ]),
      description: html('<p>This page shows every control that a center can ask for.</p>'),
    },
    profile,
    {
      ...section('s-notify', 'Notices', [
        purpose('terms', 'Changes of our terms', '<p>We tell you when our terms change.</p>', {
          kind: 'notification',
        }),
      ]),
      kind: 'notification',
    },
  ],
  subject: {
    ...anna,
    language: 'ar',
    purposes: [
      consent('magazine', [], { edition: [2], paper: [1], parts: [0, 2], channels: [1], hours: [1] }),
      consent('old', [], {}, 'expired'),
      consent('ending'),
      consent('calls', [], {}, 'hard-opt-out'),
      consent('terms'),
    ],
  },
  ends: new Map([['ending', { at: Date.UTC(2028, 2, 3), isSoon: true }]]),
  draft: { ...noIntent, language: 'en' },
  buttons: { subscribeAll: true },
};

const typed: Subject = { ...anna, dataElements: { Phone: '+31 20 123 4567', 'First name': 'Ann' } };

/** A page that asks the visitor to correct the form. */
const mistaken: Shown = {
  sections: [
    section('s-news', 'What you hear about', [
      purpose('books', 'New books', '<p>A letter about what has just arrived.</p>', {
        preferences: [
          { ...often, required: true },
          preference('paper', 'Paper', ['None', 'Glossy'], { display: 'dropdown', required: true }),
        ],
      }),
    ]),
    { ...profile, items: [first, phone] },
  ],
  subject: { ...typed, purposes: [consent('books')] },
  draft: {
    ...noIntent,
    dataElements: [
      { element: 'first', label: 'First name', value: 'Anna' },
      { element: 'phone', label: 'Phone', value: 'call me' },
    ],
  },
  mistakes: [
    { field: 'option.books.often', kind: 'choice-required' },
    { field: 'option.books.paper', kind: 'choice-required' },
    { field: 'element.phone', kind: 'phone' },
  ],
};

const kinds = ['Letters', 'Events', 'Offers', 'Partners'];
const numbers = Array.from({ length: 14 }, (_, index) => index + 1);
const manySections = kinds.map((kind, at) =>
  section(
    `s-many-${at}`,
    kind,
    numbers.map((number) =>
      purpose(`${kind}-${number}`, `${kind} ${number}`, `<p>What is number ${number} of its kind.</p>`),
    ),
  ),
);

/** A center with one purpose and nothing else. */
const bare: Shown = {
  sections: [section('s', undefined, [purpose('books', 'New books', undefined)])],
  center: { languages: ['en'], welcome: textOf('') },
  subject: aSubject(),
  buttons: { unsubscribeAll: false },
  pageContext: {
    ...openContext,
    brand: {
      ...openContext.brand,
      headerLinks: [{ label: { en: 'Shop' }, href: 'https://shop.example/' }],
      footerLinks: [
        { label: { en: 'Imprint' }, href: 'https://shop.example/imprint' },
        { label: { en: 'Privacy' }, href: 'https://shop.example/privacy' },
      ],
    },
    subject: signedInContext.subject,
  },
};

export const preferencePages = {
  ordinary: (language: string) => build(language, { sections, otherPages }),
  nothing: (language: string) => build(language, { sections: [] }),
  everything: (language: string) => build(language, all),
  /** A page with enough purposes to show the search field. */
  many: (language: string) =>
    build(language, {
      sections: manySections,
      otherPages,
      subject: aSubject({
        purposes: kinds.flatMap((kind) => numbers.slice(0, 3).map((number) => consent(`${kind}-${number}`))),
      }),
    }),
  /** A page of the template ORIGINAL: a plain list. */
  plain: (language: string) => build(language, { sections, center: { template: 'original' } }),
  mistaken: (language: string) => build(language, mistaken),
  /** The page shown again for review, with a change in progress of a purpose that it no longer shows. */
  noted: (language: string) =>
    build(language, { sections, review: 'schema-changed', outOfSight: ['events'] }),
  /** A page from right to left, with a purpose without translation. */
  arabic: () => build('ar', { sections, otherPages }),
  /** A page in a customer's frame, with a title image. */
  embedded: (language: string) =>
    build(language, {
      sections,
      pageContext: framedContext,
      center: { titleImageUrl: 'https://images.example.org/title.png', welcome: textOf('') },
    }),
  bare: (language: string) => build(language, bare),
  /** The page for a browser that sends Global Privacy Control. */
  objecting: (language: string) =>
    build(language, { ...all, objection: { action: `${sampleHome}/objection`, token: sampleToken } }),
  /** The page behind a link for withdrawing: nothing can be turned on, and values are masked. */
  restricted: (language: string) =>
    build(language, { sections, scope: 'withdraw', stepUpHref: `${sampleHome}/step-up` }),
} as const;

const input = {
  pageContext: signedInContext,
  subject: anna,
  form: { action: `${sampleHome}/unsubscribe`, token: sampleToken },
  backHref: `${sampleHome}/news`,
};
const center = aCenter(
  sections.flatMap(({ items }) => items),
  { languages: Object.keys(catalogues), defaultLanguage: 'en' },
);
const reasonTexts = ['Too many messages', 'Not about what I like', 'I never asked for this'];
const reasons = { choices: listed('r', reasonTexts), allowOther: true };

export const unsubscribePages = {
  ordinary: (language: string) => buildUnsubscribePage({ ...input, language, center }),
  reasons: (language: string) => buildUnsubscribePage({ ...input, language, center: { ...center, reasons } }),
};
