import type { Center, Text } from '../../core/model/center/center.ts';
import type { AskedWords, WordsOfThen } from '../../core/model/evidence/wording.ts';
import { maskIdentifier, recordOf, type Subject } from '../../core/model/person/subject.ts';
import type { ProblemCode } from '../../core/model/problem.ts';
import type { CallMade, JournalEntry } from '../../core/model/submission/journal-entry.ts';
import {
  type ChangeKind,
  type Channel,
  type ItemResult,
  itemsAbout,
  type Outcome,
  type Submission,
} from '../../core/model/submission/submission.ts';
import { chooseText } from '../../i18n/language.ts';
import { namedIn } from '../../pages/person/names.ts';
import { askedWords } from '../../pages/person/words-of-then.ts';
import type { Tone } from '../../pages/staff-page.ts';
import { shortId } from './blocks.ts';

export const stateNames: Readonly<Record<Submission['state'], readonly [string, Tone]>> = {
  pending: ['Pending', 'warning'],
  done: ['Done', 'success'],
  failed: ['Failed', 'problem'],
};

export const channelNames: Readonly<Record<Channel, string>> = {
  link: 'Link in a message',
  'staff-link': 'Link made by staff',
  mail: 'Sign-in by mail',
  'single-sign-on': 'Single sign-on',
  embed: 'Embedded',
  'one-click': 'One-click unsubscribe',
  staff: 'Staff, on their behalf',
};

/** The parts of an entry that are kept for a limited time. */
type Kept = Pick<JournalEntry, 'work' | 'evidence'>;

/** The staff member who made the link by which a person submitted. */
export function linkMakerName({ work, evidence }: Kept): string | undefined {
  const maker = work?.request.linkMadeBy ?? evidence?.asked.linkMadeBy;
  return maker === undefined ? undefined : `${maker.name} (${maker.id})`;
}

export const outcomeNames: Readonly<Record<Outcome, readonly [string, Tone]>> = {
  saved: ['Saved', 'success'],
  'in-progress': ['In progress', 'warning'],
  waiting: ['Waits for confirmation', 'warning'],
  'being-carried-out': ['Being saved', 'warning'],
  'not-saved': ['Not saved', 'problem'],
  'in-doubt': ['In doubt, being checked', 'warning'],
  reworded: ['Wording changed', 'warning'],
  unconfirmed: ['On record, not confirmed', 'warning'],
  'withdrawn-elsewhere': ['Withdrawn elsewhere', 'neutral'],
  replaced: ['Changed again later', 'neutral'],
  'switched-off': ['Turned off by a late call', 'warning'],
  locked: ['Locked', 'neutral'],
  unchanged: ['Was already so', 'neutral'],
  'no-such-purpose': ['No such purpose', 'warning'],
};

/** The words for a change: alone, and beside a name. */
export const changeNames: Readonly<Record<ChangeKind, readonly [asked: string, short: string]>> = {
  on: ['turn on', 'on'],
  off: ['turn off', 'off'],
  adjust: ['change topics or options', 'changed'],
  add: ['add topics or options', 'changed'],
  reduce: ['take topics or options out', 'changed'],
  typed: ['change the value', 'changed'],
  language: ['keep as language', 'language'],
  keep: ['nothing: it should have stayed', 'kept'],
};

export const whatNames: Readonly<Record<ItemResult['what'], string>> = {
  purpose: 'Purpose',
  'data-element': 'Data element',
  language: 'Language',
};

const problemNames: Readonly<Partial<Record<ProblemCode, string>>> = {
  'platform-unreachable': 'the platform could not be reached',
  'platform-slow': 'the platform did not answer in time',
  'platform-busy': 'the platform asked us to wait (429)',
  'quota-used-up': 'the platform’s quota was used up',
  'platform-refused': 'the platform refused the request',
  'platform-unreadable': 'the answer could not be read',
  'platform-denied': 'the platform refused our credentials',
  'identifier-refused': 'PLATFORM_IDENTIFIER_ENCODING does not let this identifier be sent',
  'wrong-subject': 'the answer was about someone else',
};

export function problemName(code: ProblemCode): string {
  return problemNames[code] ?? code;
}

/** The result of a writing call, in words. */
export function callResult(call: CallMade): readonly [string, Tone] {
  if (call.problem !== undefined) return [problemName(call.problem), 'problem'];
  if (call.answer === undefined) return ['not known whether it arrived', 'warning'];
  const refused = call.answer.items.filter((item) => !item.accepted).length;
  return refused === 0 ? ['accepted', 'success'] : [`${refused} refused`, 'problem'];
}

export type NameOf = (what: ItemResult['what'], id: string) => string;

/** The sources of names for an entry. */
export interface Naming {
  /** The center; undefined while the platform does not give it. */
  readonly center?: Center | undefined;
  readonly words?: WordsOfThen | undefined;
  /** The person's record, which names purposes that the schema does not have. */
  readonly record?: Subject | undefined;
}

export type EntryLines = ReturnType<typeof entryLines>;

/** The changes of one journal entry, by name. All lists and timelines of staff use these words. */
export function entryLines(entry: JournalEntry, naming: Naming) {
  const items = itemsOfEntry(entry);
  const nameOf = namesOfEntry(entry, naming);
  const changes = [...new Set(items.map(({ id }) => id))].map((id) => lineOf(itemsAbout(items, id), nameOf));
  const subject = entry.work?.request.subject;
  return {
    /** `Text messages on, +1 more`. */
    headline: headlineOf(entry, changes),
    /** `Offers and sales: off`, in the order of the submission. */
    lines: changes.map(({ name, change, outcomes }) => [`${name}: ${change}`, ...outcomes].join(', ')),
    /** The masked identifier; undefined once personal data are deleted. */
    person: subject === undefined ? undefined : maskIdentifier(subject),
  };
}

/**
 * The outcomes of single changes; empty if the request was only to unsubscribe from all, or nothing is kept.
 */
export function itemsOfEntry({ work, evidence }: Kept): readonly ItemResult[] {
  return work?.items ?? evidence?.ended?.items ?? [];
}

const asAsked: readonly Outcome[] = ['saved', 'unchanged'];

type Line = ReturnType<typeof lineOf>;

function lineOf(items: readonly ItemResult[], nameOf: NameOf) {
  const [first] = items;
  if (first === undefined) return { name: '', change: '', outcomes: [] };
  /** The outcomes that differ from what was asked for. */
  const outcomes = items.flatMap(({ outcome }) =>
    asAsked.includes(outcome) ? [] : [outcomeNames[outcome][0].toLowerCase()],
  );
  const line = { change: changeNames[first.change][1], outcomes: [...new Set(outcomes)] };
  if (first.what === 'language') return { ...line, name: 'Language', change: first.id };
  return { ...line, name: nameOf(first.what, first.id) };
}

function headlineOf({ everything, state, work, evidence }: JournalEntry, changes: readonly Line[]): string {
  if (everything) return state === 'done' ? 'Unsubscribed from all' : 'Unsubscribe from all';
  const [first, ...others] = changes;
  if (first === undefined)
    return work === undefined && evidence === undefined ? 'No longer kept' : 'No change';
  const more = others.length === 0 ? '' : `, +${others.length} more`;
  return `${first.name} ${first.change}${more}`;
}

/** Names in the words that the person was shown; if these were not kept, in today's words. */
export function namesOfEntry(
  entry: JournalEntry,
  { center, words, record = entry.work?.before }: Naming,
): NameOf {
  const today = namesIn(center, record);
  const digest = entry.evidence?.asked.shown?.words;
  if (words === undefined || digest === undefined) return today;
  return (what, id) => words.text(digest, id)?.name ?? today(what, id);
}

/** The texts to read for lists and pages of these entries. */
export function wordsAskedBy(entries: readonly Kept[]): readonly AskedWords[] {
  return askedWords(entries.map((entry) => ({ evidence: entry.evidence, items: itemsOfEntry(entry) })));
}

const namedByCenter = new WeakMap<Center, ReturnType<typeof namedIn>>();

/** The text in the center's default language. */
export function ownText({ defaultLanguage }: Center, text: Text): string | undefined {
  return chooseText(text, defaultLanguage, defaultLanguage)?.text;
}

/** Names in the center's default language; a thing without a name is called by its short id. */
export function namesIn(center: Center | undefined, before: Subject | undefined): NameOf {
  return (what, id) => {
    const named = center && namedByCenter.getOrInsertComputed(center, namedIn).get(`${what} ${id}`);
    const own = named && (named.label ?? ownText(center, named.name));
    if (what !== 'purpose') return own ?? `Field ${shortId(id)}`;
    return own ?? (before && recordOf(before, id)?.label) ?? `Purpose ${shortId(id)}`;
  };
}
