import { type LastWords, leftUnread } from '../core/consent/last-word.ts';
import type { ChangeStatus, Merge } from '../core/consent/merge.ts';
import { keepSet } from '../core/consent/merge-set.ts';
import { has } from '../core/model/by-key.ts';
import type { Center } from '../core/model/center.ts';
import type { ConsentUpdate } from '../core/model/consent-update.ts';
import type { Intent } from '../core/model/intent.ts';
import type { CallMade, Work } from '../core/model/journal-entry.ts';
import { recordOf, type Subject } from '../core/model/subject.ts';
import { isSettled, keyOf, newItem } from './work.ts';

export type PlannedSend = Pick<CallMade, 'update' | 'why' | 'changes'>;

/**
 * Only who may grant anything confirms what the center merely assumes, and only what stood on the page: nobody agrees
 * to what they did not see. See also the minute of `grantLife`.
 */
export function confirmableBy({ request }: Work): readonly string[] {
  const mayGrant = !request.globalPrivacyControl && request.scope === 'manage';
  return mayGrant ? (request.drawnByDefault ?? []) : [];
}

/**
 * "Everything" learns its purposes when the record is read: all that can be left, and what is locked. Where something
 * is, what a call before any reading withdrew is named, too: else only what stays would be told.
 */
export function withEverything(work: Work, changes: readonly ChangeStatus[]): Work {
  if (work.request.intent.everything === undefined) return work;
  const known = new Set(work.items.map(keyOf));
  const isAnyLocked = changes.some(({ state }) => state === 'locked');
  const withdrawn = new Set(isAnyLocked ? leftUnread(work) : []);
  const found = changes
    .filter(
      (change) =>
        (change.state !== 'met' || withdrawn.has(change.id)) &&
        !known.has(keyOf(change)) &&
        !has(work.superseded, change.id),
    )
    .map((change) => newItem(change.what, change.id, 'off'));
  return found.length === 0 ? work : { ...work, items: [...work.items, ...found] };
}

export function onlyOpen(work: Work, changes: readonly ChangeStatus[]): readonly ChangeStatus[] {
  const open = new Set(openKeys(work));
  return changes.filter((change) => open.has(keyOf(change)));
}

export interface Reading {
  readonly center: Center;
  readonly current: Subject;
  readonly words: LastWords;
}

/** The call that the merge asks for. A DELETE that was answered, or refused, is not repeated: a PUT names what may stay. */
export function callFor(
  work: Work,
  { merge, intent }: { readonly merge: Merge; readonly intent: Intent },
  { center, current, words }: Reading,
): PlannedSend {
  const changes = intent.everything === undefined ? keysIn(intent, work) : openKeys(work);
  if (merge.call.kind === 'put') return { update: merge.call.update, why: 'change', changes };
  const wasDeleted = work.calls.some(
    ({ kind, answer, problem }) =>
      kind === 'delete' && (answer !== undefined || problem === 'platform-refused'),
  );
  if (!wasDeleted && work.superseded.length === 0) return { update: undefined, why: 'change', changes };
  const locked = current.purposes
    .filter((each) => each.status === 'always-active')
    .map((each) => each.purpose);
  const staying = new Set([...locked, ...work.superseded]);
  const kept = keepSet(center, current, [], words);
  const purposes = [...kept.values()].filter(({ id }) => staying.has(id));
  return { update: updateOf(purposes), why: 'change', changes };
}

/** A PUT with what is only assumed, and the same without it: that leaves a refusal on record. */
export function assumeThenLeave(
  work: Work,
  missing: readonly ChangeStatus[],
  { center, current, words }: Reading,
): readonly [PlannedSend, PlannedSend] {
  const changes = missing.map(keyOf);
  const leaving = new Set(work.items.filter((item) => item.change === 'off').map((item) => item.id));
  const kept = [...keepSet(center, current, [], words).values()].filter(
    ({ id }) => !leaving.has(id) || isLocked(current, id),
  );
  const assumed = missing.map(({ id }) => ({ id, topics: [], preferences: [] }));
  return [
    { update: updateOf([...kept, ...assumed]), why: 'record-refusal', changes },
    { update: updateOf(kept), why: 'change', changes },
  ];
}

function isLocked(current: Subject, id: string): boolean {
  return recordOf(current, id)?.status === 'always-active';
}

function openKeys(work: Work): readonly string[] {
  return work.items.filter((item) => !isSettled(item)).map(keyOf);
}

/** Of what is open, what an intent carries. */
function keysIn(intent: Intent, work: Work): readonly string[] {
  const carried = new Set([
    ...intent.purposes.map(({ purpose }) => keyOf({ what: 'purpose', id: purpose })),
    ...intent.dataElements.map(({ element }) => keyOf({ what: 'data-element', id: element })),
    ...(intent.language === undefined ? [] : [keyOf({ what: 'language', id: intent.language })]),
  ]);
  return openKeys(work).filter((key) => carried.has(key));
}

function updateOf(purposes: ConsentUpdate['purposes']): ConsentUpdate {
  return { purposes, dataElements: {}, language: undefined };
}
