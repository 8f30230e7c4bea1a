import { has } from '../model/by-key.ts';
import { type Center, everyPurpose, type Purpose, preferencesOf } from '../model/center/center.ts';
import { type ConsentRecord, recordOf, type Subject } from '../model/person/subject.ts';
import type { PurposeUpdate } from '../model/submission/consent-update.ts';
import { choicesIn, type OptionChange, type PurposeChange } from '../model/submission/intent.ts';

/** Purposes by their id. */
export type Purposes = ReadonlyMap<string, Purpose>;

const known = new WeakMap<Center, Purposes>();

/**
 * All purposes of the center, shown or hidden, by id. The map is kept for each center, which may have
 * thousands and never changes.
 */
export function purposesOf(center: Center): Purposes {
  return known.getOrInsertComputed(center, byId);
}

function byId(center: Center): Purposes {
  const purposes = new Map<string, Purpose>();
  for (const purpose of everyPurpose(center)) {
    const elsewhere = purposes.get(purpose.id);
    purposes.set(purpose.id, elsewhere === undefined ? purpose : onBothPages(elsewhere, purpose));
  }
  return purposes;
}

/** Joins two descriptions of a purpose: one page may say less about it than another. */
function onBothPages(one: Purpose, other: Purpose): Purpose {
  return {
    ...one,
    active: one.active || other.active,
    onByDefault: [one, other].some((each) => each.active && each.onByDefault),
    preferences: [...one.preferences, ...other.preferences],
  };
}

/** True if the center assumes a purpose that is not on record: the purpose is active, and on by default. */
export function isAssumed(purpose: Purpose | undefined): boolean {
  return purpose?.active === true && purpose.onByDefault;
}

/**
 * Purposes that a PUT must carry, because an absent one is withdrawn: every active one as recorded, shown or
 * hidden. A purpose that is pending, expired or off is never carried, because sending it would grant it. A
 * purpose that is only on by default is carried if the center confirms defaults and the purpose is in
 * `confirmed`.
 */
export function keepSet(
  center: Center,
  current: Subject,
  confirmed: readonly string[],
): Map<string, PurposeUpdate> {
  const kept = new Map<string, PurposeUpdate>();
  const confirms = (id: string) => center.confirmsDefaults && has(confirmed, id);
  for (const record of current.purposes) {
    const stays =
      record.status === 'active' ||
      record.status === 'always-active' ||
      (record.status === 'implicit' && confirms(record.purpose));
    if (stays) kept.set(record.purpose, asRecorded(record));
  }
  for (const [id, purpose] of purposesOf(center)) {
    const isOnlyAssumed = isAssumed(purpose) && recordOf(current, id) === undefined;
    if (isOnlyAssumed && confirms(id)) kept.set(id, { id, topics: [], preferences: [] });
  }
  return kept;
}

export function asRecorded(record: ConsentRecord): PurposeUpdate {
  return {
    id: record.purpose,
    topics: record.topics,
    preferences: record.preferences.filter((preference) => preference.options.length > 0),
  };
}

/** Applies a change to `base`, the recorded choices of a purpose. */
export function applyChange(
  base: PurposeUpdate | undefined,
  change: Exclude<PurposeChange, { kind: 'off' }>,
  purpose: Purpose | undefined,
): PurposeUpdate {
  const { topics: topicsOn, options: optionsOn } = choicesIn(change);
  const off = new Set(change.topicsOff);
  const kept = base?.topics.filter((topic) => !off.has(topic)) ?? [];
  return {
    id: change.purpose,
    topics: [...new Set([...kept, ...topicsOn])],
    preferences: applyOptions(base?.preferences, optionsOn, change.optionsOff, purpose),
  };
}

/** Choosing an option of a single choice replaces the others; un-choosing it leaves none. */
function applyOptions(
  recorded: PurposeUpdate['preferences'] | undefined,
  on: readonly OptionChange[],
  off: readonly OptionChange[],
  purpose: Purpose | undefined,
): PurposeUpdate['preferences'] {
  const chosen = new Map(recorded?.map((preference) => [preference.id, new Set(preference.options)]));
  for (const { preference, option } of off) {
    const wasChosen = chosen.get(preference)?.delete(option);
    if (wasChosen && isSingle(purpose, preference)) chosen.delete(preference);
  }
  for (const { preference, option } of on) {
    const others = isSingle(purpose, preference) ? undefined : chosen.get(preference);
    chosen.set(preference, (others ?? new Set<string>()).add(option));
  }
  return [...chosen]
    .filter(([, options]) => options.size > 0)
    .map(([id, options]) => ({ id, options: [...options] }));
}

export function isSingle(purpose: Purpose | undefined, preference: string): boolean {
  return (
    purpose !== undefined && preferencesOf(purpose, preference).some(({ choice }) => choice === 'single')
  );
}

/** True if both have the same topics and options, in any order. */
export function saysTheSame(one: PurposeUpdate, other: PurposeUpdate): boolean {
  return marks(one).symmetricDifference(marks(other)).size === 0;
}

function marks(update: PurposeUpdate): ReadonlySet<string> {
  return new Set([
    ...update.topics,
    ...update.preferences.flatMap(({ id, options }) => options.map((option) => `${id} ${option}`)),
  ]);
}
