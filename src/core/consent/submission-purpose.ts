import type { Center, Preference, Purpose } from '../model/center/center.ts';
import { adjustment, type OptionChange, type PurposeChange } from '../model/submission/intent.ts';
import { type Choices, choicesOf, holds } from './choices.ts';
import type { PurposeSnapshot } from './form-snapshot.ts';
import { withinOffer } from './leaving-only.ts';
import { isSingle } from './merge-set.ts';
import type { Mistake } from './mistake.ts';
import type { Posted } from './posted.ts';
import { isShownOn, mayChange } from './status.ts';

/** The posted ticks of one purpose, in the schema's order. */
export interface Ticks {
  readonly purpose: Purpose;
  readonly isTicked: boolean;
  /**
   * The purpose was ticked by "subscribe all" and not by hand: a purpose un-ticked beside it is not
   * withdrawn.
   */
  readonly wasTickedByAll: boolean;
  readonly topics: readonly string[];
  readonly options: readonly OptionChange[];
}

/**
 * The ticks of every purpose of a page, and whether an unknown purpose, topic, preference or option was
 * posted.
 */
export function readTicks(
  purposes: ReadonlyMap<string, Purpose>,
  posted: Posted,
): { readonly byPurpose: ReadonlyMap<string, Ticks>; readonly hasUnknown: boolean } {
  const byPurpose = new Map<string, Ticks>();
  const ticked = new Set(posted.purposes);
  const known = new Set<string>();
  for (const purpose of purposes.values()) {
    const topics = new Set(posted.topics[purpose.id]);
    const options: OptionChange[] = [];
    for (const preference of purpose.preferences) {
      const chosen = new Set(posted.options[`${purpose.id}.${preference.id}`]);
      for (const { id } of preference.options) {
        known.add(`${purpose.id}.${preference.id} ${id}`);
        if (chosen.has(id)) options.push({ preference: preference.id, option: id });
      }
    }
    for (const { id } of purpose.topics) known.add(`${purpose.id} ${id}`);
    byPurpose.set(purpose.id, {
      purpose,
      isTicked: ticked.has(purpose.id) || posted.subscribeAll,
      wasTickedByAll: posted.subscribeAll && !ticked.has(purpose.id),
      topics: purpose.topics.map((topic) => topic.id).filter((id) => topics.has(id)),
      options,
    });
  }
  const named = [...Object.entries(posted.topics), ...Object.entries(posted.options)];
  const hasUnknown =
    named.some(([owner, ids]) => ids.some((id) => id !== '' && !known.has(`${owner} ${id}`))) ||
    posted.purposes.some((id) => !purposes.has(id));
  return { byPurpose, hasUnknown };
}

/**
 * True if a locked purpose is unchanged. Locked inputs are disabled, so browsers do not post them, and no
 * post may change them.
 */
export function isLockedUntouched(snapshot: PurposeSnapshot, ticks: Ticks): boolean {
  if (mayChange(snapshot.status)) return true;
  if (ticks.isTicked && !ticks.wasTickedByAll && snapshot.status === 'locked-off') return false;
  const topics = new Set(snapshot.topics);
  const options = choicesOf(snapshot.options);
  return (
    ticks.topics.every((topic) => topics.has(topic)) &&
    ticks.options.every((option) => holds(options, option))
  );
}

interface Line {
  readonly snapshot: PurposeSnapshot;
  /** The purpose was switched off in the post before, which was shown again. */
  readonly wasLeft: boolean;
  /** The purpose was switched on in the post before, which was shown again. */
  readonly wasChosen: boolean;
  readonly isRenewed: boolean;
  readonly ticks: Ticks;
  readonly center: Center;
}

/** The change that a post asks of a purpose, within the changes that the purpose allows; undefined: none. */
export function purposeChange(line: Line): PurposeChange | undefined {
  const { purpose } = line.ticks;
  return withinOffer(difference(line), { purpose, status: line.snapshot.status });
}

/** The difference between a purpose as shown and as ticked. */
function difference(line: Line): PurposeChange | undefined {
  const { snapshot, ticks } = line;
  const { purpose } = ticks;
  if (!mayChange(snapshot.status)) return undefined;
  const wasOn = isShownOn(snapshot.status);
  if ((wasOn || line.wasLeft) && !ticks.isTicked) return { kind: 'off', purpose: purpose.id };
  if (!ticks.isTicked) return undefined;
  if (wasOn && ticks.wasTickedByAll) return undefined;

  const shown = { topics: new Set(snapshot.topics), options: choicesOf(snapshot.options) };
  const ticked = { topics: new Set(ticks.topics), options: choicesOf(ticks.options) };
  const offered = offeredBy(purpose);
  const topicsOff = snapshot.topics.filter((topic) => offered.topics.has(topic) && !ticked.topics.has(topic));
  const untouched = new Set(
    purpose.preferences
      .filter((preference) => isSameChoice(preference, shown.options, ticked.options))
      .map(({ id }) => id),
  );
  const touched = (option: OptionChange) => !untouched.has(option.preference);
  const optionsOff = snapshot.options.filter(
    (option) => touched(option) && holds(offered.options, option) && !holds(ticked.options, option),
  );

  if (!wasOn) {
    const takesAll = line.center.autoCheckTopics && ticks.topics.length === 0;
    return {
      kind: 'on',
      purpose: purpose.id,
      topics: takesAll ? purpose.topics.map((topic) => topic.id) : ticks.topics,
      topicsOff: takesAll ? [] : topicsOff,
      options: ticks.options,
      optionsOff,
    };
  }
  const topicsOn = ticks.topics.filter((topic) => !shown.topics.has(topic));
  const optionsOn = ticks.options.filter((option) => touched(option) && !holds(shown.options, option));
  const chosen = choicesOf(optionsOn);
  const unchosen = optionsOff.filter(
    ({ preference }) => !(chosen.has(preference) && isSingle(purpose, preference)),
  );
  const change = { purpose: purpose.id, topicsOn, topicsOff, optionsOn, optionsOff: unchosen };
  if (line.isRenewed && snapshot.status === 'on') return { kind: 'adjust', renews: true, ...change };
  if (topicsOn.length + topicsOff.length + optionsOn.length + unchosen.length === 0) {
    if (!line.wasChosen || snapshot.status !== 'on') return undefined;
    // The purpose is on by now, and still asked for: the result names it, and reports a withdrawal since.
    const { topics, options } = ticks;
    return { kind: 'on', purpose: purpose.id, topics, topicsOff: [], options, optionsOff: [] };
  }
  // Any change of a purpose on by default agrees to it, even one that only removes choices.
  return snapshot.status === 'on' ? adjustment(change) : { kind: 'adjust', ...change };
}

/**
 * Mistakes in the choices of a purpose. Switching off has none, nor has an untouched preference of a
 * reduction.
 */
export function purposeMistakes(
  { snapshot, ticks }: Pick<Line, 'snapshot' | 'ticks'>,
  change: PurposeChange,
): readonly Mistake[] {
  const { purpose } = ticks;
  if (change.kind === 'off') return [];
  const mistakes: Mistake[] = [];
  const shown = choicesOf(snapshot.options);
  const ticked = choicesOf(ticks.options);
  for (const preference of purpose.preferences) {
    const field = `option.${purpose.id}.${preference.id}`;
    const count = ticked.get(preference.id)?.size ?? 0;
    const isKept = change.kind !== 'on' && isSameChoice(preference, shown, ticked);
    const mayLack = change.kind === 'reduce' && isKept;
    if (preference.required && count === 0 && preference.options.length > 0 && !mayLack) {
      mistakes.push({ field, kind: 'choice-required' });
    }
    if (preference.choice === 'single' && count > 1 && !isKept)
      mistakes.push({ field, kind: 'one-choice-only' });
  }
  return mistakes;
}

/**
 * True if a single choice is unchanged. One with several recorded options shows one of them: posting that one
 * is no change.
 */
function isSameChoice({ id, choice }: Preference, before: Choices, after: Choices): boolean {
  const shown = before.get(id) ?? new Set();
  const ticked = after.get(id) ?? new Set();
  if (!ticked.isSubsetOf(shown)) return false;
  return shown.size === ticked.size || (choice === 'single' && ticked.size === 1);
}

function offeredBy({ topics, preferences }: Purpose) {
  return {
    topics: new Set(topics.map(({ id }) => id)),
    options: choicesOf(
      preferences.flatMap(({ id, options }) =>
        options.map((option) => ({ preference: id, option: option.id })),
      ),
    ),
  };
}
