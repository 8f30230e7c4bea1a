import assert from 'node:assert/strict';
import type { ConsentRecord, RecordedStatus } from '../../../src/core/model/person/subject.ts';
import type { Dice } from '../../chaos/dice.ts';
import { record } from '../center-builder.ts';
import {
  type CallFault,
  everyKey,
  inputs,
  languages,
  purposeIn,
  type ReadingFault,
  type SchemaFault,
  type Script,
  type Step,
  type Values,
} from './script.ts';
import { play } from './script-world.ts';

const offers = [
  ['a', 'b'],
  ['a', 'd'],
  ['b', 'd'],
  ['b', 'c'],
  ['a'],
  ['d'],
  ['a', 'b', 'd'],
  ['e'],
  ['b', 'e'],
  ['d', 'e'],
];
/** Values that are on record at first or set elsewhere, also ones that no form of the product writes. */
const recorded: Readonly<Record<string, readonly string[]>> = {
  name: ['Anna', 'Ann', 'Anna ', ''],
  born: ['02/03/2001', '2/3/2001', '1999-12-31T00:00:00Z', 'once', ''],
  count: ['1', '2', 'few', ''],
  plan: ['small', 'gone', ''],
  mail: ['a@example.org', 'b@example.org', 'none', ''],
  language: ['en-us', 'en_US', 'fr', 'pt-BR', 'de'],
};
const gaps = [0, 1, 30, 80, 120, 300, 1_000, 3_000, 6_000, 9_000, 11_000, 20_000, 31_000, 61_000, 125_000];
const longGaps = [300_000, 620_000, 1_900_000, 3_600_000, 82_800_000, 90_000_000];
const lags = [0, 0, 0, 0, 0, 500, 2_000, 5_000, 8_000, 9_900];
const ends = ['lost', 'lost', 'landed-and-lost', 'landed-and-lost', 'unsent', 'refused'] as const;
const storeDelays = [0, 0, 0, 20, 60, 400];
const delays = [500, 2_000, 8_000, 12_000, 40_000, 100_000, 200_000, 400_000, 540_000];

function randomScript(dice: Dice): Script {
  const happens = (chance: number) => dice.next() < chance;
  const names = ['A', 'B', 'C'].slice(0, happens(0.5) ? 1 : happens(0.8) ? 2 : 3);
  const centers = Object.fromEntries(names.map((name) => [name, dice.pick(offers)]));
  const isOne = names.length === 1;
  const all = [...new Set(Object.values(centers).flat())];
  const keys = everyKey.filter((key) => all.includes(purposeIn(key)));
  const aRecord = (purpose: string, status: RecordedStatus): ConsentRecord => {
    const topics = keys.flatMap((key) => (key.startsWith(`${purpose}/`) && happens(0.4) ? key.slice(2) : []));
    const rawStatus = status === 'off' ? dice.pick(['WITHDRAWN', 'OPT_OUT']) : undefined;
    const isActive = status === 'active';
    const options = isActive && purpose === 'e' && happens(0.7) ? [dice.pick(['x', 'y'])] : [];
    const preferences = options.length > 0 ? [{ id: 'p', options }] : [];
    const chosen = isActive && purpose !== 'e' ? topics : [];
    return { ...record(purpose, status, chosen, preferences), rawStatus };
  };

  const aStatus = (purpose: string): RecordedStatus => {
    if (happens(0.85)) return happens(0.6) ? 'active' : 'off';
    if (happens(0.5)) return purpose === 'd' ? 'implicit' : 'pending';
    return dice.pick(['hard-opt-out', 'expired', 'no-consent', 'always-active'] as const);
  };

  const fields = happens(0.5) ? Object.keys(inputs).filter(() => happens(0.4)) : [];
  const someValues = (chance: number): Values => {
    const some = [...fields, 'language'].filter(() => happens(chance));
    return Object.fromEntries(some.map((field) => [field, dice.pick(recorded[field] ?? [''])]));
  };
  const typed = (): Values => {
    const some = fields.filter(() => happens(0.3));
    return Object.fromEntries(
      some.map((field) => {
        const all = Object.entries(inputs[field] ?? {});
        const right = all.filter(([, wire]) => wire !== undefined);
        return [field, dice.pick(happens(0.9) ? right : all)[0]];
      }),
    );
  };

  const start = all.flatMap((purpose) => (happens(0.75) ? aRecord(purpose, aStatus(purpose)) : []));
  const aStep = (): Step => {
    const gap = dice.pick(happens(0.85) ? gaps : longGaps);
    const center = dice.pick(names);
    const tab = dice.pick(['one', 'two']);
    const lag = happens(0.3) ? dice.pick(lags) : 0;
    const purpose = dice.pick(centers[center] ?? all);
    const act = dice.whole(1, 21);
    const scope = happens(0.1) ? 'withdraw' : 'manage';
    if (act <= 6) {
      const language = happens(0.3) ? dice.pick(languages) : 'en-us';
      return { gap, act: 'draw', center, tab, lag, scope, language, isObjecting: happens(0.1) };
    }
    if (act <= 12) {
      const toggles = keys.filter((key) =>
        happens(key === purposeIn(key) || key.startsWith('e') ? 0.5 : 0.2),
      );
      const renews = happens(0.1) ? [purpose] : [];
      const some = happens(0.3) ? [] : toggles;
      const asShown = happens(0.1) ? { asShown: dice.pick([-1, 1]) * dice.pick(gaps) } : {};
      const more = { types: typed(), keeps: happens(0.3), isAway: happens(0.3), ...asShown };
      return { gap, act: 'post', tab, toggles: fields.length > 0 ? some : toggles, renews, ...more };
    }
    if (act <= 14) return { gap, act: 'click', center, purpose };
    if (act <= 16) return { gap, act: happens(0.5) ? 'click' : 'leave', center };
    if (act <= 17) return { gap, act: 'object', center, lag };
    if (act <= 18) return { gap: dice.pick(gaps.slice(0, 10)), act: 'kill' };
    if (act <= 19) return { gap, act: 'again', back: dice.whole(0, 1) };
    if (act <= 20) return { gap, act: 'undo', back: dice.whole(0, 1) };
    if (happens(0.3)) return { gap, act: 'edit-elsewhere', center, values: someValues(0.4) };
    // If a locked purpose changed, an older reading would look like a new lock.
    if (start.some((each) => each.purpose === purpose && each.status === 'always-active'))
      return { gap, act: 'leave', center };
    return { gap, act: 'elsewhere', center, record: aRecord(purpose, happens(0.5) ? 'active' : 'off') };
  };

  const isLagging = happens(0.5);
  const isWrong = happens(0.2);
  const aCall = (): CallFault => {
    // Only one fault: an ignored call cannot be told apart from an older or wrong reading.
    if (!isLagging && !isWrong && happens(0.2)) {
      if (happens(0.3)) return { drops: dice.pick([...fields, 'language']) };
      return happens(0.5) ? { end: 'ignored' } : { rejects: dice.pick(all) };
    }
    const takes = happens(0.3) ? { takes: dice.pick([2_000, 5_000, 9_000]) } : {};
    return happens(0.3) ? { ...takes, late: dice.pick(delays) } : { ...takes, end: dice.pick(ends) };
  };
  const aReading = (): ReadingFault => {
    if (happens(0.94)) return isLagging ? { lag: dice.pick(lags) } : {};
    if (happens(0.5)) return { end: happens(0.5) ? 'fails' : 'unreadable' };
    return { takes: dice.pick([1_000, 3_000, 5_000]) };
  };
  const readings = Array.from({ length: 30 }, aReading);
  // Only one: two wrong readings that agree cannot be told apart from right ones.
  const some = [...all, ...fields, 'language'];
  if (isWrong) readings[dice.whole(0, 9)] = happens(0.5) ? { end: 'empty' } : { lacks: dice.pick(some) };
  const steps = Array.from({ length: dice.whole(3, 8) }, aStep);
  // A value that is the identifier is locked, so a change elsewhere would look like an older reading.
  const isEdited = steps.some(({ act: done }) => done === 'edit-elsewhere');
  const identifier = fields.includes('name') && !isEdited && happens(0.1) ? { name: 'Anna@Example.org' } : {};
  const aSchema = (): SchemaFault => {
    if (happens(0.7)) return {};
    return happens(0.5) ? { end: 'fails' } : { takes: dice.pick([500, 2_000, 5_000]) };
  };
  return {
    centers,
    isShared: !isOne && happens(0.8),
    confirms: happens(0.1),
    hides: happens(0.1) ? [dice.pick(all)] : [],
    fields,
    start,
    values: { ...someValues(0.5), ...identifier },
    steps: [{ act: 'draw', center: dice.pick(names), tab: 'one' }, ...steps],
    calls: Object.fromEntries([0, 1, 2, 3, 4].flatMap((index) => (happens(0.2) ? [[index, aCall()]] : []))),
    readings: Object.fromEntries(readings.entries()),
    schemas: happens(0.2) ? Object.fromEntries([0, 1, 2, 3].map((index) => [index, aSchema()])) : {},
    ...(happens(0.5) ? { stored: Array.from({ length: 7 }, () => dice.pick(storeDelays)) } : {}),
    ...(happens(0.1) ? { refuses: dice.pick(['Anna', '02/03/2001', 'small', 'fr']) } : {}),
  };
}

type Play = (script: Script) => ReturnType<typeof play>;

/** Plays random scripts; if one has a fault, shrinks it and fails with the shortest script. */
export async function playRandomScripts(
  { count, dice }: { readonly count: number; readonly dice: Dice },
  played: Play = play,
): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const script = randomScript(dice);
    if ((await played(script)).faults.length === 0) continue;
    const shortest = await shrink(script, played);
    const { faults, course } = await played(shortest);
    assert.deepEqual(faults, [], `script ${number}: ${JSON.stringify(shortest)}\n${printed(course)}`);
  }
}

export function printed(course: readonly string[]): string {
  return course.slice(0, 200).join('\n');
}

/** Removes each part of a script that none of its faults needs. */
async function shrink(script: Script, played: Play): Promise<Script> {
  const kinds = await kindsOf(script, played);
  for (const smaller of without(script)) {
    const isSame = (await kindsOf(smaller, played)).some((kind) => kinds.includes(kind));
    if (isSame) return shrink(smaller, played);
  }
  return script;
}

/** The kinds of the faults of a script; an invalid script has none. */
async function kindsOf(script: Script, played: Play): Promise<readonly (string | undefined)[]> {
  const { faults } = await played(script).catch(() => ({ faults: [] }));
  return faults.map((fault) => fault.split(':')[0]);
}

/** Yields each copy without one part, at any depth; a record is kept whole. */
function* without<T>(whole: T): Generator<T> {
  if (typeof whole !== 'object' || whole === null || 'status' in whole) return;
  const parts = Object.entries(whole);
  const made = (some: typeof parts) => {
    return (Array.isArray(whole) ? some.map(([, part]) => part) : Object.fromEntries(some)) as T;
  };
  for (const [name] of parts) yield made(parts.filter(([each]) => each !== name));
  for (const [name, part] of parts)
    for (const smaller of without(part))
      yield made(parts.map(([each, was]) => [each, each === name ? smaller : was]));
}
