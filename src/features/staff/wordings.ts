import { purposesOf } from '../../core/consent/merge-set.ts';
import type { PurposeText, WordsOfThen } from '../../core/model/evidence/wording.ts';
import type { JournalEntry } from '../../core/model/submission/journal-entry.ts';
import { shownOutcome } from '../../core/model/submission/submission.ts';
import { writtenDay } from '../../core/model/utc-time.ts';
import { toldThen } from '../../pages/person/words-of-then.ts';
import type { DayPeriod } from '../../ports/journal.ts';
import type { streamCsv } from '../../web/download.ts';
import { cell, details, figures, select } from './blocks.ts';
import type { Call } from './guarded-router.ts';
import { centerField, dayFields, dayMs, list, type Query, queries, wholeDays } from './list.ts';
import { centerName } from './names.ts';
import { type Page, underSubmissions } from './page.ts';
import { itemsOfEntry, namesIn, wordsAskedBy } from './submission-words.ts';

/**
 * Number of submissions that are counted for the page. Each one is decrypted, which makes the reader wait.
 */
const mostCounted = 20_000;
/** Number of submissions of one day in a file; only their numbers are in memory at once. */
const mostOnDay = 1_000_000;

/**
 * Exports the words of purposes and people's answers, as evidence for a regulator: as CSV or as JSON Lines.
 */
export const exportEvidence =
  (stream: typeof streamCsv<Answer>) =>
  (call: Call): Promise<void> =>
    stream(call.response, 'evidence', { columns: answerColumns, parts: byDay(call) });

async function* byDay(call: Call) {
  const filter = call.asked(queries.wordings);
  const span = wholeDays(filter, call.clock.now());
  for (let { from } = span; from < span.to; from += dayMs) {
    const day = { from, to: Math.min(from + dayMs, span.to) };
    for await (const part of answersIn(call, filter, { ...day, limit: mostOnDay })) yield part.answers;
  }
}

async function* answersIn(
  { journal, wordings }: Call,
  { center, purpose }: Query<'wordings'>,
  span: DayPeriod & { readonly limit: number },
) {
  for await (const entries of journal.parts({ center: center || undefined, ...span })) {
    const words = await wordings.read(wordsAskedBy(entries));
    yield { read: entries.length, answers: entries.flatMap((entry) => answersOf(entry, words, purpose)) };
  }
}

export async function countWordings(call: Call) {
  const { platform, centerNames, clock } = call;
  const centers = await centerNames();
  const filter = call.asked(queries.wordings);
  const span = wholeDays(filter, clock.now());
  const counts = new Map<string, CountedWording>();
  let read = 0;
  for await (const part of answersIn(call, filter, { ...span, limit: mostCounted })) {
    read += part.read;
    for (const answer of part.answers) countAnswer(counts, answer);
  }
  /** The center; undefined while the platform does not give it. */
  const center =
    filter.center === '' ? undefined : await platform.findCenter(filter.center).catch(() => undefined);
  /** Whether more than `mostCounted` submissions came, so that the rest is not counted. */
  const isCut = read >= mostCounted;
  return { filter, span, centers, center, counts, isCut };
}

/** The changes of purposes in a submission, with the words that were shown; none if no key opens it. */
function answersOf(entry: JournalEntry, words: WordsOfThen, purpose: string) {
  const digest = entry.evidence?.asked.shown?.words;
  return itemsOfEntry(entry)
    .filter((item) => item.what === 'purpose' && (purpose === '' || item.id === purpose))
    .map((item) => {
      const told = toldThen(item, entry, words);
      const text = digest === undefined ? undefined : words.digest(digest, item.id);
      const version = told.change?.version ?? told.text?.version;
      return { entry, item, told, text, version, language: entry.evidence?.asked.shown?.language };
    });
}

type Answer = ReturnType<typeof answersOf>[number];

/** A count of zero for one wording of a purpose on one day. */
function uncounted({ entry, item, told, text, version, language }: Answer) {
  const day = entry.submittedAt - (entry.submittedAt % dayMs);
  const about = { day, center: entry.center, purpose: item.id, version, digest: text, language };
  return { ...about, key: JSON.stringify(about), text: told.text, agreed: 0, withdrew: 0, other: 0 };
}

type CountedWording = ReturnType<typeof uncounted>;

/** Counts an answer. Without shown words, as for a click in a mail, there were none to agree to. */
function countAnswer(counts: Map<string, CountedWording>, answer: Answer): void {
  const { item, text } = answer;
  if (text === undefined) return;
  const fresh = uncounted(answer);
  const counted = counts.getOrInsert(fresh.key, fresh);
  if (shownOutcome(item) !== 'saved') counted.other += 1;
  else if (item.change === 'off' || item.change === 'reduce') counted.withdrew += 1;
  else counted.agreed += 1;
}

/** The page of wordings: the words of a purpose on a day, and how many people agreed to them. */
export function buildWordingsPage(given: Awaited<ReturnType<typeof countWordings>>): Page {
  const { filter, span, centers, center, isCut } = given;
  const nameOf = namesIn(center, undefined);
  const purposes = center === undefined ? [] : [...purposesOf(center).keys()];
  const known =
    purposes.includes(filter.purpose) || filter.purpose === '' ? purposes : [...purposes, filter.purpose];
  const counts = [...given.counts.values()].toSorted(
    (one, other) => other.day - one.day || other.agreed - one.agreed,
  );
  return {
    title: 'Wordings',
    ...underSubmissions,
    lead: ['What each purpose said when people answered, and how many agreed to these very words.'],
    blocks: list({
      path: '/staff/wordings',
      filter,
      fields: [
        centerField(centers, filter.center),
        select({
          id: 'purpose',
          label: 'Purpose',
          none: 'All',
          from: known,
          labelOf: (id) => nameOf('purpose', id),
        }),
        ...dayFields,
      ],
      id: 'wordings',
      about: [
        `Answered from ${writtenDay(span.from)} to ${writtenDay(span.to - 1)} (UTC). A click in a mail shows no words, and is in the files alone.`,
        isCut
          ? `Only the newest ${figures.format(mostCounted)} submissions are counted: choose fewer days, or download all.`
          : '',
      ].join(' '),
      caption: 'Wordings, newest day first',
      columns: {
        Purpose: ({ text, purpose, digest }) =>
          cell(text?.name ?? nameOf('purpose', purpose), {
            more: plainText(text?.description),
            folded: text && wordsOf(text, digest),
          }),
        Agreed: ({ agreed }) => agreed,
        Withdrew: ({ withdrew }) => withdrew,
        'Not saved': ({ other }) => other,
        Version: ({ version }) => cell(version?.toString(), { look: 'figure' }),
        Language: ({ language }) => language,
        Center: ({ center }) => centerName(centers, center),
        Day: ({ day }) => cell(writtenDay(day), { look: 'moment' }),
      },
      rows: counts,
      empty: 'No answers in these days. Choose others, or another center.',
      files: ['/staff/wordings.csv', '/staff/wordings.jsonl'],
    }),
  };
}

function wordsOf({ topics = [], preferences = [] }: PurposeText, digest: string | undefined) {
  const listed = (all: readonly { readonly name: string }[]) =>
    all.map(({ name }) => name).join(', ') || undefined;
  const chosen = preferences.map(({ name, options: all }) => [name, listed(all)] as const);
  return details([['Topics', listed(topics)], ...chosen, ['SHA-256', digest]], 'The words');
}

/** The text of the HTML. */
function plainText(html: string | undefined): string | undefined {
  return (
    html
      ?.replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim() || undefined
  );
}

/** Columns of the export: evidence without the person. */
const answerColumns = {
  reference: ({ entry }: Answer) => entry.reference,
  submitted: ({ entry }: Answer) => new Date(entry.submittedAt).toISOString(),
  center: ({ entry }: Answer) => entry.center,
  purpose_id: ({ item }: Answer) => item.id,
  purpose: ({ told }: Answer) => told.text?.name,
  version: ({ version }: Answer) => version,
  language: ({ language }: Answer) => language,
  words: ({ text }: Answer) => text,
  channel: ({ entry }: Answer) => entry.channel,
  from: ({ told }: Answer) => told.change?.from,
  change: ({ item }: Answer) => item.change,
  choices: ({ told }: Answer) =>
    told.choices
      .map(({ name, preference, to }) => `${preference ? `${preference.name}: ` : ''}${name} ${to}`)
      .join('; '),
  outcome: ({ item }: Answer) => shownOutcome(item),
  receipt: ({ item }: Answer) => item.receipt,
};
