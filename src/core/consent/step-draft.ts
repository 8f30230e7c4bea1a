import { unlessSame } from '../model/by-key.ts';
import type { Center, Purpose } from '../model/center/center.ts';
import type { ReadRecord } from '../model/person/subject.ts';
import {
  centerOf,
  type DesiredCenter,
  type DesiredItem,
  type DesiredState,
  type Limits,
  type Line,
  withCenter,
} from './desired-state.ts';
import { type Purposes, purposesOf } from './merge-set.ts';

/** The facts that the loop knows when it asks for a step. */
export interface Known {
  readonly center: string;
  /** A reading that `observe` believes; it was asked for after the last call. */
  readonly observed: ReadRecord | undefined;
  /**
   * `absent`: the schema could not be read. `gone`: the platform has no such center. undefined: not asked for
   * yet.
   */
  readonly schema: ReadSchema | 'absent' | 'gone' | undefined;
  /** The record cannot be read for now: "everything" is withdrawn without a reading. */
  readonly isUnreadable?: boolean | undefined;
  /** The last reading failed, for any reason. */
  readonly isAway?: boolean | undefined;
  /** The platform refuses to show the record: nothing can be granted. */
  readonly isRefused?: boolean | undefined;
}

export interface ReadSchema {
  readonly center: Center;
  /** The time when the schema was asked for. */
  readonly readAt: number;
}

/** A step in progress. */
export interface Draft {
  readonly desired: DesiredState;
  /** The center of `desired` that the step is about. */
  readonly center: DesiredCenter;
  readonly known: Known;
  readonly purposes: Purposes;
  readonly now: number;
  readonly limits: Limits;
  readonly ended: readonly Line[];
}

export function draftOf(
  desired: DesiredState,
  known: Known,
  { now, limits }: { readonly now: number; readonly limits: Limits },
): Draft {
  const { schema } = known;
  const purposes = typeof schema === 'object' ? purposesOf(schema.center) : new Map<string, Purpose>();
  return { desired, center: centerOf(desired, known.center), known, purposes, now, limits, ended: [] };
}

export function withDesired(draft: Draft, center: DesiredCenter, ended: readonly Line[] = []): Draft {
  const desired = withCenter(draft.desired, center);
  return { ...draft, desired, center, ended: [...draft.ended, ...ended] };
}

export function withItems(draft: Draft, items: readonly DesiredItem[], ended: readonly Line[]): Draft {
  const { center } = draft;
  return withDesired(draft, { ...center, items: unlessSame(center.items, items) }, ended);
}

/** The draft with these words in place of earlier ones about their keys. */
export function withWords(draft: Draft, words: readonly DesiredItem[], ended: readonly Line[] = []): Draft {
  const items = new Map([...draft.center.items, ...words].map((item) => [item.key, item]));
  return withItems(draft, [...items.values()], ended);
}
