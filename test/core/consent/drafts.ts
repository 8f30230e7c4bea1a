/** The parts of a step in progress: words, calls and a reading. */
import {
  type Asked,
  type Call,
  centerOf,
  type DesiredCenter,
  type DesiredEverything,
  type DesiredItem,
  emptyState,
  type Line,
  usualLimits,
} from '../../../src/core/consent/desired-state.ts';
import { step } from '../../../src/core/consent/step.ts';
import { type Draft, draftOf, type Known } from '../../../src/core/consent/step-draft.ts';
import { type ReadRecord, readSubjectId, type SubjectId } from '../../../src/core/model/person/subject.ts';
import type { FormFacts } from '../../../src/core/model/submission/submission-request.ts';
import { aCenter, aPreference, aPurpose, recordsOf, topics } from '../center-builder.ts';

export const now = 10_000_000;
export const { lag, doubt, grantLife } = usualLimits;

/** The center of the step; `d` is on by default, and `one` is a single choice. */
export const offers = aCenter(
  [
    aPurpose('a', {
      topics: topics('t', 'u', 'one', 'two'),
      preferences: [aPreference('one', ['x', 'y'], { choice: 'single' }), aPreference('many', ['x', 'y'])],
    }),
    aPurpose('b'),
    aPurpose('c'),
    aPurpose('d', { onByDefault: true, topics: topics('t') }),
  ],
  { id: 'here' },
);

/** A recent withdrawal. */
export const aWord = (key: string, change: Partial<DesiredItem> = {}): DesiredItem => {
  return { key, want: 'off', by: 'r1', at: now - 100, order: 5, phase: 'open', ...change };
};

/** A call in doubt: a PUT of purposes in the form `b a[t]`, or a DELETE if undefined. */
export function aCall(carries: string | undefined, change: Partial<Call> = {}): Call {
  const purposes = recordsOf(carries ?? '').map(({ purpose: id, topics: of, preferences }) => {
    return { id, topics: of, preferences };
  });
  const update = carries === undefined ? undefined : { purposes, dataElements: {}, language: undefined };
  return { order: 7, at: now - 50, update, refusals: [], off: [], keys: [], by: 'r1', ...change };
}

export const answer = { at: now - 40, refused: [], receipt: undefined };

export const aFloor = (change: Partial<DesiredEverything> = {}): DesiredEverything => {
  return { by: 'r1', at: now - 100, order: 5, phase: 'open', reach: undefined, ...change };
};

export const aForm: FormFacts = { at: now - 1_000, order: 4, revision: '1' };

export const asking = (change: Partial<Asked> = {}): Asked => {
  return { reference: 'r1', confirms: [], isObjection: false, isOneClick: false, ...change };
};

/** A recent reading of a record in the form `a[t] b:off`. */
export const read = (
  is: string,
  { at = now - 10, ...subject }: Partial<ReadRecord['subject']> & { at?: number } = {},
): ReadRecord => {
  const id = readSubjectId('anna') as SubjectId;
  return { at, subject: { id, language: undefined, purposes: recordsOf(is), dataElements: {}, ...subject } };
};

export interface Parts {
  readonly here?: Partial<DesiredCenter>;
  readonly there?: Partial<DesiredCenter>;
  readonly known?: Partial<Known>;
}

/** The words of the person in the center of the step, `here`, and in another one, `there`. */
export function desiredOf({ here = {}, there }: Parts) {
  const centers = Object.entries({ here, ...(there && { there }) });
  return { order: 50, centers: centers.map(([id, is]) => ({ ...centerOf(emptyState, id), ...is })) };
}

export const knownOf = ({ known }: Parts): Known => {
  return { center: 'here', observed: undefined, schema: { center: offers, readAt: now - 20 }, ...known };
};

export function drafted(parts: Parts): Draft {
  return draftOf(desiredOf(parts), knownOf(parts), { now, limits: usualLimits });
}

/** One step with a reading of a record in the form `a[t] b:off`. */
export const stepBy = (parts: Parts, reads: string) =>
  step(desiredOf(parts), knownOf({ ...parts, known: { observed: read(reads), ...parts.known } }), now);

/** Lines in the form `r1 purpose a saved on`; the last part is the row. */
export const linesOf = (ended: readonly Line[]): readonly string[] =>
  ended.map(({ by, key, outcome, row }) => `${by} ${key} ${outcome} ${row}`);
