import { isUnsaved } from '../../core/consent/unsaved.ts';
import type { RecordedSubmission } from '../../core/model/evidence/evidence.ts';
import type { WordsOfThen } from '../../core/model/evidence/wording.ts';
import type { ItemResult, Submission } from '../../core/model/submission/submission.ts';
import { fill, type Messages, messagesFor } from '../../i18n/catalogue.ts';
import { formats } from '../../i18n/format.ts';
import {
  chooseText,
  direction,
  htmlLanguage,
  isSameLanguage,
  type LocalizedText,
} from '../../i18n/language.ts';
import { colonOf } from './layout.ts';
import { createNames, createPageOrder, type NamesInput, namedIn } from './names.ts';
import { itemText } from './result-words.ts';
import { toldThen } from './words-of-then.ts';

interface EntriesInput extends NamesInput {
  readonly history: readonly RecordedSubmission[];
  readonly words: WordsOfThen;
  /** The purpose to which the entries are limited. */
  readonly purpose?: string | undefined;
  readonly hrefs: { result(reference: string): string };
}

export type RecordEntry = ReturnType<ReturnType<typeof createEntries>>;
export type RecordItem = RecordEntry['items'][number];

/** Makes the entry of a submission, which may have thousands of items. */
export function createEntries(input: EntriesInput) {
  const { center, language, hrefs, purpose } = input;
  const messages = messagesFor(language);
  const { result, record } = messages;
  const { days, times } = formats(language);
  const itemOf = createItems(input, messages);
  const inOrder = createPageOrder(center);
  const others = new Map(input.history.map((each) => [each.reference, each]));
  const leadTo = (other: string) => (others.has(other) ? `#${other}` : hrefs.result(other));

  return (submission: RecordedSubmission) => {
    const { reference, submittedAt, undoneBy, undoes, aftermath, everything, evidence } = submission;
    const items = inOrder(submission.items).filter(({ id }) => purpose === undefined || id === purpose);
    const undoneAt = undoneBy === undefined ? undefined : others.get(undoneBy)?.submittedAt;
    // If a purpose is always active, "everything" would be wrong: each item is named.
    const saysEverything = everything && !submission.items.some(({ outcome }) => outcome === 'locked');
    const tags: readonly RecordTag[] = [
      ...(everything && !saysEverything ? [{ text: messages.labels['unsubscribe-all'] }] : []),
      ...(undoneBy === undefined
        ? []
        : [{ ...undoneText(undoneAt, language, messages), href: leadTo(undoneBy) }]),
      ...(undoes === undefined ? [] : [{ text: result.isUndo, href: leadTo(undoes) }]),
      ...(aftermath === undefined ? [] : [{ text: result[aftermath] }]),
      ...(submission.globalPrivacyControl ? [{ text: 'Global Privacy Control' }] : []),
      ...tagsOfThen(submission, input, messages),
      // A submission that was accepted without reading the center has no names of its time.
      ...(evidence && !evidence.asked.shown && items.length > 0 ? [{ text: record.asToday }] : []),
    ];
    return {
      reference,
      /** The address of the result page. */
      href: hrefs.result(reference),
      day: momentOf(submittedAt, days.format(submittedAt)),
      at: momentOf(submittedAt, times.format(submittedAt)),
      channel: record.channels[submission.channel],
      state: stateOf(submission, messages),
      items: [
        ...(saysEverything ? [everythingItem(submission, messages)] : []),
        ...items.map((item) => itemOf(item, submission)),
      ],
      /** The text in place of items if there are none. */
      nothing: everything || items.length > 0 ? undefined : emptyText(submission, messages),
      receipts: submission.receipts,
      tags,
    };
  };
}

/** A note on an entry, perhaps with a link to another entry. */
interface RecordTag {
  readonly text: string;
  readonly href?: string | undefined;
  /** The moment between `text` and `rest`. */
  readonly at?: Moment | undefined;
  readonly rest?: string | undefined;
}

type Moment = ReturnType<typeof momentOf>;

/** A moment. `iso`: for a script, which shows it in the reader's time zone. `text`: the same in UTC. */
function momentOf(at: number, text: string) {
  return { iso: new Date(at).toISOString(), text };
}

/** The tag of an undone submission. `{time}` becomes an element, which a script rewrites in local time. */
function undoneText(at: number | undefined, language: string, { result, record }: Messages): RecordTag {
  if (at === undefined) return { text: result.undone };
  const [text = '', rest = ''] = record.undoneAt.split('{time}');
  return { text, at: momentOf(at, formats(language).times.format(at)), rest };
}

/**
 * Tags for the page's title at that time, if it was renamed since, and for the privacy notice that the form
 * named.
 */
function tagsOfThen({ evidence }: RecordedSubmission, { center, words }: EntriesInput, messages: Messages) {
  const { record } = messages;
  const colon = colonOf(messages);
  const shown = evidence?.asked.shown;
  const { title, notice } = (shown && words.around(shown.words)) ?? {};
  const { name = '', version, address } = notice ?? {};
  const edition = version === undefined ? '' : ` (${version})`;
  const isCalledSo = title === undefined || center.title === undefined || title === center.title;
  const today = isCalledSo ? '' : fill(record.today, { name: center.title });
  return [
    ...(isCalledSo ? [] : [{ text: `${title}${colon}${today}` }]),
    ...(name === '' ? [] : [{ text: `${record.notice}${colon}${name}${edition}`, href: address }]),
  ];
}

/** The state of the entry; undefined if all was saved as asked. */
function stateOf({ state, items }: Submission, { record, states }: Messages) {
  if (state === 'pending') return { tone: 'neutral', text: states.beingCarriedOut };
  const unsaved = items.filter(isUnsaved).length;
  if (state === 'done' && unsaved === 0) return undefined;
  return { tone: 'warning', text: unsaved > 0 && unsaved < items.length ? record.partly : record.failed };
}

function emptyText({ state }: Submission, { record, result }: Messages): string {
  if (state === 'pending') return result.inProgress;
  return state === 'done' ? result.nothingText : record.past.notChanged;
}

function everythingItem({ state }: Submission, { result, record }: Messages) {
  const ended = state === 'done' ? result.switchedOff : record.past.notSwitchedOff;
  const text = state === 'pending' ? result.switchingOff : ended;
  return { name: { text: result.all }, move: undefined, choices: [], today: undefined, text };
}

/** The items of an entry, in the words that the person saw; if these were not kept, in today's words. */
function createItems(input: EntriesInput, messages: Messages) {
  const { center, language, words } = input;
  const nameOf = createNames(input);
  const named = namedIn(center);
  const stateText = (isOn: boolean) => (isOn ? messages.states.on : messages.states.off);

  /** Today's name, compared in the language that was shown: a translation is not a new name. */
  function todayOf(item: ItemResult, shownIn: string, then: string): string | undefined {
    const name = named.get(`${item.what} ${item.id}`)?.name;
    const now = name && chooseText(name, shownIn, center.defaultLanguage)?.text;
    return now === undefined || now === then ? undefined : fill(messages.record.today, { name: now });
  }

  return (item: ItemResult, submission: RecordedSubmission) => {
    const { change, text, choices } = toldThen(item, submission, words);
    const shownIn = submission.evidence?.asked.shown?.language ?? language;
    const inThen = (name: string) => markedAs(name, shownIn, language);
    const isMoved = change?.from !== undefined && (item.change === 'on' || item.change === 'off');
    return {
      name: text === undefined ? nameOf(item) : inThen(text.name),
      /** The state on the form and the requested state; undefined without a form. */
      move: isMoved
        ? { from: stateText(wasOn.has(change.from)), to: stateText(item.change === 'on') }
        : undefined,
      /** Topics and options with their requested states. */
      choices: choices.map(({ name, preference, to }) => ({
        name: inThen(preference === undefined ? name : `${preference.name}: ${name}`),
        to: stateText(to === 'on'),
      })),
      /** Today's name, if it is another. */
      today: text === undefined ? undefined : todayOf(item, shownIn, text.name),
      // "Off → On" needs no "Turned on".
      text: isMoved && item.outcome === 'saved' ? undefined : recordText(item, submission, messages),
    };
  };
}

const wasOn: ReadonlySet<string | undefined> = new Set(['on', 'on-by-default', 'locked-on']);

function markedAs(text: string, shownIn: string, language: string): LocalizedText {
  if (isSameLanguage(shownIn, language)) return { text };
  const dir = direction(shownIn);
  return { text, lang: htmlLanguage(shownIn), dir: dir === direction(language) ? undefined : dir };
}

/** The text of an item. An ended submission has texts in the past tense, which do not ask to try again. */
export function recordText(item: ItemResult, { state }: Pick<Submission, 'state'>, messages: Messages) {
  const isOver = state !== 'pending' && item.outcome !== 'switched-off';
  return itemText(item, messages, isOver ? messages.record.past : {});
}
