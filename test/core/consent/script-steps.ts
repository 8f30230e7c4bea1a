/** The vocabulary of scripts. */

import type { ConsentRecord } from '../../../src/core/model/person/subject.ts';
import { record, recordsOf } from '../center-builder.ts';
import type { ReadingFault, Script, Step, Values } from './script.ts';

export const sec = 1_000;
export const min = 60 * sec;

type Steps = readonly (Step | readonly (Step | readonly Step[])[])[];

/** A script from the record of a center with three purposes, in the form `a[t] b:off`. */
export const from = (start: string, steps: Steps): Script => given({}, start, steps);

export function given(more: Partial<Script>, start: string, steps: Steps): Script {
  return { centers: { A: ['a', 'b', 'c'] }, start: recordsOf(start), steps: steps.flat(2), ...more };
}

export const shared = (A: readonly string[], B: readonly string[]) => ({ isShared: true, centers: { A, B } });
export const on = (purpose: string, ...topics: readonly string[]) => record(purpose, 'active', topics);
export const off = (purpose: string) => record(purpose, 'off');
export const draw = (center: string, tab = center): Step => ({ act: 'draw', center, tab });
export const post = (tab: string, ...toggles: readonly string[]): Step => ({ act: 'post', tab, toggles });
export const type = (tab: string, types: Values): Step => ({ act: 'post', tab, types });
/** Posts a form that keeps the language of the page. */
export const keep = (tab: string): Step => ({ act: 'post', tab, keeps: true });
/** Withdraws one purpose, or everything, by one click. */
export const click = (center: string, purpose?: string): Step => ({ act: 'click', center, purpose });
export const leave = (center: string): Step => ({ act: 'leave', center });
export const undo = (back = 0): Step => ({ act: 'undo', back });
export const elsewhere = (center: string, is: ConsentRecord): Step => ({
  act: 'elsewhere',
  center,
  record: is,
});
/** Changes the record of the center `A` elsewhere, in the form `a[t]`. */
export const others = (is: string): Step => ({
  act: 'elsewhere',
  center: 'A',
  record: recordsOf(is)[0] as ConsentRecord,
});
export const after = (gap: number, step: Step): Step => ({ ...step, gap });
export const kill: Step = { gap: 1, act: 'kill' };

export const unsent = { end: 'unsent' } as const;
export const lost = { end: 'lost' } as const;
/** Gives 40 readings the same fault, or those of a range. */
export const every = (fault: ReadingFault, from = 0, until = 40) =>
  Object.fromEntries(Array.from({ length: until - from }, (_, index) => [from + index, fault]));
