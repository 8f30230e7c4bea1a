import { messagesFor } from '../../src/i18n/catalogue.ts';
import type { VerifyPage } from '../../src/pages/person/verify.ts';
import { arabicLayout, inEnglish, openLayout, sampleToken, shown } from './layouts.ts';

const unverified: VerifyPage = {
  layout: { ...openLayout, title: 'Check a signed copy' },
  notes: [],
  action: `/verify?lang=en&k=${sampleToken}`,
  isMissing: false,
  entries: [],
};

const genuine: VerifyPage = {
  ...unverified,
  notes: [
    {
      tone: 'success',
      title: 'This copy is genuine',
      lines: [
        'https://preferences.example.org signed it on May 19, 2026 at 9:12 AM UTC. It hasn’t been changed since.',
        'It’s about anna@example.org, at “Harbour Books”.',
      ],
      receipt: undefined,
    },
  ],
  entries: [
    {
      at: { iso: '2026-05-19T08:30:00.000Z', text: 'May 19, 2026 at 8:30 AM UTC' },
      items: [{ name: shown('All choices'), text: '' }],
      standing: {
        isWrong: false,
        text: 'Not yet in the sealed list of its day, which is made the day after.',
      },
    },
    {
      at: { iso: '2026-05-17T10:30:00.000Z', text: 'May 17, 2026 at 10:30 AM UTC' },
      items: [
        { name: shown('New books'), text: 'Turned on.' },
        { name: shown('Offers'), text: 'It wasn’t turned on.' },
      ],
      standing: { isWrong: false, text: 'In the sealed list of its day.' },
    },
  ],
};

const arabic = messagesFor('ar').verify;

export const verifyPages = {
  ordinary: unverified,
  genuine,
  tampered: {
    ...genuine,
    notes: genuine.notes.map((note) => ({
      ...note,
      tone: 'warning',
      lines: [...note.lines, 'Doesn’t match the sealed list of its day.'],
    })),
    entries: genuine.entries.map((entry) => ({
      ...entry,
      standing: { isWrong: true, text: 'Doesn’t match the sealed list of its day.' },
    })),
  },
  'not-genuine': {
    ...unverified,
    notes: [
      {
        tone: 'problem',
        title: 'This copy isn’t genuine',
        lines: ['It wasn’t signed here, or it was changed or cut off.'],
        receipt: undefined,
      },
    ],
  },
  'no-file': { ...unverified, isMissing: true },
  arabic: {
    ...genuine,
    layout: { ...arabicLayout, place: undefined, who: undefined, title: arabic.title },
    notes: [{ tone: 'success', title: arabic.genuine, lines: [], receipt: undefined }],
    entries: genuine.entries.slice(1).map((entry) => ({
      ...entry,
      items: [{ name: inEnglish('New books'), text: messagesFor('ar').result.switchedOn }],
      standing: { isWrong: false, text: arabic.inRoot },
    })),
  },
} as const satisfies Readonly<Record<string, VerifyPage>>;
