/** What a script can say: what centers offer, what a person does there, and what becomes of calls and readings. */

import type { Center, Item } from '../../../src/core/model/center/center.ts';
import type { ConsentRecord } from '../../../src/core/model/person/subject.ts';
import { aCenter, aPreference, aPurpose, topics } from '../center-builder.ts';

export interface Script {
  /** By id: the purposes that it offers. */
  readonly centers: Readonly<Record<string, readonly string[]>>;
  /** One record for all centers, or each its own. */
  readonly isShared?: boolean;
  /** Any save confirms what is on by default. */
  readonly confirms?: boolean;
  /** Purposes that no page shows. */
  readonly hides?: readonly string[];
  readonly start?: readonly ConsentRecord[];
  readonly steps: readonly Step[];
  /** By number, from 0. */
  readonly calls?: Readonly<Record<number, CallFault>>;
  readonly readings?: Readonly<Record<number, ReadingFault>>;
}

/** `gap`: since the step before; 1,000 milliseconds if absent. */
export type Step = { readonly gap?: number } & (
  | ({ readonly act: 'draw'; readonly center: string; readonly tab: string } & DrawnAs)
  /** `toggles`: which purposes and choices of the tab are changed. `renews`: which are agreed to once more. */
  | {
      readonly act: 'post';
      readonly tab: string;
      readonly toggles?: readonly string[];
      readonly renews?: readonly string[];
    }
  /** Without a purpose: everything. */
  | { readonly act: 'click'; readonly center: string; readonly purpose?: string | undefined }
  | { readonly act: 'leave'; readonly center: string }
  | { readonly act: 'object'; readonly center: string; readonly lag?: number }
  /** `back`: how many submissions came after it. */
  | { readonly act: 'undo'; readonly back?: number }
  | { readonly act: 'elsewhere'; readonly center: string; readonly record: ConsentRecord }
  | { readonly act: 'offer'; readonly center: string; readonly offers: readonly string[] }
  /** The process dies; another one goes on when the lease has ended. */
  | { readonly act: 'kill' }
);

/** `lag`: the age of the reading. `isObjecting`: by a browser that sends `Sec-GPC: 1`. */
export interface DrawnAs {
  readonly lag?: number;
  readonly scope?: 'manage' | 'withdraw';
  readonly isObjecting?: boolean;
}

/** `late`: when it lands. `takes`: when it ends. In milliseconds. */
export interface CallFault {
  readonly end?: 'unsent' | 'refused' | 'lost' | 'landed-and-lost' | 'ignored';
  /** A purpose that the answer rejects: it stays as it was. */
  readonly rejects?: string;
  readonly late?: number;
  readonly takes?: number;
}

/** `lag`: how old it is, in milliseconds. */
export interface ReadingFault {
  readonly end?: 'fails' | 'unreadable' | 'empty';
  readonly lacks?: string;
  readonly lag?: number;
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
  hides: readonly string[],
  change: Partial<Center>,
): Center {
  const itemsOf = (ids: readonly string[]) => ids.flatMap((id) => items[id] ?? []);
  const shown = itemsOf(offers.filter((id) => !hides.includes(id)));
  const hidden = itemsOf(offers.filter((id) => hides.includes(id)));
  return aCenter(shown, {
    hidden: hidden.flatMap((item) => (item.kind === 'purpose' ? item.purpose : [])),
    ...change,
  });
}
