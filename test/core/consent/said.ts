/** Submissions of one person in two centers for `say`, and the words that it writes. */
import {
  centerOf,
  type DesiredCenter,
  type DesiredEverything,
  type DesiredItem,
  type DesiredState,
  emptyState,
  type Line,
  type LineOutcome,
  type Phase,
} from '../../../src/core/consent/desired-state.ts';
import { type Said, say } from '../../../src/core/consent/say.ts';
import { type Intent, noIntent, type PurposeChange } from '../../../src/core/model/submission/intent.ts';
import type { FormFacts } from '../../../src/core/model/submission/submission-request.ts';
import { aCenter, aPreference, aPurpose, topics } from '../center-builder.ts';

export const center = aCenter([
  aPurpose('a', {
    topics: topics('t1', 't2', 'one'),
    preferences: [aPreference('one', ['x', 'y'], { choice: 'single' }), aPreference('many', ['x', 'y'])],
  }),
  aPurpose('b'),
]);
export const other = aCenter([aPurpose('a')], { id: 'other' });

let sequence = 0;

export type Wanted = readonly PurposeChange[] | Partial<Intent>;
/** A submission with its time in milliseconds; without one it follows the submission before it. */
export type TimedSaid = Said & { readonly now?: number | undefined };
export type Event = TimedSaid | ((desired: DesiredState) => TimedSaid | DesiredState);

export function said(intent: Wanted, how: Partial<TimedSaid> = {}): TimedSaid {
  sequence += 1;
  return {
    reference: `r${sequence}`,
    center: 'center',
    intent: { ...noIntent, ...(Array.isArray(intent) ? { purposes: intent } : intent) },
    confirms: [],
    isObjection: false,
    isOneClick: false,
    isBounded: false,
    undoes: undefined,
    schema: center,
    ...how,
  };
}

/** Lines of the submission `r`: for a grant, a withdrawal, and a purpose beside its changes. */
export const given = lineAs({ isOff: false });
export const taken = lineAs({ isOff: true });
export const beside = lineAs({ isOff: true, isKept: true });

function lineAs(how: Pick<Line, 'isOff' | 'isKept'>) {
  return (key: string, outcome: LineOutcome, more: Partial<Line> = {}): Line => {
    return { by: 'r', key, outcome, row: '', at: 1, ...how, ...more };
  };
}

export function formAt(desired: DesiredState): FormFacts {
  return { at: 0, order: desired.order, revision: '1' };
}

/** The words of a center in the form `purpose a: on open`. */
export function words(desired: DesiredState, id = 'center'): readonly string[] {
  const show = ({ key, want, phase }: DesiredItem) =>
    `${key}: ${typeof want === 'string' ? want : want.value} ${phase}`;
  return centerOf(desired, id).items.map(show);
}

/** The document after some events, with the lines of the words that ended. */
export function after(...all: readonly Event[]) {
  let desired = emptyState;
  const ended: string[] = [];
  let repeats: string | undefined;
  for (const [index, event] of all.entries()) {
    const next = typeof event === 'function' ? event(desired) : event;
    if ('centers' in next) {
      desired = next;
      continue;
    }
    const spoken = say(desired, next, next.now ?? index);
    desired = spoken.desired;
    repeats = spoken.repeats;
    ended.push(...spoken.ended.map(({ key, outcome, row }) => `${key} ${outcome} ${row}`));
  }
  return { desired, ended, repeats };
}

/** Sets the phase of all words after a call, or of those of one key or center. */
export function turn(phase: Phase, key?: string, id?: string): (desired: DesiredState) => DesiredState {
  const isMeant = (center: DesiredCenter, item: DesiredItem) =>
    (key === undefined || item.key === key) && (id === undefined || center.center === id);
  return withCenters((center) => {
    return {
      items: center.items.map((item) => (isMeant(center, item) ? { ...item, phase, call: 1 } : item)),
    };
  });
}

/** Sets the phase of "everything" in all centers. */
export const everythingIs = (phase: DesiredEverything['phase']) =>
  withCenters(({ everything }) => ({ everything: everything && { ...everything, phase } }));

/** Removes the facts about how the words were asked for. */
export const withoutAsked = withCenters(() => ({ asked: [] }));

/** Replaces the words of the one center. */
export const holding =
  (...items: readonly DesiredItem[]) =>
  (desired: DesiredState): DesiredState => {
    return { ...desired, centers: [{ ...centerOf(desired, 'center'), items }] };
  };

function withCenters(change: (center: DesiredCenter) => Partial<DesiredCenter>) {
  return (desired: DesiredState): DesiredState => {
    return { ...desired, centers: desired.centers.map((each) => ({ ...each, ...change(each) })) };
  };
}

export function wordAt(desired: DesiredState, key: string, id = 'center'): DesiredItem | undefined {
  return centerOf(desired, id).items.find((item) => item.key === key);
}
