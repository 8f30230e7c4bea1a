import type { Center, SafeHtml, Text } from '../../src/core/model/center/center.ts';
import type { AskedEvidence, RecordedSubmission } from '../../src/core/model/evidence/evidence.ts';
import type { WordsOfThen } from '../../src/core/model/evidence/wording.ts';
import type { ItemResult, Outcome } from '../../src/core/model/submission/submission.ts';
import { buildPreview, previewStates } from '../../src/features/staff/preview.ts';
import { catalogues } from '../../src/i18n/catalogue.ts';
import type { Pages } from '../../src/pages/every-page.ts';
import { plainBrand } from '../../src/pages/layout.ts';
import { buildChangesMail, type Message } from '../../src/pages/mail.ts';
import type { PreferencePage } from '../../src/pages/person/preferences.ts';
import { buildPreferencePage } from '../../src/pages/person/preferences.ts';
import { buildRecordPage, type RecordPage, type RecordPageInput } from '../../src/pages/person/record.ts';
import { createEntries } from '../../src/pages/person/record-entries.ts';
import { buildOutcome, buildResultPage, type ResultPage } from '../../src/pages/person/result.ts';
import type { PreviewPage } from '../../src/pages/staff-page.ts';
import { aCenter, aPreference, aPurpose } from '../core/center-builder.ts';
import {
  aRecord,
  aResult,
  aSubject,
  aSubmission,
  noWords,
  pageContext,
  recordHrefs,
} from '../core/page-builder.ts';
import { identityPages, mails } from './identity.ts';
import { sampleToken } from './layouts.ts';
import { preferencePages, textOf, unsubscribePages } from './preferences.ts';
import { verifyPages } from './verify.ts';

const saved = [aResult('news', 'on', 'saved'), aResult('offers', 'off', 'saved')];
const outcomes: readonly Outcome[] = [
  'saved',
  'in-progress',
  'being-carried-out',
  'waiting',
  'in-doubt',
  'not-saved',
  'reworded',
  'unconfirmed',
  'switched-off',
  'withdrawn-elsewhere',
  'replaced',
  'locked',
  'unchanged',
  'no-such-purpose',
];

const option = (id: string, name: Text) => ({ id, name, isDefault: false });

const items = [
  aPurpose('news', {
    name: textOf('News', 'الأخبار'),
    description: textOf<SafeHtml>('Once a week, by email.', 'مرة في الأسبوع عبر البريد الإلكتروني.'),
    preferences: [
      aPreference('rhythm', [], {
        name: textOf('How often', 'عدد المرات'),
        choice: 'single',
        display: 'radio-buttons',
        options: [
          option('weekly', textOf('Weekly', 'أسبوعيًا')),
          option('monthly', textOf('Monthly', 'شهريًا')),
        ],
      }),
    ],
  }),
  aPurpose('offers', { name: textOf('Offers', 'العروض') }),
];

/** A center in English and Arabic; other languages show its English texts. */
const center: Center = {
  ...aCenter(items),
  languages: Object.keys(catalogues),
  defaultLanguage: 'en',
  labelSets: { en: { title: 'Your choices' }, ar: { title: 'اختياراتك' } },
};
/** Pages with a purpose for each state of the preview, so that “some of each” shows them all. */
const { pages: manyPages } = aCenter([
  ...items,
  ...previewStates.map(([state, label]) => aPurpose(state, { name: textOf(label) })),
]);

/** Pages that the product's own builders make of that center, so that no text is repeated here. */
export const builtPages = {
  ...identityPages,
  'centers/unsubscribe': unsubscribePages,
  'centers/preferences': { ...preferencePages, saved: savedHere },
  'centers/result': {
    ordinary: (language: string) => result(language, saved),
    mixed: (language: string) =>
      result(
        language,
        outcomes.map((outcome, at) => aResult(at % 2 === 0 ? 'news' : 'offers', 'on', outcome)),
        'pending',
      ),
  },
  'record/record': {
    ordinary: (language: string) => record(language),
    empty: (language: string) => record(language, { history: [] }),
    certificate: (language: string) =>
      record(language, { certificate: { now: 2_000, verifiedAt: 'https://prefs.example/keys' } }),
  },
  'record/verify': verifyPages,
  'preview/center': {
    ordinary: (language: string) => preview('new', language),
    mixed: (language: string) => preview('mixed', language),
  },
  'mail/message': { ...mails, changes: (language: string) => changes(language).page },
} as const satisfies {
  readonly [V in keyof Pages]?: Readonly<Record<string, (language: string) => Pages[V]>>;
};

function result(
  language: string,
  items: readonly ItemResult[],
  state: 'done' | 'pending' = 'done',
): ResultPage {
  return buildResultPage({
    ...outcomeInput(language, items),
    submission: aSubmission(items, { state }),
    pageContext,
    againHref: undefined,
    backHref: '/',
  });
}

const day = 24 * 60 * 60 * 1000;
const shownInEnglish: AskedEvidence = {
  reference: 'undone',
  center: 'center',
  subject: '',
  channel: 'mail',
  globalPrivacyControl: true,
  acceptedAt: day,
  shown: { by: 'form', words: 'then', language: 'en' },
  changes: [
    { what: 'purpose', id: 'news', change: 'on', from: 'off', optionsOn: [['rhythm', 'weekly']] },
    { what: 'purpose', id: 'offers', change: 'off', from: 'on' },
  ],
};
/** The words of the time of the submission, in English. */
const wordsOfThen: WordsOfThen = {
  ...noWords,
  text: (_, id) => ({ name: id === 'news' ? 'Letters (by mail).' : 'Special offers' }),
  around: () => ({
    save: '',
    unsubscribeAll: '',
    notice: { id: '', name: 'Notice', version: 3, address: 'https://shop.example/privacy' },
  }),
};
const history: readonly RecordedSubmission[] = [
  aSubmission([aResult('offers', 'on', 'in-progress')], {
    reference: 'new',
    state: 'pending',
    submittedAt: 3 * day,
  }),
  aSubmission(saved, {
    reference: 'undo',
    undoes: 'undone',
    receipts: ['64a9b83e'],
    submittedAt: day + 60_000,
  }),
  {
    ...aSubmission(saved, {
      reference: 'undone',
      undoneBy: 'undo',
      globalPrivacyControl: true,
      submittedAt: day,
    }),
    evidence: { asked: { ...shownInEnglish, salt: '' }, ended: undefined },
  },
  aSubmission([], { reference: 'left', everything: true, channel: 'one-click', state: 'failed' }),
];

function record(language: string, change: Partial<RecordPageInput> = {}): RecordPage {
  const input = {
    pageContext,
    center,
    subject: undefined,
    language,
    history,
    words: wordsOfThen,
    paging: { page: 2, pages: 3, total: change.history?.length ?? 120 },
    elsewhere: [aRecord('news'), aRecord('offers', { status: 'off' })],
    hrefs: recordHrefs,
    ...change,
  };
  return buildRecordPage(input, input.history.map(createEntries(input)));
}

function savedHere(language: string): PreferencePage {
  const { submission, ...outcome } = buildOutcome(outcomeInput(language, saved));
  const built = buildPreferencePage({
    pageContext,
    center,
    page: undefined,
    subject: aSubject({ purposes: [aRecord('news'), aRecord('offers', { status: 'off' })] }),
    language,
    scope: 'manage',
    action: '/',
    unsubscribeHref: '/unsubscribe',
    savedHere: { ...outcome, submission, here: '' },
  });
  if (built === undefined) throw new Error('the fixture has no page');
  return { ...built.page, form: { ...built.page.form, token: sampleToken } };
}

function outcomeInput(language: string, items: readonly ItemResult[]) {
  const leavesOut = items.filter(({ change }) => change === 'off');
  const undo = { action: '/undo', token: sampleToken, leavesOut };
  return {
    center,
    subject: undefined,
    language,
    submission: aSubmission(items),
    now: 2_000,
    undo,
    undoes: undefined,
  };
}

function changes(language: string): Message {
  const items = [aResult('news', 'on', 'saved'), aResult('offers', 'off', 'being-carried-out')];
  return buildChangesMail({
    language,
    brand: plainBrand('Harbour Books'),
    colours: undefined,
    href: 'https://prefs.example/',
    center,
    history: [aSubmission(items, { state: 'pending' }), { ...aSubmission(saved), channel: 'staff' }],
    words: noWords,
    hasMore: true,
    contact: 'privacy@harbour.example',
  });
}

function preview(state: string, language: string): PreviewPage {
  const built = buildPreview({
    center: { ...center, pages: manyPages },
    chosen: { lang: language, state, brand: '' },
    brand: plainBrand('Harbour Books'),
    stands: 'framed',
  });
  if (built === undefined) throw new Error('the fixture has no page');
  return built;
}

/** The built pages in English, as samples. */
export const builtInEnglish = Object.fromEntries(
  Object.entries(builtPages).map(([view, states]) => [
    view,
    Object.fromEntries(Object.entries(states).map(([state, build]) => [state, build('en')])),
  ]),
) as { readonly [V in keyof typeof builtPages]: { readonly [S in keyof (typeof builtPages)[V]]: Pages[V] } };

/** Builds a sample in another language; undefined for a sample that no builder makes. */
export function builtIn(
  view: string,
  state: string,
  language: string,
): Pages[keyof typeof builtPages] | undefined {
  const pages: Readonly<
    Record<string, Readonly<Record<string, (language: string) => Pages[keyof typeof builtPages]>>>
  > = builtPages;
  return pages[view]?.[state]?.(language);
}
