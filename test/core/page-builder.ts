import type { Center, SafeHtml, Text } from '../../src/core/model/center/center.ts';
import type { WordsOfThen } from '../../src/core/model/evidence/wording.ts';
import {
  type ConsentRecord,
  readSubjectId,
  type Subject,
  type SubjectId,
} from '../../src/core/model/person/subject.ts';
import type {
  ChangeKind,
  ItemResult,
  Outcome,
  Submission,
} from '../../src/core/model/submission/submission.ts';
import { plainBrand } from '../../src/pages/layout.ts';
import type { PageContext } from '../../src/pages/person/layout.ts';
import { buildPreferencePage, type PreferencePageInput } from '../../src/pages/person/preferences.ts';
import type { RecordHrefs } from '../../src/pages/person/record.ts';

const anna = readSubjectId('anna@example.org') as SubjectId;

export const pageContext: PageContext = {
  brand: plainBrand('Harbour'),
  subject: anna,
  pageHref: (page) => `/centers/c/${page}`,
  languageHref: (language) => `?lang=${language}`,
  signOut: { action: '/out', token: 'out-token' },
  recordHref: '/record',
  frame: 'top',
  session: { endsIn: 900, warnBefore: 120, continueHref: '/again' },
};

export function aSubject(change: Partial<Subject> = {}): Subject {
  return { id: anna, language: undefined, purposes: [], dataElements: {}, ...change };
}

export function aRecord(purpose: string, change: Partial<ConsentRecord> = {}): ConsentRecord {
  return { purpose, label: undefined, status: 'active', topics: [], preferences: [], ...change };
}

export function aResult(
  id: string,
  change: ChangeKind,
  outcome: Outcome,
  more: Partial<ItemResult> = {},
): ItemResult {
  return { what: 'purpose', id, change, outcome, receipt: undefined, ...more };
}

export function aSubmission(items: readonly ItemResult[], more: Partial<Submission> = {}): Submission {
  return {
    reference: 'ref',
    center: 'center',
    channel: 'link',
    state: 'done',
    everything: false,
    items,
    receipts: [],
    submittedAt: 0,
    doneAt: 1000,
    undoes: undefined,
    undoneBy: undefined,
    globalPrivacyControl: false,
    ...more,
  };
}

/** An archive of wording that holds no text. */
export const noWords: WordsOfThen = {
  text: () => undefined,
  around: () => undefined,
  digest: () => undefined,
};

/** A text in some languages; the first one is the default. */
export function words(texts: Readonly<Record<string, string>>): Text {
  const entries = Object.entries(texts).map(([language, text], index) => ({
    language,
    text,
    isDefault: index === 0,
  }));
  return { entries, plain: undefined };
}

export function html(texts: Readonly<Record<string, string>>): Text<SafeHtml> {
  return words(texts) as Text<SafeHtml>;
}

/** A built page with its sealed snapshot, and its items by their ids in the schema. */
export function draw(center: Center, change: Partial<PreferencePageInput> = {}) {
  const built = buildPreferencePage({
    pageContext,
    center,
    page: undefined,
    subject: aSubject(),
    language: 'en-us',
    scope: 'manage',
    action: '/centers/c',
    unsubscribeHref: '/centers/c/unsubscribe',
    ...change,
  });
  if (built === undefined) throw new Error('no such page');
  const { page, snapshot } = built;
  const items = page.sections.flatMap((section) => section.items);
  return {
    page,
    snapshot,
    purposes: new Map(
      items.flatMap((item) => (item.kind === 'purpose' ? [[item.value, item] as const] : [])),
    ),
    elements: new Map(
      items.flatMap((item) =>
        item.kind === 'data-element' ? [[item.name.replace('element.', ''), item] as const] : [],
      ),
    ),
  };
}

export const recordHrefs: RecordHrefs = {
  page: (page) => `/record?page=${page}`,
  only: (purpose = '') => `/record?purpose=${purpose}`,
  result: (reference) => `/results/${reference}`,
  download: (part) => `/record.json?part=${part}`,
  certificate: '/record/certificate',
  record: '/record',
  back: '/',
};
