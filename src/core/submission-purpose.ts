import type { Center, Preference, Purpose } from './center.ts';
import { isShownOn, mayChange } from './consent.ts';
import type { DrawnPurpose } from './drawn.ts';
import { adjustment, type OptionChange, type PurposeChange } from './intent.ts';
import { isSingle } from './merge-set.ts';
import type { Mistake, Posted } from './submission.ts';

/** What came back ticked of one purpose, in the schema's order. */
export interface Ticks {
  readonly purpose: Purpose;
  readonly isTicked: boolean;
  /** Ticked by "subscribe all" and not by hand. */
  readonly wasTickedByAll: boolean;
  readonly topics: readonly string[];
  readonly options: readonly OptionChange[];
}

/** The ticks of every purpose of a page, and whether a topic, preference or option was posted that it does not have. */
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
      isTicked: ticked.has(purpose.id),
      wasTickedByAll: false,
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

/** Locked inputs are disabled and so not posted: silence is no wish, but nothing may be asked of them either. */
export function isLockedUntouched(drawn: DrawnPurpose, ticks: Ticks): boolean {
  if (mayChange(drawn.status)) return true;
  if (ticks.isTicked && drawn.status === 'locked-off') return false;
  return (
    ticks.topics.every((topic) => drawn.topics.includes(topic)) &&
    ticks.options.every((option) => holds(drawn.options, option))
  );
}

/** The difference between a purpose as drawn and as ticked; undefined when there is none. */
export function purposeChange(line: {
  readonly drawn: DrawnPurpose;
  readonly ticks: Ticks;
  readonly center: Center;
}): PurposeChange | undefined {
  const { drawn, ticks } = line;
  const { purpose } = ticks;
  if (!mayChange(drawn.status)) return undefined;
  const wasOn = isShownOn(drawn.status);
  if (wasOn && !ticks.isTicked) return { kind: 'off', purpose: purpose.id };
  if (!ticks.isTicked) return undefined;
  if (wasOn && ticks.wasTickedByAll) return undefined;

  const topicsOff = drawn.topics.filter(
    (topic) => has(purpose.topics, topic) && !ticks.topics.includes(topic),
  );
  const untouched = purpose.preferences.filter((preference) => isSameChoice(preference, drawn, ticks));
  const touched = (option: OptionChange) => !has(untouched, option.preference);
  const optionsOff = drawn.options.filter(
    (option) => touched(option) && isOffered(purpose, option) && !holds(ticks.options, option),
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
  const topicsOn = ticks.topics.filter((topic) => !drawn.topics.includes(topic));
  const optionsOn = ticks.options.filter((option) => touched(option) && !holds(drawn.options, option));
  const unchosen = optionsOff.filter(({ preference }) => !replaces(optionsOn, purpose, preference));
  if (topicsOn.length + topicsOff.length + optionsOn.length + unchosen.length === 0) return undefined;
  const change = { purpose: purpose.id, topicsOn, topicsOff, optionsOn, optionsOff: unchosen };
  // What is only on by default would be agreed to by any change of it, even one that only takes out.
  return drawn.status === 'on' ? adjustment(change) : { kind: 'adjust', ...change };
}

/** Only what someone switches on or adds to must be complete; leaving, and what was not touched, never is stopped. */
export function purposeMistakes(line: {
  readonly drawn: DrawnPurpose;
  readonly ticks: Ticks;
  readonly change: PurposeChange;
}): readonly Mistake[] {
  const { ticks, change } = line;
  const { purpose } = ticks;
  if (change.kind === 'off') return [];
  const mistakes: Mistake[] = [];
  for (const preference of purpose.preferences) {
    const field = `option.${purpose.id}.${preference.id}`;
    const count = ticks.options.filter((option) => option.preference === preference.id).length;
    const isKept = change.kind !== 'on' && isSameChoice(preference, line.drawn, ticks);
    const mayLack = change.kind === 'reduce' && isKept;
    if (preference.required && count === 0 && preference.options.length > 0 && !mayLack) {
      mistakes.push({ field, kind: 'choice-required' });
    }
    if (preference.choice === 'single' && count > 1 && !isKept)
      mistakes.push({ field, kind: 'one-choice-only' });
  }
  return mistakes;
}

/** A single choice of which the record holds several shows one of them: that one coming back is no change. */
function isSameChoice(preference: Preference, drawn: DrawnPurpose, ticks: Ticks): boolean {
  const before = drawn.options.filter((option) => option.preference === preference.id);
  const after = ticks.options.filter((option) => option.preference === preference.id);
  if (!after.every((option) => holds(before, option))) return false;
  return before.length === after.length || (preference.choice === 'single' && after.length === 1);
}

function replaces(chosen: readonly OptionChange[], purpose: Purpose, preference: string): boolean {
  return isSingle(purpose, preference) && chosen.some((option) => option.preference === preference);
}

function isOffered(purpose: Purpose, option: OptionChange): boolean {
  const preference = purpose.preferences.find((each) => each.id === option.preference);
  return preference !== undefined && has(preference.options, option.option);
}

function has(items: readonly { readonly id: string }[], id: string): boolean {
  return items.some((item) => item.id === id);
}

function holds(options: readonly OptionChange[], wanted: OptionChange): boolean {
  return options.some((each) => each.preference === wanted.preference && each.option === wanted.option);
}
