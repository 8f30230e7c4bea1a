import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { basename } from 'node:path';
import type { Act, Rules, Setting } from './every-schedule-world.ts';
import type { Planted } from './planted-faults.ts';

const consent = new URL('../../src/core/consent/', import.meta.url).href;

export async function rules(query = ''): Promise<Rules> {
  const module = async (name: string) => import(`${consent}${name}${query}`);
  const [state, said, seen, stepped, call] = await Promise.all(
    ['desired-state.ts', 'say.ts', 'observe.ts', 'step.ts', 'step-call.ts'].map(module),
  );
  return { ...state, ...said, ...seen, ...stepped, ...call } as Rules;
}

let planted = 0;

/** Loads the modules of `consent` again with a planted fault in one file; all other modules stay. */
export async function rulesWith({ file, from, to }: Planted): Promise<Rules> {
  planted += 1;
  const query = `?planted=${planted}`;
  const faulty = `${consent}${file}`;
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      const isOfThese = context.parentURL?.endsWith(query) === true && resolved.url.startsWith(consent);
      return isOfThese ? { ...resolved, url: `${resolved.url.split('?')[0]}${query}` } : resolved;
    },
    load(url, context, next) {
      if (!url.endsWith(query)) return next(url, context);
      const path = url.slice(0, -query.length);
      const source = readFileSync(new URL(path), 'utf8');
      const parts = source.split(from);
      if (path === faulty && parts.length !== 2)
        throw new Error(`${basename(path)} has this ${parts.length - 1} times: ${from}`);
      return {
        format: 'module-typescript',
        source: path === faulty ? parts.join(to) : source,
        shortCircuit: true,
      };
    },
  });
  try {
    return await rules(query);
  } finally {
    hooks.deregister();
  }
}

const on = (form: Act['form'], center = 'a'): Act => ({ center, on: ['p'], form });
const off = (form: Act['form'], center = 'a'): Act => ({ center, off: ['p'], form });
const object: Act = { center: 'a', off: ['p'], form: 'objection' };
const all = (form: Act['form'], center = 'a'): Act => ({ center, everything: true, form });

type World = Omit<Setting, 'name' | 'acts' | 'start'>;

const one: World = { isShared: true, purposes: { a: ['p'] }, adverse: 1, elsewhere: 1 };
const beside: World = { ...one, purposes: { a: ['p', 'q'] } };
const shared: World = { ...one, purposes: { a: ['p'], b: ['p'] }, elsewhere: 0 };
const sharedBeside: World = { ...shared, purposes: { a: ['p'], b: ['p', 'q'] } };
const own: World = { ...shared, isShared: false };
const byDefault: World = { ...one, onByDefault: ['p'] };
const alone = { elsewhere: 0 };

const onBeside: Act = { center: 'b', on: ['q'], form: 'new' };
const onBesideOff = { p: 'active', q: 'off' } as const;
const isOff = { p: 'off' } as const;
const isOn = { p: 'active' } as const;
const bothOn = { p: 'active', q: 'active' } as const;
const offBesideOn = { p: 'off', q: 'active' } as const;

type Row = readonly [
  name: string,
  acts: readonly Act[],
  start: Setting['start'],
  world: World,
  more?: Partial<Setting & { readonly deep: number }>,
];

/** The rows of settings; `deep` is the number of adverse events in the long run, 2 by default. */
const rows: readonly Row[] = [
  ['on', [on('old')], offBesideOn, beside, { deep: 3 }],
  ['on beside what comes on', [on('old')], { p: 'off', q: 'off' }, beside],
  ['click all of what is off', [all('one-click')], isOff, one, { adverse: 2 }],
  ['on beside, click all', [on('old'), all('one-click')], offBesideOn, beside, alone],
  ['on what is on no record', [on('old')], {}, one, { elsewhere: 2 }],
  ['off', [off('old')], bothOn, beside],
  ['everything', [all('old')], bothOn, beside],
  ['click', [off('one-click')], bothOn, beside],
  ['click all', [all('one-click')], bothOn, beside],
  ['on, off', [on('old'), off('new')], isOff, one],
  ['on, off, on', [on('old'), off('new'), on('new')], isOff, one, alone],
  ['off, on', [off('old'), on('new')], isOn, one],
  ['off, on, off', [off('old'), on('new'), off('new')], isOn, one, alone],
  ['on, on by a form as old', [on('old'), on('old')], isOff, one],
  ['on, on by a newer form', [on('old'), on('new')], isOff, one],
  ['on, click, on by an old form', [on('old'), off('one-click'), on('old')], isOff, one, alone],
  ['click, on by an old form', [off('one-click'), on('old')], isOff, one],
  ['click, on', [off('one-click'), on('new')], isOn, one],
  ['click, click', [off('one-click'), off('one-click')], isOn, one],
  ['everything, on', [all('old'), on('new')], isOn, one],
  ['click all, on', [all('one-click'), on('new')], isOn, one],
  ['click all, on by an old form', [all('one-click'), on('old')], isOff, one],
  ['click all, click all', [all('one-click'), all('one-click')], isOn, one],
  ['on, everything', [on('old'), all('new')], isOff, one],
  ['on, click all', [on('old'), all('one-click')], isOff, one],
  ['off what is on by default', [off('old')], { p: 'implicit' }, byDefault],
  ['click what is on by default', [off('one-click')], {}, byDefault],
  ['click all that is on by default', [all('one-click')], {}, byDefault],
  ['objection to what is on by default', [object], {}, byDefault],
  ['objection, click', [object, off('one-click')], {}, byDefault],
  ['objection, objection', [object, object], {}, byDefault],
  ['click, objection', [off('one-click'), object], {}, byDefault],
  ['objection, click all', [object, all('one-click')], {}, byDefault],
  ['one record: on in b, off in a', [on('old', 'b'), off('new')], isOff, shared],
  ['two records: on in b, click in a', [on('old', 'b'), off('one-click')], isOff, own],
  ['one record: off in a, on in b', [off('old'), on('new', 'b')], isOn, shared],
  ['one record: off in a, on beside in b', [off('old'), onBeside], onBesideOff, sharedBeside],
  ['one record: click all in a, on beside in b', [all('one-click'), onBeside], onBesideOff, sharedBeside],
  ['one record: click all in a, on in b by an old form', [all('one-click'), on('old', 'b')], isOff, shared],
  ['one record: on in b, click all in a', [on('old', 'b'), all('one-click')], isOff, shared],
  ['two records: click all in a, on in b', [all('one-click'), on('new', 'b')], isOff, own],
];

export const settings: readonly (Setting & { readonly deep: number })[] = rows.map(
  ([name, acts, start, world, more]) => ({ name, acts, start, deep: 2, ...world, ...more }),
);
