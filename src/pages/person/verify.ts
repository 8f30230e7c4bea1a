import type { RootStanding } from '../../core/model/evidence/day-root.ts';
import type { ConsentRecordCopy, RecordCopy } from '../../core/model/evidence/record-copy.ts';
import { fill, messagesFor } from '../../i18n/catalogue.ts';
import { writtenUtc } from '../../i18n/format.ts';
import { direction, htmlLanguage, type LocalizedText } from '../../i18n/language.ts';
import { note } from '../layout.ts';
import { buildLayout, type PageContext } from './layout.ts';
import { itemOf } from './record-agrees.ts';
import { recordText } from './record-entries.ts';

export type Verdict =
  | { readonly kind: 'no-file' | 'not-genuine' }
  | {
      readonly kind: 'genuine';
      readonly copy: RecordCopy;
      /** The states of the records in their roots, in the order of the records. */
      readonly standings: readonly RootStanding[];
    };

export type VerifyPage = ReturnType<typeof buildVerifyPage>;

type VerifiedEntry = ReturnType<ReturnType<typeof createVerifiedEntries>>;

export function buildVerifyPage(input: {
  readonly pageContext: PageContext;
  readonly language: string;
  readonly action: string;
  /** The result; undefined while no file is chosen. */
  readonly verdict: Verdict | undefined;
  readonly entries: readonly VerifiedEntry[];
}) {
  const { pageContext, language, action, verdict, entries } = input;
  const { verify } = messagesFor(language);
  return {
    layout: buildLayout({ pageContext, language, center: undefined, title: verify.title }),
    notes: notesOf(verdict, entries, language),
    action,
    isMissing: verdict?.kind === 'no-file',
    entries,
  };
}

/** The notes about the result. A genuine copy with an entry that is not in its root is no success. */
function notesOf(verdict: Verdict | undefined, entries: readonly VerifiedEntry[], language: string) {
  const { verify } = messagesFor(language);
  if (verdict === undefined || verdict.kind === 'no-file') return [];
  if (verdict.kind !== 'genuine') return [note('problem', verify.notGenuine, verify.notGenuineText)];
  const { iss, sub, 'sayso:issuedAt': at, 'sayso:center': center } = verdict.copy;
  const time = writtenUtc(Date.parse(at), language);
  const lines = [
    fill(verify.genuineText, { issuer: iss, time }),
    fill(verify.about, { person: sub, center: center.title ?? center.id }),
  ];
  const wrong = entries.find(({ standing }) => standing.isWrong);
  if (wrong === undefined) return [note('success', verify.genuine, ...lines)];
  return [note('warning', verify.genuine, ...lines, wrong.standing.text)];
}

/** Makes the entry of a record, which may have thousands of items, in the words of the file. */
export function createVerifiedEntries(language: string, standings: readonly RootStanding[]) {
  const messages = messagesFor(language);
  return (record: ConsentRecordCopy, place: number) => {
    const standing = standings[place] ?? 'not-yet';
    const at = record.events.find(({ event_type: type }) => type === 'sayso:accepted')?.event_time ?? '';
    const all = { name: { text: messages.result.all }, text: '' };
    return {
      at: { iso: at, text: writtenUtc(Date.parse(at), language) },
      items: [
        ...(record['sayso:everything'] ? [all] : []),
        ...record.purposes.map((purpose) => ({
          name: nameOf(purpose.purpose, record.language, language),
          text: recordText(itemOf(purpose), { state: record['sayso:state'] }, messages),
        })),
      ],
      standing: {
        isWrong: standing === 'not-in-root',
        text: messages.verify[standing],
      },
    };
  };
}

/** A name, marked with the language of the record. */
function nameOf(text: string, then: string | undefined, now: string): LocalizedText {
  return then === undefined || then === now
    ? { text }
    : { text, lang: htmlLanguage(then), dir: direction(then) };
}
