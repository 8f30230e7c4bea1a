import type { RootStanding } from '../../src/core/model/evidence/day-root.ts';
import type { RecordCopy } from '../../src/core/model/evidence/record-copy.ts';
import { buildRecordCopy, createRecords } from '../../src/pages/person/record-copy.ts';
import { buildVerifyPage, createVerifiedEntries, type Verdict } from '../../src/pages/person/verify.ts';
import { aCenter, aPurpose } from '../core/center-builder.ts';
import { aResult, aSubmission, noWords, words } from '../core/page-builder.ts';
import { openContext, sampleToken, signedInContext } from './layouts.ts';

const input = {
  center: aCenter(
    [
      aPurpose('books', { name: words({ en: 'New books' }) }),
      aPurpose('offers', { name: words({ en: 'Offers' }) }),
    ],
    { title: 'Harbour Books' },
  ),
  subject: undefined,
  language: 'en',
  words: noWords,
};
const { subject } = signedInContext;
if (subject === undefined) throw new Error('the sample has no person');
const history = [
  aSubmission([], { everything: true, submittedAt: Date.UTC(2026, 4, 19, 8, 30) }),
  aSubmission([aResult('books', 'on', 'saved'), aResult('offers', 'on', 'not-saved')], {
    submittedAt: Date.UTC(2026, 4, 17, 10, 30),
  }),
];
/** The copy of a record that a visitor has downloaded. */
const copy: RecordCopy = JSON.parse(
  buildRecordCopy(
    {
      ...input,
      issuer: 'https://preferences.example.org',
      id: 'copy',
      now: Date.UTC(2026, 4, 19, 9, 12),
      visit: { subject },
      paging: { page: 1, pages: 1, total: history.length },
    },
    history.map(createRecords(input)),
  ),
);

function page(language: string, verdict?: Verdict) {
  const entries =
    verdict?.kind === 'genuine'
      ? verdict.copy.records.map(createVerifiedEntries(language, verdict.standings))
      : [];
  const action = `/verify?lang=${language}&k=${sampleToken}`;
  return buildVerifyPage({ pageContext: openContext, language, action, verdict, entries });
}
const genuine = (...standings: readonly RootStanding[]) => ({ kind: 'genuine', copy, standings }) as const;

export const verifyPages = {
  ordinary: (language: string) => page(language),
  genuine: (language: string) => page(language, genuine('not-yet', 'in-root')),
  tampered: (language: string) => page(language, genuine('not-in-root', 'not-in-root')),
  'not-genuine': (language: string) => page(language, { kind: 'not-genuine' }),
  'no-file': (language: string) => page(language, { kind: 'no-file' }),
};
