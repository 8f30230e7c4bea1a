import { isUnsaved } from '../../core/consent/unsaved.ts';
import type { RecordedSubmission } from '../../core/model/evidence/evidence.ts';
import { noWords } from '../../core/model/evidence/wording.ts';
import type { Channel, ItemResult, Submission } from '../../core/model/submission/submission.ts';
import { fill, type Messages, messagesFor } from '../../i18n/catalogue.ts';
import { writtenDay, writtenTime, writtenZone } from '../../i18n/format.ts';
import { buildLayout, colonOf } from './layout.ts';
import { createNames, createPageOrder } from './names.ts';
import { buildElsewhere, buildFiles, buildFilter, buildPager, certificateFacts } from './record-around.ts';
import type { RecordHrefs, RecordPageInput, RecordParts } from './record-input.ts';
import { createItems } from './record-items.ts';
import type { Moment, RecordEntry, RecordTag } from './record-view.ts';
import { itemText, notSavedTexts } from './result-words.ts';

export type RecordPage = ReturnType<typeof buildRecordPage>;

/**
 * What a person changed, the newest first: by days, of one purpose, or as a certificate to print. `built`: an entry of each
 * submission, by `createEntries`.
 */
export function buildRecordPage(input: RecordPageInput, built: readonly Entry[]) {
  const { center, language, history, hrefs, certificate, purpose, paging } = input;
  const messages = messagesFor(language);
  const { record } = messages;
  const parts = partsOf(input);
  const told = new Set(purpose === undefined ? [] : [purpose]);
  for (const { items } of history) for (const { what, id } of items) if (what === 'purpose') told.add(id);
  const entries = built.map((entry, place) => ({
    ...entry,
    isFirst: entry.day.text !== built[place - 1]?.day.text,
  }));
  const [title, intro] = certificate
    ? [record.certificate, fill(record.certificateText, { person: input.pageContext.subject ?? '' })]
    : [record.title, record.intro];
  const verifyHref = `/verify?lang=${encodeURIComponent(language)}`;
  return {
    layout: buildLayout({ pageContext: input.pageContext, center, language, title }),
    intro,
    certificate: certificate && certificateFacts(input, certificate),
    zone: fill(record.zone, { zone: writtenZone(language) }),
    filter: certificate ? [] : buildFilter(input, parts, told),
    entries,
    elsewhere: buildElsewhere(input, parts),
    pager: buildPager(input, messages),
    files: certificate === undefined && purpose === undefined ? buildFiles(input, messages) : [],
    ways: certificate
      ? { recordHref: hrefs.record, certificateHref: undefined, verifyHref, backHref: undefined }
      : {
          recordHref: undefined,
          certificateHref: paging.total === 0 ? undefined : hrefs.certificate,
          verifyHref: paging.total === 0 ? undefined : verifyHref,
          backHref: hrefs.back,
        },
  };
}

type EntriesInput = Pick<
  RecordPageInput,
  'center' | 'subject' | 'language' | 'history' | 'words' | 'purpose'
> & { readonly hrefs: Pick<RecordHrefs, 'result'> };

/** Makes the entry of a submission, which may have thousands of items. */
export function createEntries(input: EntriesInput): (submission: RecordedSubmission) => Entry {
  const parts = partsOf(input);
  return (submission) => buildEntry(input, submission, parts);
}

function partsOf(input: EntriesInput): RecordParts {
  const messages = messagesFor(input.language);
  const nameOf = createNames(input);
  const names = { ...input, nameOf, words: input.words ?? noWords };
  return {
    messages,
    nameOf,
    itemOf: createItems(names, messages),
    inOrder: createPageOrder(input.center),
    others: new Map(input.history.map((each) => [each.reference, each])),
  };
}

type Entry = Omit<RecordEntry, 'isFirst'>;

function buildEntry(
  input: EntriesInput,
  submission: RecordedSubmission,
  { messages, itemOf, inOrder, others }: RecordParts,
): Entry {
  const { language, hrefs, purpose } = input;
  const items = inOrder(submission.items).filter(({ id }) => purpose === undefined || id === purpose);
  const { result, record } = messages;
  const { reference, submittedAt, undoneBy, undoes, aftermath } = submission;
  const leadTo = (other: string) => (others.has(other) ? `#${other}` : hrefs.result(other));
  const undoneAt = undoneBy === undefined ? undefined : others.get(undoneBy)?.submittedAt;
  return {
    reference,
    href: hrefs.result(reference),
    day: momentOf(submittedAt, writtenDay(submittedAt, language)),
    at: momentOf(submittedAt, writtenTime(submittedAt, language)),
    channel: channelName(submission.channel, messages),
    state: stateOf(submission, messages),
    items: [
      ...(saysEverything(submission)
        ? [{ name: { text: result.all }, text: everythingText(submission, messages) }]
        : []),
      ...items.map((item) => {
        const told = itemOf(item, submission);
        // "Off → On" needs no "Turned on".
        const isSaid = told.move !== undefined && item.outcome === 'saved';
        return { ...told, text: isSaid ? undefined : recordText(item, submission, messages) };
      }),
    ],
    nothing: submission.everything || items.length > 0 ? undefined : emptyText(submission, messages),
    receipts: submission.receipts,
    tags: [
      ...(submission.everything && !saysEverything(submission)
        ? [{ text: messages.labels.unsubscribeAll }]
        : []),
      ...(undoneBy === undefined
        ? []
        : undoneAt === undefined
          ? [{ text: result.undone, href: leadTo(undoneBy) }]
          : [{ ...timedText(record.undoneAt, undoneAt, language), href: leadTo(undoneBy) }]),
      ...(undoes === undefined ? [] : [{ text: result.isUndo, href: leadTo(undoes) }]),
      ...(aftermath === undefined ? [] : [{ text: result[aftermath] }]),
      ...(submission.globalPrivacyControl ? [{ text: 'Global Privacy Control' }] : []),
      ...tagsOfThen(submission, input, messages),
      ...(hasNamesOfToday(submission, items) ? [{ text: record.asToday }] : []),
    ],
  };
}

/** `{time}` becomes an element: a script writes it again in the local time. */
function timedText(pattern: string, at: number, language: string): RecordTag {
  const [text = '', rest = ''] = pattern.split('{time}');
  return { text, at: momentOf(at, writtenTime(at, language)), rest };
}

/** The page's title, if it was renamed since, and the privacy notice that the form named. */
function tagsOfThen(
  { evidence }: RecordedSubmission,
  { center, words }: EntriesInput,
  messages: Messages,
): readonly RecordTag[] {
  const { record } = messages;
  const shown = evidence?.asked.shown;
  const { title, notice } = (shown && words?.around(shown.words)) ?? {};
  const { name = '', version, address } = notice ?? {};
  const edition = version === undefined ? '' : ` (${version})`;
  const isCalledSo = title === undefined || center.title === undefined || title === center.title;
  return [
    ...(isCalledSo
      ? []
      : [{ text: `${title}${colonOf(messages)}${fill(record.today, { name: center.title })}` }]),
    ...(name === ''
      ? []
      : [{ text: `${record.notice}${colonOf(messages)}${name}${edition}`, href: address }]),
  ];
}

/** A submission taken without reading the center kept no names. */
function hasNamesOfToday({ evidence }: RecordedSubmission, items: readonly ItemResult[]): boolean {
  return evidence !== undefined && evidence.asked.shown === undefined && items.length > 0;
}

function momentOf(at: number, text: string): Moment {
  return { iso: new Date(at).toISOString(), text };
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
  if (state === 'pending') return { tone: 'neutral', text: record.pending };
  const unsaved = items.filter(isUnsaved).length;
  if (state === 'done' && unsaved === 0) return undefined;
  return { tone: 'warning', text: unsaved > 0 && unsaved < items.length ? record.partly : record.failed };
}

/** With something always active, "everything" would be wrong: each item is named. */
function saysEverything({ everything, items }: Submission): boolean {
  return everything && !items.some(({ outcome }) => outcome === 'locked');
}

function emptyText({ state }: Submission, { record, result }: Messages): string {
  if (state === 'pending') return result.inProgress;
  return state === 'done' ? result.nothingText : record.past.notChanged;
}

/** An ended submission is told in the past: no entry asks to try again. */
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
