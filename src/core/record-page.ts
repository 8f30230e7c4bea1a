import type { Center } from './center.ts';
import type { Moment, RecordEntry, RecordPage } from './door-pages.ts';
import { messagesFor } from './messages/catalogue.ts';
import type { Messages } from './messages/en.ts';
import { unmarked } from './preference-page-purpose.ts';
import { createNames, inPageOrder, itemText } from './result-page.ts';
import { buildShell, type Surroundings } from './shell-page.ts';
import type { Subject } from './subject.ts';
import type { Door, Submission } from './submission-result.ts';
import { writtenMoment } from './written.ts';

export interface RecordPageInput {
  readonly surroundings: Surroundings;
  readonly center: Center;
  /** Names purposes that no page draws; undefined when the record could not be read. */
  readonly subject: Subject | undefined;
  readonly language: string;
  /** Newest first. */
  readonly history: readonly Submission[];
  readonly resultHref: (reference: string) => string;
  readonly downloadHref: string;
  readonly backHref: string;
}

/** What was changed, when, and through which door, with its receipts. */
export function buildRecordPage(input: RecordPageInput): RecordPage {
  const { center, language, history } = input;
  const messages = messagesFor(language);
  const { record, page, result } = messages;
  return {
    shell: buildShell({ surroundings: input.surroundings, center, language, title: record.title }),
    intro: record.intro,
    empty: history.length === 0 ? record.empty : undefined,
    entries: history.map((submission) => buildEntry(input, submission, messages)),
    words: { how: record.how, receipt: result.receipt, reference: page.reference },
    download:
      history.length === 0
        ? undefined
        : { href: input.downloadHref, label: record.download, hint: record.downloadHint },
    back: { href: input.backHref, label: page.back },
  };
}

function buildEntry(input: RecordPageInput, submission: Submission, messages: Messages): RecordEntry {
  const { center, language } = input;
  const nameOf = createNames(input);
  const items = inPageOrder(submission.items, center);
  const { result } = messages;
  const whole = { name: unmarked(result.everything), text: everythingText(submission, messages) };
  return {
    reference: submission.reference,
    href: input.resultHref(submission.reference),
    at: momentOf(submission.submittedAt, language),
    door: doorName(submission.door, messages),
    state: stateOf(submission, messages),
    items: [
      ...(submission.everything ? [whole] : []),
      ...items.map((item) => ({ name: nameOf(item), text: itemText(item, messages) })),
    ],
    receipts: submission.receipts,
    tags: [
      ...(submission.undoneBy === undefined ? [] : [result.undone]),
      ...(submission.undoes === undefined ? [] : [result.isUndo]),
      ...(submission.globalPrivacyControl ? ['Global Privacy Control'] : []),
    ],
  };
}

/** The reader's time zone is not known here. */
function momentOf(at: number, language: string): Moment {
  return { iso: new Date(at).toISOString(), text: `${writtenMoment(at, language)} UTC` };
}

const doorNames: Readonly<Record<Door, keyof Messages['record']['doors']>> = {
  link: 'link',
  'staff-link': 'staffLink',
  mail: 'mail',
  'single-sign-on': 'singleSignOn',
  embed: 'embed',
  'one-click': 'oneClick',
  staff: 'staff',
};

function doorName(door: Door, { record }: Messages): string {
  return record.doors[doorNames[door]];
}

function stateOf({ state }: Submission, { record }: Messages): RecordEntry['state'] {
  if (state === 'pending') return { tone: 'info', text: record.pending };
  return state === 'done' ? { tone: 'success', text: record.done } : { tone: 'problem', text: record.failed };
}

function everythingText({ state }: Submission, { result }: Messages): string {
  if (state === 'pending') return result.switchingOff;
  return state === 'done' ? result.switchedOff : result.notSwitchedOff;
}
