import { type Center, everyPurpose, itemsOf } from '../../core/model/center/center.ts';
import type { AskedWords, WordsOfThen } from '../../core/model/evidence/wording.ts';
import type { Subject } from '../../core/model/person/subject.ts';
import { maskIdentifier } from '../../core/model/person/subject.ts';
import type { JournalEntry } from '../../core/model/submission/journal-entry.ts';
import {
  type ChangeKind,
  type ItemResult,
  itemsAbout,
  type Outcome,
} from '../../core/model/submission/submission.ts';
import { chooseText } from '../../i18n/language.ts';
import { askedWords } from '../../pages/person/words-of-then.ts';
import { shortId } from './blocks.ts';
import { outcomeNames } from './submission-words.ts';

export type NameOf = (what: ItemResult['what'], id: string) => string;

/** By the ids of centers; a center that the platform does not give now is not among them. */
export type Centers = ReadonlyMap<string, Center> & {
  readonly words?: WordsOfThen | undefined;
  /** What is on record of a person there, which names purposes that the schema does not. */
  readonly records?: ReadonlyMap<string, Subject> | undefined;
};

/** What one entry of the journal changed, by name: each list and each timeline of staff says it in these words. */
export interface EntryLines {
  /** `Text messages on, +1 more`. */
  readonly headline: string;
  /** `Offers and sales: off`, in the order in which they were asked for. */
  readonly lines: readonly string[];
  /** undefined once what is personal is no longer kept. */
  readonly person: string | undefined;
}

export function entryLines(entry: JournalEntry, centers: Centers): EntryLines {
  const items = itemsOfEntry(entry);
  const record = centers.records?.get(entry.center);
  const nameOf = namesOfEntry(entry, centers.get(entry.center), centers.words, record);
  const said = [...new Set(items.map(({ id }) => id))].map((id) => lineOf(itemsAbout(items, id), nameOf));
  const subject = entry.work?.request.subject;
  return {
    headline: headlineOf(entry, said),
    lines: said.map(({ name, change, outcomes }) => [`${name}: ${change}`, ...outcomes].join(', ')),
    person: subject === undefined ? undefined : maskIdentifier(subject),
  };
}

/** The outcomes of single changes; none where only everything was asked for, or where nothing is kept. */
export function itemsOfEntry({
  work,
  evidence,
}: Pick<JournalEntry, 'work' | 'evidence'>): readonly ItemResult[] {
  return work?.items ?? evidence?.ended?.items ?? [];
}

interface Line {
  readonly name: string;
  readonly change: string;
  /** Only what is not as it was asked for. */
  readonly outcomes: readonly string[];
}

const shortChanges: Readonly<Record<ChangeKind, string>> = {
  on: 'on',
  off: 'off',
  adjust: 'changed',
  add: 'changed',
  reduce: 'changed',
  typed: 'changed',
  language: 'language',
  keep: 'kept',
};

const asAsked: readonly Outcome[] = ['saved', 'unchanged'];

function lineOf(items: readonly ItemResult[], nameOf: NameOf): Line {
  const [first] = items;
  if (first === undefined) return { name: '', change: '', outcomes: [] };
  const outcomes = items.flatMap(({ outcome }) =>
    asAsked.includes(outcome) ? [] : [outcomeNames[outcome][0].toLowerCase()],
  );
  const line = { change: shortChanges[first.change], outcomes: [...new Set(outcomes)] };
  if (first.what === 'language') return { ...line, name: 'Language', change: first.id };
  return { ...line, name: nameOf(first.what, first.id) };
}

function headlineOf({ everything, state, work, evidence }: JournalEntry, said: readonly Line[]): string {
  if (everything) return state === 'done' ? 'Unsubscribed from all' : 'Unsubscribe from all';
  const [first, ...others] = said;
  if (first === undefined)
    return work === undefined && evidence === undefined ? 'No longer kept' : 'No change';
  const more = others.length === 0 ? '' : `, +${others.length} more`;
  return `${first.name} ${first.change}${more}`;
}

/** In the words that the person was shown; where these were not kept, in those of today. */
export function namesOfEntry(
  entry: JournalEntry,
  center: Center | undefined,
  words: WordsOfThen | undefined,
  record = entry.work?.before,
): NameOf {
  const today = namesIn(center, record);
  const digest = entry.evidence?.asked.shown?.words;
  if (words === undefined || digest === undefined) return today;
  return (what, id) =>
    (what === 'purpose' ? words.purpose(digest, id) : words.element(digest, id))?.name ?? today(what, id);
}

/** What lists and pages of these entries ask of the words of then. */
export function wordsAskedBy(
  entries: readonly Pick<JournalEntry, 'work' | 'evidence'>[],
): readonly AskedWords[] {
  return askedWords(entries.map((entry) => ({ evidence: entry.evidence, items: itemsOfEntry(entry) })));
}

const namesByCenter = new WeakMap<Center, ReadonlyMap<string, string>>();

/** Names in the center's default language; what nothing names is called by a part of its id. */
export function namesIn(center: Center | undefined, before: Subject | undefined): NameOf {
  const names = center === undefined ? undefined : namesOf(center);
  return (what, id) =>
    names?.get(`${what} ${id}`) ??
    (what === 'purpose' ? before?.purposes.find(({ purpose }) => purpose === id)?.label : undefined) ??
    `${what === 'purpose' ? 'Purpose' : 'Field'} ${shortId(id)}`;
}

function namesOf(center: Center): ReadonlyMap<string, string> {
  const known = namesByCenter.get(center);
  if (known !== undefined) return known;
  const names = new Map<string, string>();
  for (const { id, name } of everyPurpose(center)) {
    const shown = chooseText(name, center.defaultLanguage, center.defaultLanguage)?.text;
    if (shown !== undefined) names.set(`purpose ${id}`, shown);
  }
  for (const item of itemsOf(center)) {
    if (item.kind === 'data-element') names.set(`data-element ${item.element.id}`, item.element.label);
  }
  namesByCenter.set(center, names);
  return names;
}
