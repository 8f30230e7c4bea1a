import type { PurposeUpdate } from '../model/consent-update.ts';
import { type ConsentRecord, recordOf, type Subject } from '../model/subject.ts';
import { usualLag } from './call-in-doubt.ts';
import { choiceKey, choicesUnder, type Granted, type LastWords } from './last-word.ts';

export function isTakenBack(words: LastWords, purpose: string): boolean {
  return words.takenBack.has(purpose) || (words.leftAll && !words.asked.has(purpose));
}

/** Taken back, and a reading that shows it on may be older than that; else it was granted elsewhere since. */
export function isKnownOff(words: LastWords, purpose: string): boolean {
  if (!isTakenBack(words, purpose)) return false;
  const isOfEverything = words.leftAll && words.isLeftRecently && !words.asked.has(purpose);
  return words.recent.has(purpose) || words.inDoubt.has(purpose) || isOfEverything;
}

/** What is on record of a purpose, less what was taken back, where the reading may be older than that. */
export function believedRecord(record: ConsentRecord, words: LastWords): ConsentRecord {
  const { purpose, status, topics, preferences } = record;
  const mayBeOn = status === 'active' || status === 'implicit' || status === 'pending';
  const isOut = (...ids: readonly string[]) => {
    const key = choiceKey(purpose, ...ids);
    return words.takenBack.has(key) && (words.recent.has(key) || words.inDoubt.has(purpose));
  };
  if (mayBeOn && isKnownOff(words, purpose)) return { ...record, status: 'off' };
  if (words.takenBack.size === 0) return record;
  return {
    ...record,
    topics: topics.filter((topic) => !isOut(topic)),
    preferences: preferences.map(({ id, options }) => {
      return { id, options: options.filter((option) => !isOut(id, option)) };
    }),
  };
}

/** A reading with what is known better: nothing of what was taken back, and what was granted where it looks older. */
export function believed(current: Subject, words: LastWords): Subject {
  const read = new Map(current.purposes.map((record) => [record.purpose, believedRecord(record, words)]));
  for (const [purpose, { update, at }] of words.granted) {
    if (words.now - at >= usualLag) continue;
    const record = read.get(purpose);
    // Off now is a withdrawal elsewhere, or was waited for long enough.
    if (record?.status === 'active' || record?.status === 'off' || isLocked(record)) continue;
    const { topics, preferences } = update;
    read.set(purpose, { purpose, label: record?.label, status: 'active', topics, preferences });
  }
  return { ...current, purposes: [...read.values()] };
}

function isLocked(record: ConsentRecord | undefined): boolean {
  return record?.status === 'always-active' || record?.status === 'hard-opt-out';
}

/** A reading that is otherwise than what was verified so recently that it may be older. */
export function looksOlder(current: Subject, words: LastWords, now: number): boolean {
  const isRecent = (at: number) => now - at < usualLag;
  const lacks = ([purpose, { update, at }]: readonly [string, Granted]) =>
    isRecent(at) && !showsGrant(recordOf(current, purpose), update, words);
  const stillShows = ([purpose, at]: readonly [string, number]) =>
    isRecent(at) && recordOf(current, purpose)?.status === 'active';
  return [...words.granted].some(lacks) || [...words.leftElsewhere].some(stillShows);
}

function showsGrant(record: ConsentRecord | undefined, update: PurposeUpdate, words: LastWords): boolean {
  if (record === undefined || isLocked(record)) return record !== undefined;
  const chosen = new Set(choicesUnder(update.id, record));
  const granted = choicesUnder(update.id, update);
  return record.status === 'active' && granted.every((key) => chosen.has(key) || words.takenBack.has(key));
}
