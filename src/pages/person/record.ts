import { isUnsaved } from '../../core/consent/unsaved.ts';
import type { Center } from '../../core/model/center.ts';
import type { RecordedSubmission } from '../../core/model/evidence.ts';
import type { Subject } from '../../core/model/subject.ts';
import type { Channel, ItemResult, Submission } from '../../core/model/submission.ts';
import { noWords, type WordsOfThen } from '../../core/model/wording.ts';
import type { Messages } from '../../i18n/catalogue.ts';
import { messagesFor } from '../../i18n/catalogue.ts';
import { fill } from '../../i18n/fill.ts';
import { writtenMoment } from '../../i18n/format.ts';
import { buildLayout, colonOf, type PageContext } from './layout.ts';
import { createPageOrder } from './names.ts';
import { createItems } from './record-items.ts';
import type { Moment, RecordEntry, RecordPage } from './record-view.ts';
import { itemText, notSavedTexts } from './result-words.ts';
import { unmarked } from './unmarked.ts';

export interface RecordPageInput {
  readonly pageContext: PageContext;
  readonly center: Center;
  /** Names purposes that no page draws; undefined when the record could not be read. */
  readonly subject: Subject | undefined;
  readonly language: string;
  /** Of this page, newest first. */
  readonly history: readonly RecordedSubmission[];
  readonly words?: WordsOfThen | undefined;
  readonly paging: Paging;
  /** Pages and files count from 1. */
  readonly pageHref: (page: number) => string;
  readonly resultHref: (reference: string) => string;
  readonly downloadHref: (part: number) => string;
  readonly backHref: string;
}

/** Entries on a page, and in a file of the signed copy: each may be of thousands of items, and all are held at once. */
export const entriesOnPage = 50;
export const entriesInFile = 100;

export interface Paging {
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  /** Entries, on all pages. */
  readonly total: number;
}

/** The page that was asked for, or the last one there is. */
export function pageOf(asked: unknown, total: number, size: number): Paging {
  const pages = Math.max(1, Math.ceil(total / size));
  const number = typeof asked === 'string' && /^[1-9]\d{0,8}$/.test(asked) ? Number(asked) : 1;
  return { page: Math.min(number, pages), pages, total };
}

function buildPager({ paging, pageHref }: RecordPageInput, { record }: Messages): RecordPage['pager'] {
  const { page, pages } = paging;
  if (pages === 1) return undefined;
  return {
    text: fill(record.page, { page, pages }),
    newer: page === 1 ? undefined : { href: pageHref(page - 1), label: record.newer },
    older: page === pages ? undefined : { href: pageHref(page + 1), label: record.older },
  };
}

function buildFiles({ paging, downloadHref }: RecordPageInput, { record }: Messages) {
  const { pages } = pageOf(undefined, paging.total, entriesInFile);
  return Array.from({ length: pages }, (_, at) => ({
    href: downloadHref(at + 1),
    label: pages === 1 ? record.download : `${record.download} (${at + 1}/${pages})`,
  }));
}

/** What was changed, when, and by which channel, with its receipts; in steps, for it may be of thousands of items. */
export function* buildRecordPage(input: RecordPageInput): Generator<number, RecordPage> {
  const { center, language, history } = input;
  const messages = messagesFor(language);
  const { record, page, result } = messages;
  const names = { ...input, words: input.words ?? noWords };
  const parts = { messages, itemOf: createItems(names, messages), inOrder: createPageOrder(center) };
  const entries: RecordEntry[] = [];
  for (const submission of history) {
    entries.push(buildEntry(input, submission, parts));
    yield submission.items.length;
  }
  return {
    layout: buildLayout({ pageContext: input.pageContext, center, language, title: record.title }),
    intro: record.intro,
    empty: history.length === 0 ? record.empty : undefined,
    entries,
    words: { how: record.how, receipt: result.receipt, reference: page.reference, details: result.details },
    pager: buildPager(input, messages),
    download:
      input.paging.total === 0
        ? undefined
        : {
            files: buildFiles(input, messages),
            hint: record.downloadHint,
            verify: {
              href: `/verify?lang=${encodeURIComponent(language)}`,
              label: messages.verify.title,
              opensOutside: input.pageContext.frame === 'embedded',
            },
          },
    back: { href: input.backHref, label: page.back },
  };
}

interface EntryParts {
  readonly messages: Messages;
  readonly itemOf: ReturnType<typeof createItems>;
  readonly inOrder: ReturnType<typeof createPageOrder>;
}

function buildEntry(
  { language, resultHref, words }: RecordPageInput,
  submission: RecordedSubmission,
  { messages, itemOf, inOrder }: EntryParts,
): RecordEntry {
  const items = inOrder(submission.items);
  const { result } = messages;
  return {
    reference: submission.reference,
    href: resultHref(submission.reference),
    at: momentOf(submission.submittedAt, language),
    channel: channelName(submission.channel, messages),
    state: stateOf(submission, messages),
    items: [
      ...(saysEverything(submission)
        ? [{ ...bare, name: unmarked(result.all), text: everythingText(submission, messages) }]
        : []),
      ...items.map((item) => {
        const told = itemOf(item, submission);
        // "Off → On" says it.
        const isSaid = told.move !== undefined && item.outcome === 'saved';
        return { ...told, text: isSaid ? undefined : recordText(item, submission, messages) };
      }),
    ],
    nothing: submission.everything || items.length > 0 ? undefined : emptyText(submission, messages),
    receipts: submission.receipts,
    tags: [
      ...(submission.everything && !saysEverything(submission) ? [tag(messages.labels.unsubscribeAll)] : []),
      ...(submission.undoneBy === undefined ? [] : [tag(result.undone, resultHref(submission.undoneBy))]),
      ...(submission.undoes === undefined ? [] : [tag(result.isUndo, resultHref(submission.undoes))]),
      ...(submission.aftermath === undefined ? [] : [tag(result[submission.aftermath])]),
      ...(submission.globalPrivacyControl ? [tag('Global Privacy Control')] : []),
      ...noticeTags(submission, { words, messages }),
      ...(hasNamesOfToday(submission, items) ? [tag(messages.record.asToday)] : []),
    ],
  };
}

/** The privacy notice of then. */
function noticeTags(
  { evidence }: RecordedSubmission,
  { words = noWords, messages }: { readonly words: WordsOfThen | undefined; readonly messages: Messages },
): RecordEntry['tags'] {
  const shown = evidence?.asked.shown;
  const { name = '', version } = (shown && words.around(shown.words)?.notice) ?? {};
  if (name === '') return [];
  return [
    tag(
      `${messages.record.notice}${colonOf(messages)}${name}${version === undefined ? '' : ` (${version})`}`,
    ),
  ];
}

const bare = { move: undefined, choices: [], today: undefined };

function tag(text: string, href?: string): RecordEntry['tags'][number] {
  return { text, href };
}

/** Of what was asked without the center being read, its name was not kept. */
function hasNamesOfToday({ evidence }: RecordedSubmission, items: readonly ItemResult[]): boolean {
  return evidence !== undefined && evidence.asked.shown === undefined && items.length > 0;
}

/** The reader's time zone is not known here. */
function momentOf(at: number, language: string): Moment {
  return { iso: new Date(at).toISOString(), text: `${writtenMoment(at, language)} UTC` };
}

const channelNames: Readonly<Record<Channel, keyof Messages['record']['channels']>> = {
  link: 'link',
  'staff-link': 'staffLink',
  mail: 'mail',
  'single-sign-on': 'singleSignOn',
  embed: 'embed',
  'one-click': 'oneClick',
  staff: 'staff',
};

function channelName(channel: Channel, { record }: Messages): string {
  return record.channels[channelNames[channel]];
}

function stateOf({ state, items }: Submission, { record }: Messages): RecordEntry['state'] {
  if (state === 'pending') return { tone: 'info', text: record.pending };
  const unsaved = items.filter(isUnsaved).length;
  if (unsaved > 0 && unsaved < items.length) return { tone: 'warning', text: record.partly };
  return state === 'done' && (unsaved === 0 || items.length === 0)
    ? { tone: 'success', text: record.done }
    : { tone: 'problem', text: record.failed };
}

/** What is always active was not left: then each is named by itself. */
function saysEverything({ everything, items }: Submission): boolean {
  return everything && !items.some(({ outcome }) => outcome === 'locked');
}

function emptyText({ state }: Submission, { record, result }: Messages): string {
  if (state === 'pending') return result.inProgress;
  return state === 'done' ? result.nothingText : record.past.notChanged;
}

/** What is over is told as it was: no page asks to try again what was long ago. */
export function recordText(
  item: ItemResult,
  { state }: Pick<Submission, 'state'>,
  messages: Messages,
): string {
  const { past } = messages.record;
  if (state === 'pending') return itemText(item, messages);
  switch (item.outcome) {
    case 'not-saved':
      return past[notSavedTexts[item.change]];
    case 'reworded':
      return past.reworded;
    case 'unconfirmed':
      return past.unconfirmed;
    case 'waiting':
      return item.change === 'off' ? itemText(item, messages) : past.waiting;
    default:
      return itemText(item, messages);
  }
}

function everythingText({ state }: Submission, { result, record }: Messages): string {
  if (state === 'pending') return result.switchingOff;
  return state === 'done' ? result.switchedOff : record.past.notSwitchedOff;
}
