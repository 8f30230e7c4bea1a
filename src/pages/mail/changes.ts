import type { Center } from '../../core/model/center/center.ts';
import type { RecordedSubmission } from '../../core/model/evidence/evidence.ts';
import type { WordsOfThen } from '../../core/model/evidence/wording.ts';
import { fill, messagesFor } from '../../i18n/catalogue.ts';
import { writtenUtc } from '../../i18n/format.ts';
import { createEntries, type RecordEntry, type RecordItem } from '../person/record-entries.ts';
import { buildMessage, type Message, type MessageInput } from './message.ts';

/** Of one submission, which may have thousands. */
const mostItems = 20;

export interface ChangesMailInput extends MessageInput {
  readonly center: Center;
  /** The newest first. */
  readonly history: readonly RecordedSubmission[];
  readonly words: WordsOfThen;
  readonly hasMore: boolean;
  readonly contact: string | undefined;
}

/** What was changed for a person, when and how: from My record. Its link is the same for all people, and signs none of them in. */
export function buildChangesMail(input: ChangesMailInput): Message {
  const { history, href, contact } = input;
  const messages = messagesFor(input.language);
  const { changed } = messages.mail;
  const shown = history.map((each) => ({ ...each, items: each.items.slice(0, mostItems) }));
  const hrefs = { result: () => '' };
  const entries = shown.map(createEntries({ ...input, history: shown, subject: undefined, hrefs }));
  const hasMore = input.hasMore || history.some(({ items }) => items.length > mostItems);
  const named = (name: string, text: string) => fill(messages.mistakes.named, { name, text });
  return buildMessage(input, {
    subject: changed.subject,
    text: changed.text,
    changes: entries.map((entry) => ({
      title: `${writtenUtc(Date.parse(entry.at.iso), input.language)} · ${entry.channel}`,
      lines: linesOf(entry, named),
    })),
    lines: [
      ...(hasMore ? [changed.more] : []),
      ...(href === undefined ? [] : [changed.back, changed.notYou]),
      ...(contact === undefined ? [] : [fill(changed.contact, { contact })]),
    ],
  });
}

type Named = (name: string, text: string) => string;

function linesOf({ items, nothing, tags }: RecordEntry, named: Named): readonly string[] {
  return [
    ...items.map((item) => lineOf(item, named)),
    ...(nothing === undefined ? [] : [nothing]),
    ...tags.map(({ text, at, rest = '' }) => (at === undefined ? text : `${text}${at.text}${rest}`)),
  ];
}

function lineOf({ name, move, text, choices = [] }: RecordItem, named: Named): string {
  const said = [
    ...(move === undefined ? [] : [`${move.from} → ${move.to}`]),
    ...(text === undefined ? [] : [text]),
    ...choices.map((choice) => `${choice.name.text} → ${choice.to}`),
  ];
  return said.length === 0 ? name.text : named(name.text, said.join(' · '));
}
