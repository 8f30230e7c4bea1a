/** What a script can say: what centers offer, what a person does there, and what becomes of calls and readings. */

import type { Center, Item } from '../../../src/core/model/center/center.ts';
import type { ConsentRecord } from '../../../src/core/model/person/subject.ts';
import { aCenter, anElement, aPreference, aPurpose, offered, topics } from '../center-builder.ts';

export interface Script {
  /** By id: the purposes that it offers. */
  readonly centers: Readonly<Record<string, readonly string[]>>;
  /** One record for all centers, or each its own. */
  readonly isShared?: boolean;
  /** Any save confirms what is on by default. */
  readonly confirms?: boolean;
  /** Purposes that no page shows. */
  readonly hides?: readonly string[];
  /** Data elements, on the page of each center. */
  readonly fields?: readonly string[];
  readonly start?: readonly ConsentRecord[];
  readonly values?: Values;
  readonly steps: readonly Step[];
  /** By number, from 0. */
  readonly calls?: Readonly<Record<number, CallFault>>;
  readonly readings?: Readonly<Record<number, ReadingFault>>;
  readonly schemas?: Readonly<Record<number, SchemaFault>>;
  /** Milliseconds of the store's answers, in turn; 0 if absent. */
  readonly stored?: readonly number[];
  /** From when until when the platform is not reached, in milliseconds. */
  readonly away?: readonly [from: number, until: number];
  /** A value or language for which the platform refuses the whole call. */
  readonly refuses?: string;
}

/** By field: the values on record as they go over the wire, and the person's language as `language`. */
export type Values = Readonly<Record<string, string>>;

/** `gap`: since the step before; 1,000 milliseconds if absent. */
export type Step = { readonly gap?: number } & (
  | ({ readonly act: 'draw'; readonly center: string; readonly tab: string } & DrawnAs)
  /**
   * `toggles`: which purposes and choices of the tab are changed. `renews`: which are agreed to once more. `types`: by
   * field, as a browser posts it. `keeps`: the page's language is to be the person's. `isAway`: the center cannot be
   * read to show a form with mistakes again. `asShown`: after so many milliseconds, or before them if negative, the
   * form is posted as it was shown, too.
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
  /** Without a purpose: everything. */
  | { readonly act: 'click'; readonly center: string; readonly purpose?: string | undefined }
  | { readonly act: 'leave'; readonly center: string }
  | { readonly act: 'object'; readonly center: string; readonly lag?: number }
  /** `back`: how many submissions came after it. */
  | { readonly act: 'undo'; readonly back?: number }
  /** The same request once more, as by a browser that goes back. */
  | { readonly act: 'again'; readonly back?: number }
  | { readonly act: 'elsewhere'; readonly center: string; readonly record: ConsentRecord }
  | { readonly act: 'edit-elsewhere'; readonly center: string; readonly values: Values }
  | { readonly act: 'offer'; readonly center: string; readonly offers: readonly string[] }
  /** The process dies; another one goes on when the lease has ended. */
  | { readonly act: 'kill' }
  /**
   * Changes nothing, and fails where something is otherwise. `on`: by center, what is on, in brackets by default. `told`: of each
   * submission, as `on a: saved, off b: locked (watched)`. `wire`: calls and readings till then. `rows`: which decided.
   */
  | {
      readonly act: 'look';
      readonly on: Values;
      readonly told: readonly string[];
      readonly wire?: string;
      readonly rows?: string;
    }
);

/** `lag`: the age of the reading. `isObjecting`: by a browser that sends `Sec-GPC: 1`. `language`: the page's. */
export interface DrawnAs {
  readonly lag?: number;
  readonly language?: string;
  readonly scope?: 'manage' | 'withdraw';
  readonly isObjecting?: boolean;
}

/** `late`: when it lands. `takes`: when it ends. In milliseconds. */
export interface CallFault {
  readonly end?: 'unsent' | 'refused' | 'lost' | 'landed-and-lost' | 'ignored';
  /** A purpose that the answer rejects: it stays as it was. */
  readonly rejects?: string;
  /** A field whose value is accepted and not kept. */
  readonly drops?: string;
  readonly late?: number;
  readonly takes?: number;
}

/** `lag`: how old it is, in milliseconds. */
export interface ReadingFault {
  readonly end?: 'fails' | 'unreadable' | 'empty';
  /** A purpose, or a field. */
  readonly lacks?: string;
  /** What it says of a purpose that it shows, in place of what is so. */
  readonly says?: ConsentRecord;
  readonly lag?: number;
  readonly takes?: number;
}

export interface SchemaFault {
  readonly end?: 'fails';
  readonly takes?: number;
}

/** `d` is on by default; of the options of `e` one may be chosen. */
const items: Readonly<Record<string, Item>> = {
  a: aPurpose('a', { topics: topics('t', 'u') }),
  b: aPurpose('b'),
  c: aPurpose('c'),
  d: aPurpose('d', { topics: topics('t'), onByDefault: true }),
  e: aPurpose('e', { preferences: [aPreference('p', ['x', 'y'], { choice: 'single' })] }),
};

/** Some of what can be typed, as a browser posts it, and as it goes over the wire; undefined: a mistake. */
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

/** By field, from what stands by label and in the member for the language. */
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

/** Purposes, topics as `a/t`, and options as `e/x`. */
export const everyKey = ['a', 'a/t', 'a/u', 'b', 'c', 'd', 'd/t', 'e', 'e/x', 'e/y'] as const;

/** The other option of a single choice. */
const others: Readonly<Record<string, string>> = { 'e/x': 'e/y', 'e/y': 'e/x' };

export function otherOption(key: string): string | undefined {
  return others[key];
}

export function purposeIn(key: string): string {
  return key.slice(0, 1);
}

/** Topics and options. */
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
