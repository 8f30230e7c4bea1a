/** The language of scripts: the centers, the acts of a person, and the faults of calls and readings. */

import type { Center, Item } from '../../../src/core/model/center/center.ts';
import type { ConsentRecord } from '../../../src/core/model/person/subject.ts';
import { aCenter, anElement, aPreference, aPurpose, offered, topics } from '../center-builder.ts';

export interface Script {
  /** The purposes that each center offers, by the id of the center. */
  readonly centers: Readonly<Record<string, readonly string[]>>;
  /** Whether all centers share one record. */
  readonly isShared?: boolean;
  /** Whether each save confirms the purposes that are on by default. */
  readonly confirms?: boolean;
  /** Purposes that no page shows. */
  readonly hides?: readonly string[];
  /** The data elements on the page of each center. */
  readonly fields?: readonly string[];
  readonly start?: readonly ConsentRecord[];
  readonly values?: Values;
  readonly steps: readonly Step[];
  /** Faults by the number of the call, reading or schema, from 0. */
  readonly calls?: Readonly<Record<number, CallFault>>;
  readonly readings?: Readonly<Record<number, ReadingFault>>;
  readonly schemas?: Readonly<Record<number, SchemaFault>>;
  /** The durations of the answers of the store in turn, in milliseconds; 0 if absent. */
  readonly stored?: readonly number[];
  /** The time in which the platform is unreachable, in milliseconds. */
  readonly away?: readonly [from: number, until: number];
  /** A value or language for which the platform refuses the whole call. */
  readonly refuses?: string;
}

/** Values by field, in the form of the wire; `language` is the language of the person. */
export type Values = Readonly<Record<string, string>>;

/** A step of a script; `gap` is the time since the step before, 1,000 milliseconds if absent. */
export type Step = { readonly gap?: number } & (
  | ({ readonly act: 'draw'; readonly center: string; readonly tab: string } & DrawnAs)
  /**
   * `toggles`: the changed purposes and choices of the tab. `renews`: the renewed purposes. `types`: the
   * values of fields in the form of a browser. `keeps`: the person keeps the language of the page. `isAway`:
   * the center cannot be read to show a form with mistakes again. `asShown`: the form is posted as it was
   * shown, too, so many milliseconds later, or earlier if negative.
   */
  | {
      readonly act: 'post';
      readonly tab: string;
      readonly toggles?: readonly string[];
      readonly renews?: readonly string[];
      readonly types?: Values;
      readonly keeps?: boolean;
      readonly isAway?: boolean;
      readonly asShown?: number;
    }
  /** One click for a purpose; without one, for everything. */
  | { readonly act: 'click'; readonly center: string; readonly purpose?: string | undefined }
  | { readonly act: 'leave'; readonly center: string }
  | { readonly act: 'object'; readonly center: string; readonly lag?: number }
  /** `back`: the number of submissions after the undone one. */
  | { readonly act: 'undo'; readonly back?: number }
  /** The same request again, like from a browser that goes back. */
  | { readonly act: 'again'; readonly back?: number }
  | { readonly act: 'elsewhere'; readonly center: string; readonly record: ConsentRecord }
  | { readonly act: 'edit-elsewhere'; readonly center: string; readonly values: Values }
  | { readonly act: 'offer'; readonly center: string; readonly offers: readonly string[] }
  /** The process dies; another one goes on when the lease ends. */
  | { readonly act: 'kill' }
  /**
   * A check that changes nothing. `on`: the purposes that are on in each center, in brackets if by default.
   * `told`: the result of each submission, like `on a: saved, off b: locked (watched)`. `wire`: the calls and
   * readings so far. `rows`: the rows that decided.
   */
  | {
      readonly act: 'look';
      readonly on: Values;
      readonly told: readonly string[];
      readonly wire?: string;
      readonly rows?: string;
    }
);

/** `lag`: the age of the reading. `isObjecting`: the browser sends `Sec-GPC: 1`. `language`: the page's. */
export interface DrawnAs {
  readonly lag?: number;
  readonly language?: string;
  readonly scope?: 'manage' | 'withdraw';
  readonly isObjecting?: boolean;
}

/** The fault of a call; it lands after `late` and ends after `takes` milliseconds. */
export interface CallFault {
  readonly end?: 'unsent' | 'refused' | 'lost' | 'landed-and-lost' | 'ignored';
  /** The purpose that the answer rejects, which stays unchanged. */
  readonly rejects?: string;
  /** The field whose value is accepted but not kept. */
  readonly drops?: string;
  readonly late?: number;
  readonly takes?: number;
}

/** The fault of a reading; `lag` is its age in milliseconds. */
export interface ReadingFault {
  readonly end?: 'fails' | 'unreadable' | 'empty';
  /** The purpose or field that the reading lacks. */
  readonly lacks?: string;
  /** The record that the reading shows of a purpose in place of the real one. */
  readonly says?: ConsentRecord;
  readonly lag?: number;
  readonly takes?: number;
}

export interface SchemaFault {
  readonly end?: 'fails';
  readonly takes?: number;
}

/** The items of the pages; `d` is on by default, and `e` has a single choice. */
const items: Readonly<Record<string, Item>> = {
  a: aPurpose('a', { topics: topics('t', 'u') }),
  b: aPurpose('b'),
  c: aPurpose('c'),
  d: aPurpose('d', { topics: topics('t'), onByDefault: true }),
  e: aPurpose('e', { preferences: [aPreference('p', ['x', 'y'], { choice: 'single' })] }),
};

/** Typed texts by field, each with its value on the wire; undefined is a mistake. */
export const inputs: Readonly<Record<string, Readonly<Record<string, string | undefined>>>> = {
  name: { Anna: 'Anna', Ann: 'Ann', ' Ann ': 'Ann', '': '', ['A'.repeat(751)]: undefined },
  born: { '2001-02-03': '02/03/2001', '1999-12-31': '12/31/1999', '': '', soon: undefined },
  count: { 1: '1', 2: '2', '٢': '2', '': '', many: undefined },
  plan: { small: 'small', large: 'large', '': '', huge: undefined },
  mail: { 'a@example.org': 'a@example.org', 'b@example.org': 'b@example.org', '': undefined, a: undefined },
};
const elements: Readonly<Record<string, Item>> = {
  name: anElement('name'),
  born: anElement('born', { type: 'date' }),
  count: anElement('count', { type: 'number' }),
  plan: anElement('plan', { type: 'choice', options: offered('small', 'large') }),
  mail: anElement('mail', { type: 'email', required: true }),
};
export const languages = ['en-us', 'fr', 'pt-br'] as const;

/** The key of a field's value on the wire. */
export function labelOf(field: string): string {
  const element = elements[field];
  return element?.kind === 'data-element' ? element.element.label : field;
}

/** The values of a subject by field, with its language. */
export function valuesIn(of: {
  readonly dataElements: Values;
  readonly language: string | undefined;
}): Values {
  const typed = Object.keys(elements).flatMap((field): [string, string][] => {
    const value = of.dataElements[labelOf(field)];
    return value === undefined ? [] : [[field, value]];
  });
  return { ...Object.fromEntries(typed), ...(of.language === undefined ? {} : { language: of.language }) };
}

/** The keys of purposes, of topics like `a/t`, and of options like `e/x`. */
export const everyKey = ['a', 'a/t', 'a/u', 'b', 'c', 'd', 'd/t', 'e', 'e/x', 'e/y'] as const;

/** The other option of a single choice. */
const others: Readonly<Record<string, string>> = { 'e/x': 'e/y', 'e/y': 'e/x' };

export function otherOption(key: string): string | undefined {
  return others[key];
}

export function purposeIn(key: string): string {
  return key.slice(0, 1);
}

/** The keys of the topics and options of a purpose. */
export function choicesUnder(purpose: string): readonly string[] {
  return everyKey.filter((key) => key.startsWith(`${purpose}/`));
}

type Chosen = Pick<ConsentRecord, 'topics' | 'preferences'>;

export function keysOf(purpose: string, { topics: chosen, preferences }: Chosen): readonly string[] {
  const options = preferences.flatMap((each) => each.options);
  return [purpose, ...[...chosen, ...options].map((choice) => `${purpose}/${choice}`)];
}

export function keysOn(records: readonly ConsentRecord[]): readonly string[] {
  return records.flatMap((record) =>
    record.status === 'active' || record.status === 'always-active' ? keysOf(record.purpose, record) : [],
  );
}

export function centerOffering(
  offers: readonly string[],
  { hides = [], fields = [] }: Pick<Script, 'hides' | 'fields'>,
  change: Partial<Center>,
): Center {
  const itemsOf = (ids: readonly string[]) => ids.flatMap((id) => items[id] ?? []);
  const shown = itemsOf(offers.filter((id) => !hides.includes(id)));
  const hidden = itemsOf(offers.filter((id) => hides.includes(id)));
  return aCenter([...shown, ...fields.flatMap((field) => elements[field] ?? [])], {
    languages,
    hidden: hidden.flatMap((item) => (item.kind === 'purpose' ? item.purpose : [])),
    ...change,
  });
}
