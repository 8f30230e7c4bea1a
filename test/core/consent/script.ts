/** What a script can say: what centers offer, what a person does there, and what becomes of calls and readings. */

import type { Center, Item } from '../../../src/core/model/center/center.ts';
import type { ConsentRecord } from '../../../src/core/model/person/subject.ts';
import { aCenter, aPurpose, topics } from '../center-builder.ts';

export interface Script {
  /** By id: the purposes that it offers. */
  readonly centers: Readonly<Record<string, readonly string[]>>;
  /** One record for all centers, or each its own. */
  readonly isShared?: boolean;
  /** Any save confirms what is on by default. */
  readonly confirms?: boolean;
  readonly start?: readonly ConsentRecord[];
  readonly steps: readonly Step[];
  /** By number, from 0. */
  readonly calls?: Readonly<Record<number, CallFault>>;
  readonly readings?: Readonly<Record<number, ReadingFault>>;
}

/** `gap`: since the step before; 1,000 milliseconds if absent. */
export type Step = { readonly gap?: number } & (
  | { readonly act: 'draw'; readonly center: string; readonly tab: string; readonly lag?: number }
  /** `toggles`: which purposes and choices of the tab are changed. */
  | { readonly act: 'post'; readonly tab: string; readonly toggles?: readonly string[] }
  /** Without a purpose: everything. */
  | { readonly act: 'click'; readonly center: string; readonly purpose?: string | undefined }
  | { readonly act: 'leave'; readonly center: string }
  | { readonly act: 'object'; readonly center: string; readonly lag?: number }
  /** `back`: how many submissions came after it. */
  | { readonly act: 'undo'; readonly back?: number }
  | { readonly act: 'elsewhere'; readonly center: string; readonly record: ConsentRecord }
  | { readonly act: 'offer'; readonly center: string; readonly offers: readonly string[] }
);

/** `late`: when it lands. `takes`: when it ends. In milliseconds. */
export interface CallFault {
  readonly end?: 'unsent' | 'refused' | 'lost' | 'landed-and-lost' | 'ignored';
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

/** `d` is on by default. */
const items: Readonly<Record<string, Item>> = {
  a: aPurpose('a', { topics: topics('t', 'u') }),
  b: aPurpose('b'),
  c: aPurpose('c'),
  d: aPurpose('d', { topics: topics('t'), onByDefault: true }),
};

/** Purposes, and topics as `a/t`. */
export const everyKey = ['a', 'a/t', 'a/u', 'b', 'c', 'd', 'd/t'] as const;

export function purposeIn(key: string): string {
  return key.slice(0, 1);
}

export function topicsUnder(purpose: string): readonly string[] {
  return everyKey.filter((key) => key.startsWith(`${purpose}/`));
}

export function keysOf(purpose: string, chosen: readonly string[]): readonly string[] {
  return [purpose, ...chosen.map((topic) => `${purpose}/${topic}`)];
}

export function keysOn(records: readonly ConsentRecord[]): readonly string[] {
  return records.flatMap(({ purpose, status, topics: chosen }) =>
    status === 'active' || status === 'always-active' ? keysOf(purpose, chosen) : [],
  );
}

export function centerOffering(offers: readonly string[], change: Partial<Center>): Center {
  return aCenter(
    offers.flatMap((purpose) => items[purpose] ?? []),
    change,
  );
}
