import type { SafeHtml } from '../../src/core/model/center/center.ts';
import type { LocalizedHtml } from '../../src/i18n/language.ts';
import { channelIcon } from '../../src/pages/person/channel-icon.ts';
import { buildFinder } from '../../src/pages/person/preferences-marks.ts';
import type {
  ChoiceView,
  ElementView,
  ItemView,
  PreferencePage,
  PreferenceView,
  PurposeView,
  SectionView,
} from '../../src/pages/person/preferences-view.ts';
import { arabicLayout, englishLayout, inEnglish, sampleToken, shown } from './layouts.ts';

/** What the allowlist let through, as far as the samples are concerned. */
export function safe(html: string): LocalizedHtml {
  return { html: html as SafeHtml, lang: undefined, dir: undefined };
}

function choice(id: string, text: string, checked = false): ChoiceView {
  const icon = channelIcon({ entries: [], plain: text });
  return { id, icon, value: `value-${id}`, label: shown(text), checked, disabled: false };
}

function choices(prefix: string, texts: readonly string[], ...on: readonly number[]): readonly ChoiceView[] {
  return texts.map((text, index) => choice(`${prefix}-${index}`, text, on.includes(index)));
}

export function purpose(
  id: string,
  name: string,
  about: string,
  more: Partial<PurposeView> = {},
): PurposeView {
  return {
    kind: 'purpose',
    id,
    name: shown(name),
    description: safe(`<p>${about}</p>`),
    value: `11111111-1111-4111-8111-${id.padStart(12, '0')}`,
    checked: false,
    disabled: false,
    tag: undefined,
    hint: undefined,
    renew: undefined,
    topics: [],
    preferences: [],
    ...more,
  };
}

export function preference(id: string, label: string, more: Partial<PreferenceView> = {}): PreferenceView {
  return {
    id,
    label: shown(label),
    description: undefined,
    display: 'pills',
    type: 'radio',
    multiple: false,
    required: false,
    name: `preference-${id}`,
    disabled: false,
    choices: choices(id, ['Weekly', 'Monthly', 'Every season'], 1),
    mistake: undefined,
    ...more,
  };
}

export function element(id: string, label: string, more: Partial<ElementView> = {}): ElementView {
  return {
    kind: 'data-element',
    id,
    name: `element-${id}`,
    label: shown(label),
    control: 'text',
    value: '',
    options: [],
    required: false,
    autocomplete: undefined,
    mistake: undefined,
    isSaved: false,
    ...more,
  };
}

function section(id: string, heading: string | undefined, items: SectionView['items']): SectionView {
  return {
    id,
    heading: heading === undefined ? undefined : shown(heading),
    description: undefined,
    kind: 'ordinary',
    items,
  };
}

const topics = ['Crime', 'Poetry', 'Cooking', 'Travel', 'Children', 'History'];

const profile: SectionView = {
  ...section('s-profile', 'About you', [
    element('e-mail', 'E-mail', { control: 'static', value: 'anna@example.org' }),
    element('e-first', 'First name', { value: 'Anna', autocomplete: 'given-name' }),
    element('e-born', 'Date of birth', { control: 'date', value: '1984-05-17', autocomplete: 'bday' }),
    element('e-country', 'Country', {
      control: 'select',
      autocomplete: 'country',
      options: [
        { value: '', label: shown('Not said'), selected: false },
        { value: 'NL', label: shown('Netherlands'), selected: true },
        { value: 'FR', label: shown('France'), selected: false },
      ],
    }),
    element('e-phone', 'Phone', {
      control: 'tel',
      value: '+31 20 123 4567',
      autocomplete: 'tel',
      required: true,
    }),
    element('e-size', 'Shoe size', { control: 'number', value: '38' }),
  ]),
  kind: 'profile',
};

export const cards: PreferencePage = {
  layout: englishLayout,
  titleImageUrl: undefined,
  heading: undefined,
  finder: undefined,
  welcome: safe(
    '<p>Tell us what you would like to hear from Harbour Books, and how. You can change your mind at any time.</p>',
  ),
  itemStyle: 'cards',
  outcome: undefined,
  here: '',
  notes: [],
  mistakes: undefined,
  pageTitle: 'Your preferences',
  form: { action: '/centers/harbour-books/news', token: sampleToken, saved: undefined },
  sections: [
    section('s-news', 'What you hear about', [
      purpose('p1', 'New books', 'A letter about what has just arrived.', {
        checked: true,
        topics: choices('t1', topics, 0, 3),
        preferences: [preference('c1', 'How often')],
      }),
      purpose('p2', 'Events near you', 'Readings and signings in your city.', {
        preferences: [
          preference('c2', 'How to reach you', {
            type: 'checkbox',
            multiple: true,
            display: 'checkboxes',
            choices: choices('c2', ['E-mail', 'Text message', 'Post'], 0),
          }),
        ],
      }),
      purpose('p3', 'Partner offers', 'Offers from publishers we work with.', {
        tag: { tone: 'warning', text: 'Waiting for your confirmation' },
        hint: shown('We sent you a message: the link in it confirms your choice.'),
      }),
      purpose('p4', 'Order messages', 'Invoices and deliveries. These are part of every order.', {
        checked: true,
        disabled: true,
        tag: { tone: 'neutral', text: 'Always active' },
      }),
    ]),
    profile,
  ],
  actions: {
    save: 'Update preferences',
    undo: 'Undo changes',
    subscribeAll: undefined,
    unsubscribeAll: { href: '/centers/harbour-books/unsubscribe', label: 'Unsubscribe from all' },
  },
  topicsLegend: 'Topics',
  scope: 'manage',
  keepLanguage: undefined,
  stepUpHref: undefined,
  objection: undefined,
};

/** Every display, every tag, a text block, a notification purpose, buttons for all. */
export const everything: PreferencePage = {
  ...cards,
  sections: [
    {
      ...section('s-all', 'Every kind of choice', [
        {
          kind: 'text',
          html: safe(
            '<p>We write <strong>rarely</strong>, and only about what you chose. Read our <a href="https://example.org/privacy">privacy notice</a>.</p><ul><li>No tracking pixels</li><li>No resale</li></ul>',
          ),
        },
        purpose(
          'p5',
          'Magazine',
          'Our magazine, with <a href="https://example.org/sample">a sample</a> to look at.',
          {
            checked: true,
            tag: { tone: 'neutral', text: 'On by default' },
            preferences: [
              preference('c5', 'Edition', {
                description: safe('<p>Each edition has its own pages.</p>'),
                display: 'radios',
                required: true,
                choices: choices('c5', ['North', 'South', 'Islands'], 2),
              }),
              preference('c6', 'Paper', {
                display: 'dropdown',
                type: 'select',
                description: safe('<p>Both are recycled.</p>'),
                choices: choices('c6', ['None', 'Glossy', 'Plain'], 1),
              }),
              preference('c7', 'Supplements', {
                type: 'checkbox',
                multiple: true,
                choices: choices('c7', ['Crosswords', 'Children', 'Garden', 'Maps'], 0, 2),
              }),
              preference('c8', 'Channels', {
                type: 'checkbox',
                multiple: true,
                display: 'checkboxes',
                choices: choices('c8', ['E-mail', 'Text message', 'Post', 'Telephone'], 1),
              }),
              preference('c9', 'Several', {
                type: 'select',
                display: 'dropdown',
                multiple: true,
                choices: choices('c9', ['Morning', 'Noon', 'Evening'], 1),
              }),
            ],
          },
        ),
        purpose('p6', 'Old letter', 'Your consent to this ended.', {
          tag: { tone: 'warning', text: 'Expired' },
        }),
        purpose('p6b', 'Ending letter', 'Your consent to this ends soon.', {
          checked: true,
          hint: shown('Until 3 March 2028.'),
          renew: { id: 'renew-p6b', label: 'Renew for 2 years', checked: false },
        }),
        purpose('p7', 'Calls', 'We will not call you.', {
          disabled: true,
          hint: shown('You asked us never to call. Write to us if that has changed.'),
        }),
        purpose(
          'p8',
          'A purpose with a name that goes on and on, as names do when a committee has had its say',
          'And a description.',
          { description: undefined },
        ),
      ]),
      description: safe('<p>This page shows every control that a center can ask for.</p>'),
    },
    profile,
    {
      ...section('s-notify', 'Notices', [
        purpose('p9', 'Changes of our terms', 'We tell you when our terms change.', { checked: true }),
      ]),
      kind: 'notification',
    },
  ],
  actions: { ...cards.actions, subscribeAll: 'Subscribe to all on this page' },
  keepLanguage: { id: 'keep-language', label: 'Keep English as my language', value: 'en', checked: true },
};

/** ORIGINAL: a plain list. */
export const plainList: PreferencePage = {
  ...cards,
  layout: { ...englishLayout, navigation: [] },
  itemStyle: 'plain',
};

/** Asked to correct what was typed. */
export const mistaken: PreferencePage = {
  ...cards,
  pageTitle: 'Error: Your preferences',
  form: { ...cards.form, saved: JSON.stringify({ 'e-phone': '+31 20 123 4567', 'e-first': 'Ann' }) },
  mistakes: {
    title: 'There is a problem',
    items: [
      { href: '#c1', text: 'How often: please make a choice.' },
      { href: '#e-phone', text: 'Phone: please enter a valid phone number, such as +44 20 7946 0000.' },
    ],
  },
  sections: [
    section('s-news', 'What you hear about', [
      purpose('p1', 'New books', 'A letter about what has just arrived.', {
        checked: true,
        preferences: [
          preference('c1', 'How often', {
            required: true,
            mistake: 'How often: please make a choice.',
            choices: choices('c1', ['Weekly', 'Monthly', 'Every season']),
          }),
          preference('c2', 'Paper', {
            display: 'dropdown',
            type: 'select',
            mistake: 'How often: please make a choice.',
            choices: choices('c2', ['None', 'Glossy'], 0),
          }),
        ],
      }),
    ]),
    {
      ...profile,
      items: [
        element('e-first', 'First name', { value: 'Anna', autocomplete: 'given-name' }),
        element('e-phone', 'Phone', {
          control: 'tel',
          value: 'call me',
          autocomplete: 'tel',
          mistake: 'Phone: please enter a valid phone number, such as +44 20 7946 0000.',
        }),
      ],
    },
  ],
};

/** Notes above: what was saved, what is to be looked at, what a browser objects to. */
export const noted: PreferencePage = {
  ...cards,
  pageTitle: '2 changes saved – Your preferences',
  outcome: {
    title: '2 changes saved',
    lines: [
      { kind: 'saved', name: shown('New books'), text: 'Turned on.' },
      { kind: 'saved', name: shown('Events near you'), text: 'Turned off.' },
    ],
    reference: 'qT7x-V0a-9LmR',
    receipts: ['64a9b83e-3aae-4e9f-9c8b-2f4f5d1f3a10'],
    undo: { action: '/centers/harbour-books/undo', label: 'Undo', token: sampleToken, leavesOut: [] },
    here: '',
  },
  notes: [
    {
      tone: 'warning',
      title: 'This page has changed',
      lines: ['Nothing is saved yet. Please check your choices and save them again.'],
      receipt: undefined,
    },
    {
      tone: 'info',
      title: 'Your browser’s privacy signal is on (GPC)',
      lines: ['What you didn’t choose yourself is shown as off here. One click keeps it off everywhere.'],
      receipt: undefined,
    },
  ],
};

/** Right to left, with a purpose that nobody translated. */
export const arabic: PreferencePage = {
  ...cards,
  layout: arabicLayout,
  pageTitle: arabicLayout.title,
  welcome: safe('<p>أخبرنا بما تودّ أن يصلك منا، وكيف. يمكنك تغيير رأيك في أي وقت.</p>'),
  sections: [
    section('s-news', 'ما يصلك', [
      purpose('p1', 'كتب جديدة', 'رسالة عمّا وصل حديثًا.', {
        checked: true,
        topics: choices('t1', ['جريمة', 'شعر', 'طبخ', 'سفر'], 0, 3),
        preferences: [
          preference('c1', 'كم مرة', { choices: choices('c1', ['أسبوعيًا', 'شهريًا', 'كل فصل'], 1) }),
        ],
      }),
      purpose('p2', 'فعاليات قريبة منك', 'قراءات وتوقيعات في مدينتك.', {
        tag: { tone: 'warning', text: 'بانتظار تأكيدك' },
      }),
      {
        ...purpose('p3', '', ''),
        name: inEnglish('Partner offers'),
        description: { ...safe('<p>Offers from publishers we work with.</p>'), lang: 'en', dir: 'ltr' },
        hint: inEnglish('You asked us not to pass your address on.'),
      },
    ]),
    {
      ...section('s-profile', 'عنك', [
        element('e-mail', 'البريد الإلكتروني', {
          control: 'email',
          value: 'anna@example.org',
          autocomplete: 'email',
        }),
        { ...element('e-first', '', { value: 'آنا' }), label: inEnglish('First name') },
      ]),
      kind: 'profile',
    },
  ],
  actions: {
    save: 'حفظ التغييرات',
    undo: 'تراجع',
    subscribeAll: undefined,
    unsubscribeAll: { href: '/centers/harbour-books/unsubscribe', label: 'إلغاء الاشتراك من الكل' },
  },
  topicsLegend: 'المواضيع',
  keepLanguage: { id: 'keep-language', label: 'احتفظ بالعربية لغةً لي', value: 'ar', checked: false },
};

/** In a customer's frame, under a picture instead of a title. */
export const embedded: PreferencePage = {
  ...cards,
  layout: { ...englishLayout, frame: 'embedded', navigation: [], session: undefined, signOut: undefined },
  titleImageUrl: 'https://images.example.org/title.png',
  welcome: undefined,
};

/** A center of one purpose without anything else. */
export const bare: PreferencePage = {
  ...cards,
  layout: {
    ...englishLayout,
    brandLinks: {
      header: [{ label: shown('Shop'), href: 'https://shop.example/' }],
      footer: [
        { label: shown('Imprint'), href: 'https://shop.example/imprint' },
        { label: inEnglish('Privacy'), href: 'https://shop.example/privacy' },
      ],
    },
    navigation: [],
    languages: [],
    signOut: undefined,
    record: undefined,
    session: undefined,
  },
  welcome: undefined,
  sections: [section('s', undefined, [purpose('p1', 'New books', '', { description: undefined })])],
  actions: { ...cards.actions, unsubscribeAll: undefined },
};

/** By a link for withdrawing: what is off stays off, and values are masked. */
export const restricted: PreferencePage = {
  ...cards,
  scope: 'withdraw',
  stepUpHref: '/centers/harbour-books/step-up',
  sections: cards.sections.map((section) => ({ ...section, items: section.items.map(withdrawable) })),
  actions: { ...cards.actions, subscribeAll: undefined },
  keepLanguage: undefined,
};

function withdrawable(item: ItemView): ItemView {
  if (item.kind === 'text') return item;
  if (item.kind === 'data-element') {
    return { ...item, control: 'static', value: 'A•••', options: [], required: false };
  }
  const close = (each: ChoiceView) => ({ ...each, disabled: !item.checked || !each.checked });
  return {
    ...item,
    disabled: item.disabled || !item.checked,
    topics: item.topics.map(close),
    preferences: item.preferences.map((each) => ({
      ...each,
      disabled: !item.checked,
      choices: each.choices.map(close),
    })),
  };
}

const manySections: readonly SectionView[] = ['Letters', 'Events', 'Offers', 'Partners'].map((name, at) =>
  section(
    `s-many-${at}`,
    name,
    Array.from({ length: 14 }, (_, index) =>
      purpose(`${at}${index + 10}`, `${name} ${index + 1}`, `What is number ${index + 1} of its kind.`, {
        checked: index < 3,
      }),
    ),
  ),
);

/** One page of several, with so many purposes that they are found by a search. */
export const many: PreferencePage = {
  ...cards,
  heading: shown('News'),
  sections: manySections,
  finder: buildFinder(manySections, 'en'),
};
