/** What scripts are written with. */

import type { ConsentRecord } from '../../../src/core/model/person/subject.ts';
import { record } from '../center-builder.ts';
import type { ReadingFault, Step, Values } from './script.ts';

export const shared = (A: readonly string[], B: readonly string[]) => ({ isShared: true, centers: { A, B } });
export const on = (purpose: string, ...topics: readonly string[]) => record(purpose, 'active', topics);
export const off = (purpose: string) => record(purpose, 'off');
export const draw = (center: string, tab = center): Step => ({ act: 'draw', center, tab });
export const post = (tab: string, ...toggles: readonly string[]): Step => ({ act: 'post', tab, toggles });
export const type = (tab: string, types: Values): Step => ({ act: 'post', tab, types });
/** Keeps the page's language as the person's. */
export const keep = (tab: string): Step => ({ act: 'post', tab, keeps: true });
/** By one click: everything, or one purpose. */
export const click = (center: string, purpose?: string): Step => ({ act: 'click', center, purpose });
export const leave = (center: string): Step => ({ act: 'leave', center });
export const undo = (back = 0): Step => ({ act: 'undo', back });
export const elsewhere = (center: string, is: ConsentRecord): Step => ({
  act: 'elsewhere',
  center,
  record: is,
});
export const after = (gap: number, step: Step): Step => ({ ...step, gap });
export const kill: Step = { gap: 1, act: 'kill' };

export const unsent = { end: 'unsent' } as const;
export const lost = { end: 'lost' } as const;
/** Readings are all so: 40, or from one to another. */
export const every = (fault: ReadingFault, from = 0, until = 40) =>
  Object.fromEntries(Array.from({ length: until - from }, (_, index) => [from + index, fault]));
