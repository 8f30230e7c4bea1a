import { choicesIn, type PurposeChange } from '../model/submission/intent.ts';
import { keyOf } from './desired-state.ts';

/** Keys of the choices that a change adds. */
export function keysOn(change: PurposeChange): readonly string[] {
  const { purpose } = change;
  const { topics, options } = choicesIn(change);
  return [
    ...topics.map((topic) => keyOf.topic(purpose, topic)),
    ...options.map(({ preference, option }) => keyOf.option(purpose, preference, option)),
  ];
}

/** Keys that a change withdraws. */
export function keysOff(change: PurposeChange): readonly string[] {
  const { purpose } = change;
  if (change.kind === 'off') return [keyOf.purpose(purpose)];
  return [
    ...change.topicsOff.map((topic) => keyOf.topic(purpose, topic)),
    ...change.optionsOff.map(({ preference, option }) => keyOf.option(purpose, preference, option)),
  ];
}

/**
 * True if the change agrees to the purpose itself: an adjustment without additions changes a purpose that is
 * only on by default, or renews it.
 */
export function isAgreement(change: PurposeChange): boolean {
  if (change.kind !== 'adjust') return false;
  return change.renews === true || keysOn(change).length === 0;
}
