import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Act, Rules, Setting } from './every-schedule-world.ts';

export const core = new URL('../../src/core/', import.meta.url).pathname;

export async function rulesIn(folder: string): Promise<Rules> {
  const module = async (name: string) => import(pathToFileURL(join(folder, 'consent', name)).href);
  const [state, said, seen, stepped, call] = await Promise.all(
    ['desired-state.ts', 'say.ts', 'observe.ts', 'step.ts', 'step-call.ts'].map(module),
  );
  return { ...state, ...said, ...seen, ...stepped, ...call } as Rules;
}

const on = (form: Act['form'], center = 'a'): Act => ({ center, on: ['p'], form });
const off = (form: Act['form'], center = 'a'): Act => ({ center, off: ['p'], form });
const all = (form: Act['form'], center = 'a'): Act => ({ center, everything: true, form });

const one: Omit<Setting, 'name' | 'acts' | 'start'> = {
  isShared: true,
  purposes: { a: ['p'] },
  adverse: 1,
  elsewhere: 1,
};
const beside = { ...one, purposes: { a: ['p', 'q'] } };
const shared = { ...one, purposes: { a: ['p'], b: ['p'] }, elsewhere: 0 };
const own = { ...shared, isShared: false };
const isOff = { p: 'off' } as const;
const isOn = { p: 'active' } as const;

/** `deep`: adverse events in the long form. */
export const settings: readonly (Setting & { readonly deep: number })[] = [
  { name: 'on', acts: [on('old')], start: { p: 'off', q: 'active' }, ...beside, deep: 3 },
  { name: 'on beside what comes on', acts: [on('old')], start: { p: 'off', q: 'off' }, ...beside, deep: 2 },
  { name: 'click all of what is off', acts: [all('one-click')], start: isOff, ...one, adverse: 2, deep: 2 },
  {
    name: 'on beside, click all',
    acts: [on('old'), all('one-click')],
    start: { p: 'off', q: 'active' },
    ...beside,
    elsewhere: 0,
    deep: 2,
  },
  { name: 'on what is on no record', acts: [on('old')], start: {}, ...one, elsewhere: 2, deep: 2 },
  { name: 'off', acts: [off('old')], start: { p: 'active', q: 'active' }, ...beside, deep: 2 },
  { name: 'everything', acts: [all('old')], start: { p: 'active', q: 'active' }, ...beside, deep: 2 },
  {
    name: 'click',
    acts: [off('one-click')],
    start: { p: 'active', q: 'active' },
    ...beside,
    deep: 2,
  },
  { name: 'click all', acts: [all('one-click')], start: { p: 'active', q: 'active' }, ...beside, deep: 2 },
  { name: 'on, off', acts: [on('old'), off('new')], start: isOff, ...one, deep: 2 },
  {
    name: 'on, off, on',
    acts: [on('old'), off('new'), on('new')],
    start: isOff,
    ...one,
    elsewhere: 0,
    deep: 2,
  },
  { name: 'off, on', acts: [off('old'), on('new')], start: isOn, ...one, deep: 2 },
  {
    name: 'off, on, off',
    acts: [off('old'), on('new'), off('new')],
    start: isOn,
    ...one,
    elsewhere: 0,
    deep: 2,
  },
  {
    name: 'on, on by a form as old',
    acts: [on('old'), on('old')],
    start: isOff,
    ...one,
    deep: 2,
  },
  { name: 'on, on by a newer form', acts: [on('old'), on('new')], start: isOff, ...one, deep: 2 },
  {
    name: 'on, click, on by an old form',
    acts: [on('old'), off('one-click'), on('old')],
    start: isOff,
    ...one,
    elsewhere: 0,
    deep: 2,
  },
  { name: 'click, on by an old form', acts: [off('one-click'), on('old')], start: isOff, ...one, deep: 2 },
  { name: 'click, on', acts: [off('one-click'), on('new')], start: isOn, ...one, deep: 2 },
  { name: 'click, click', acts: [off('one-click'), off('one-click')], start: isOn, ...one, deep: 2 },
  { name: 'everything, on', acts: [all('old'), on('new')], start: isOn, ...one, deep: 2 },
  { name: 'click all, on', acts: [all('one-click'), on('new')], start: isOn, ...one, deep: 2 },
  {
    name: 'click all, on by an old form',
    acts: [all('one-click'), on('old')],
    start: isOff,
    ...one,
    deep: 2,
  },
  { name: 'click all, click all', acts: [all('one-click'), all('one-click')], start: isOn, ...one, deep: 2 },
  { name: 'on, everything', acts: [on('old'), all('new')], start: isOff, ...one, deep: 2 },
  { name: 'on, click all', acts: [on('old'), all('one-click')], start: isOff, ...one, deep: 2 },
  {
    name: 'off what is on by default',
    acts: [off('old')],
    start: { p: 'implicit' },
    onByDefault: ['p'],
    ...one,
    deep: 2,
  },
  {
    name: 'click what is on by default',
    acts: [off('one-click')],
    start: {},
    onByDefault: ['p'],
    ...one,
    deep: 2,
  },
  {
    name: 'click all that is on by default',
    acts: [all('one-click')],
    start: {},
    onByDefault: ['p'],
    ...one,
    deep: 2,
  },
  {
    name: 'one record: on in b, off in a',
    acts: [on('old', 'b'), off('new')],
    start: isOff,
    ...shared,
    deep: 2,
  },
  {
    name: 'two records: on in b, click in a',
    acts: [on('old', 'b'), off('one-click')],
    start: isOff,
    ...own,
    deep: 2,
  },
  {
    name: 'one record: off in a, on in b',
    acts: [off('old'), on('new', 'b')],
    start: isOn,
    ...shared,
    deep: 2,
  },
  {
    name: 'one record: click all in a, on in b by an old form',
    acts: [all('one-click'), on('old', 'b')],
    start: isOff,
    ...shared,
    deep: 2,
  },
  {
    name: 'one record: on in b, click all in a',
    acts: [on('old', 'b'), all('one-click')],
    start: isOff,
    ...shared,
    deep: 2,
  },
  {
    name: 'two records: click all in a, on in b',
    acts: [all('one-click'), on('new', 'b')],
    start: isOff,
    ...own,
    deep: 2,
  },
];
