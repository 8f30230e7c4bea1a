import { purposesOf } from '../../../core/consent/merge-set.ts';
import type { Center } from '../../../core/model/center/center.ts';
import type { PurposeText, WordsOfThen } from '../../../core/model/evidence/wording.ts';
import type { JournalEntry } from '../../../core/model/submission/journal-entry.ts';
import { type ItemResult, shownOutcome } from '../../../core/model/submission/submission.ts';
import { writtenDay } from '../../../core/model/utc-time.ts';
import { type ToldThen, toldThen } from '../../../pages/person/words-of-then.ts';
import type { FoldedView, StaffPage } from '../../../pages/staff-page.ts';
import type { Query } from '../queries.ts';
import { cell, figure, figures, select, staffPage } from './blocks.ts';
import { itemsOfEntry, namesIn } from './entry-lines.ts';
import type { StaffPageContext } from './layout.ts';
import { centerField, dayFields, list } from './list.ts';
import { type CenterNames, centerName } from './names.ts';

/** What was asked about one purpose in one submission, with the words that were shown. */
interface Answer {
  readonly entry: JournalEntry;
  readonly item: ItemResult;
  readonly told: ToldThen;
  readonly text: string | undefined;
}

/** Of the submissions, in their order; of one that no key opens there is nothing. */
export function* answersOf(
  entries: readonly JournalEntry[],
  words: WordsOfThen,
  purpose = '',
): Generator<Answer> {
  for (const entry of entries) {
    const digest = entry.evidence?.asked.shown?.words;
    for (const item of itemsOfEntry(entry)) {
      if (item.what !== 'purpose' || (purpose !== '' && item.id !== purpose)) continue;
      const text = digest === undefined ? undefined : words.digest(digest, item.id);
      yield { entry, item, told: toldThen(item, entry, words), text };
    }
  }
}

/** One wording of a purpose on one day. */
export interface CountedWording {
  readonly day: number;
  readonly center: string;
  readonly purpose: string;
  readonly name: string | undefined;
  readonly version: number | undefined;
  readonly language: string | undefined;
  readonly text: ToldThen['text'];
  readonly digest: string;
  agreed: number;
  withdrew: number;
  other: number;
}

export type CountedWordings = Map<string, CountedWording>;
const dayMs = 24 * 60 * 60 * 1000;

/** Where no words were shown, as by a click in a mail, there were none to agree to. */
export function countAnswer(counts: CountedWordings, { entry, item, told, text }: Answer): void {
  if (text === undefined) return;
  const day = entry.submittedAt - (entry.submittedAt % dayMs);
  const { language } = entry.evidence?.asked.shown ?? {};
  const version = told.change?.version ?? told.text?.version;
  const key = JSON.stringify([day, entry.center, item.id, version, text, language]);
  const about = { day, center: entry.center, purpose: item.id, version, language, digest: text };
  const words = { name: told.text?.name, text: told.text };
  const counted = counts.get(key) ?? { ...about, ...words, agreed: 0, withdrew: 0, other: 0 };
  counts.set(key, counted);
  const isSaved = shownOutcome(item) === 'saved';
  counted[isSaved ? (item.change === 'off' || item.change === 'reduce' ? 'withdrew' : 'agreed') : 'other'] +=
    1;
}

export interface WordingsPageInput {
  readonly filter: Query<'wordings'>;
  /** Epoch milliseconds, whole days. */
  readonly span: { readonly from: number; readonly to: number };
  readonly centers: CenterNames;
  /** undefined: the platform does not give it now. */
  readonly center: Center | undefined;
  readonly counts: CountedWordings;
  /** More than `most` submissions came: the rest is not counted. */
  readonly isCut: boolean;
  readonly most: number;
}

/** What a purpose said on a day, and how many agreed to these words. */
export function buildWordingsPage(pageContext: StaffPageContext, given: WordingsPageInput): StaffPage {
  const { filter, span, centers, center, isCut, most } = given;
  const nameOf = namesIn(center, undefined);
  const purposes = center === undefined ? [] : [...purposesOf(center).keys()];
  const known =
    purposes.includes(filter.purpose) || filter.purpose === '' ? purposes : [...purposes, filter.purpose];
  const counts = [...given.counts.values()].toSorted(
    (one, other) => other.day - one.day || other.agreed - one.agreed,
  );
  return staffPage(pageContext, {
    title: 'Wordings',
    section: 'submissions',
    crumbs: [{ href: '/staff/submissions', label: 'Submissions' }],
    lead: ['What each purpose said when people answered, and how many agreed to these very words.'],
    blocks: list({
      path: '/staff/wordings',
      filter,
      fields: [
        centerField(centers, filter.center),
        select({
          id: 'purpose',
          label: 'Purpose',
          from: [['', 'All'], ...known.map((id) => [id, nameOf('purpose', id)] as const)],
          chosen: filter.purpose,
        }),
        ...dayFields(filter),
      ],
      table: {
        id: 'wordings',
        about: [
          `Answered from ${writtenDay(span.from)} to ${writtenDay(span.to - 1)} (UTC). A click in a mail shows no words, and is in the files alone.`,
          isCut
            ? `Only the newest ${figures.format(most)} submissions are counted: choose fewer days, or download all.`
            : '',
        ].join(' '),
        caption: 'Wordings, newest day first',
        columns: ['Purpose', 'Agreed', 'Withdrew', 'Not saved', 'Version', 'Language', 'Center', 'Day'],
        rows: counts.map((one) => [
          cell(one.name ?? nameOf('purpose', one.purpose), {
            more: plainText(one.text?.description),
            folded: one.text && wordsOf(one.text, one.digest),
          }),
          figure(one.agreed),
          figure(one.withdrew),
          figure(one.other),
          one.version === undefined ? cell(undefined) : cell(String(one.version), { look: 'figure' }),
          cell(one.language),
          cell(centerName(centers, one.center)),
          cell(writtenDay(one.day), { look: 'moment' }),
        ]),
        empty: 'No answers in these days. Choose others, or another center.',
      },
      what: 'wordings',
      files: ['/staff/wordings.csv', '/staff/wordings.jsonl'],
    }),
  });
}

function wordsOf({ topics = [], preferences = [] }: PurposeText, digest: string | undefined): FoldedView {
  const listed = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name).join(', ');
  const pairs = [
    { name: 'Topics', text: listed(topics) },
    ...preferences.map(({ name, options: all }) => ({ name, text: listed(all) })),
    { name: 'SHA-256', text: digest ?? '' },
  ];
  return { label: 'The words', pairs: pairs.filter(({ text }) => text !== '') };
}

/** What a reader of this HTML sees. */
function plainText(html: string | undefined): string | undefined {
  return (
    html
      ?.replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim() || undefined
  );
}

export const answerColumns =
  'reference submitted center purpose_id purpose version language words channel from change choices outcome receipt'.split(
    ' ',
  );

/** One line of the export: evidence without the person. */
export function answerRow({ entry, item, told, text }: Answer): readonly (string | number | undefined)[] {
  return [
    entry.reference,
    new Date(entry.submittedAt).toISOString(),
    entry.center,
    item.id,
    told.text?.name,
    told.change?.version ?? told.text?.version,
    entry.evidence?.asked.shown?.language,
    text,
    entry.channel,
    told.change?.from,
    item.change,
    told.choices
      .map(
        ({ name, preference, to }) =>
          `${preference === undefined ? '' : `${preference.name}: `}${name} ${to}`,
      )
      .join('; '),
    shownOutcome(item),
    item.receipt,
  ];
}
