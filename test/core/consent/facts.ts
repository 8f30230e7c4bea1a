/** The facts about a word, by the data of the person and a reading. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DesiredItem } from '../../../src/core/consent/desired-state.ts';
import { factsOf } from '../../../src/core/consent/step-facts.ts';
import type { Facts } from '../../../src/core/consent/step-rows.ts';
import { aWord, drafted, now, type Parts, read } from './drafts.ts';

export type Case = Parts & { readonly word: DesiredItem; readonly reads?: string };
export type Row = readonly [what: string, is: Partial<Facts>, by: Case];

export const off = aWord('purpose a');
export const on = aWord('purpose a', { want: 'on' });
export const topic = aWord('topic a t', { want: 'on' });
export const value = aWord('element e', { want: { value: '1', label: 'E' } });
export const older = { order: 4 };
export const newer = { order: 6 };
export const sent = { phase: 'sent', call: 7 } as const;

export const granted = (order: number, isSure: boolean, at = now - 60) => ({
  granted: { order, at, isSure },
});

export function playFacts(tables: Readonly<Record<string, readonly Row[]>>): void {
  for (const [name, rows] of Object.entries(tables)) {
    describe(name, () => {
      for (const [what, is, { word, reads = '', here, ...parts }] of rows) {
        test(what, () => {
          const items = [word, ...(here?.items ?? [])];
          const facts = factsOf(drafted({ ...parts, here: { ...here, items } }), read(reads))(word);
          const found = Object.fromEntries(Object.keys(is).map((fact) => [fact, facts[fact as keyof Facts]]));
          assert.deepEqual(found, is);
        });
      }
    });
  }
}
