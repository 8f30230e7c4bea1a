import { has } from '../model/by-key.ts';
import { type PurposeUpdate, updateOf } from '../model/consent-update.ts';
import { changeOf, choicesIn, type PurposeChange, takenBack } from '../model/intent.ts';
import type { JournalEntry, Work } from '../model/journal-entry.ts';
import { type RecordedStatus, recordOf } from '../model/subject.ts';
import { type ChangeKind, type ItemResult, itemsAbout, type Outcome } from '../model/submission.ts';
import { believedFor, carriedInDoubt, usualLag } from './call-in-doubt.ts';

/** Among the `changes` of a call: it was made before the record was read, and is for whatever turns up. */
export const everyChange = 'everything';

/** What a person was the last to say here about purposes, and the choices under them (`choiceKey`). */
export interface LastWords {
  /** When these were put together, in epoch milliseconds. */
  readonly now: number;
  /** Taken back, be it carried out yet or not, and not asked for again since. */
  readonly takenBack: ReadonlySet<string>;
  /** Everything of the center was left; what was asked for again since is in `asked`. */
  readonly leftAll: boolean;
  /** When that was seen to be done, in epoch milliseconds, where nothing was asked for again since. */
  readonly leftAt: number | undefined;
  readonly asked: ReadonlySet<string>;
  /** Of `takenBack`: not done yet, or so recently that a reading may be older. */
  readonly recent: ReadonlySet<string>;
  /** The same of everything. */
  readonly isLeftRecently: boolean;
  /** Purposes that a call without an answer carried, which may have landed: readings of them may show that. */
  readonly inDoubt: ReadonlySet<string>;
  /**
   * Purposes that were withdrawn with everything of another center, and when. That says nothing of this center's record;
   * but where one consent is behind both, a reading may be older.
   */
  readonly leftElsewhere: ReadonlyMap<string, number>;
  /** By purpose: switched on or added to, seen on record, and not taken back since. */
  readonly granted: ReadonlyMap<string, Granted>;
  /**
   * By purpose: when a submission of the person, of whatever center, last saw it on, in epoch milliseconds, and nothing
   * here has switched it off since.
   */
  readonly seenOn: ReadonlyMap<string, number>;
}

export interface Granted {
  readonly update: PurposeUpdate;
  /** What was on record before it. */
  readonly before: RecordedStatus | undefined;
  /** When it was seen on record, in epoch milliseconds. */
  readonly at: number;
}

export const noWords: LastWords = {
  now: 0,
  recent: new Set(),
  isLeftRecently: false,
  inDoubt: new Set(),
  leftElsewhere: new Map(),
  takenBack: new Set(),
  leftAll: false,
  leftAt: undefined,
  asked: new Set(),
  granted: new Map(),
  seenOn: new Map(),
};

/** Ids hold no blanks. */
export function choiceKey(...ids: readonly string[]): string {
  return ids.join(' ');
}

/** What is chosen under a purpose, on record or in a call. */
export function choicesUnder(
  purpose: string,
  { topics, preferences }: Pick<PurposeUpdate, 'topics' | 'preferences'>,
): readonly string[] {
  return [
    ...topics.map((topic) => choiceKey(purpose, topic)),
    ...preferences.flatMap(({ id, options }) => options.map((option) => choiceKey(purpose, id, option))),
  ];
}

/** A change's purpose, where it switches that on, and what it chooses under it. */
export function askedBy(change: PurposeChange): readonly string[] {
  const { kind, purpose } = change;
  const { topics, options } = choicesIn(change);
  return [
    ...(kind === 'on' ? [purpose] : []),
    ...topics.map((topic) => choiceKey(purpose, topic)),
    ...options.map(({ preference, option }) => choiceKey(purpose, preference, option)),
  ];
}

/** A change's purpose, where it switches that off, or what it takes out under it. */
export function takenBackBy(change: PurposeChange): readonly string[] {
  const back = takenBack(change);
  if (back === undefined) return [];
  if (back.kind === 'off') return [back.purpose];
  const { purpose, topicsOff, optionsOff } = back;
  return [
    ...topicsOff.map((topic) => choiceKey(purpose, topic)),
    ...optionsOff.map(({ preference, option }) => choiceKey(purpose, preference, option)),
  ];
}

/**
 * What a submission is now to change of purposes: what was asked, and to switch off again what a call of its own that
 * came late brought back after it had been withdrawn elsewhere. "Everything" is none of it.
 */
export function changesOf({ request, items }: Pick<Work, 'request' | 'items'>): readonly PurposeChange[] {
  const { everything, purposes } = request.intent;
  if (everything === 'withdraw') return [];
  const off = new Set(
    items.flatMap(({ what, id, change }) => (what === 'purpose' && change === 'off' ? [id] : [])),
  );
  const asked = purposes.map((change): PurposeChange => {
    return off.delete(change.purpose) ? { kind: 'off', purpose: change.purpose } : change;
  });
  return [...asked, ...[...off].map((purpose): PurposeChange => ({ kind: 'off', purpose }))];
}

/** What switches a purpose on, or adds to it. What is taken out under it may be an item of its own. */
export const granting: readonly ChangeKind[] = ['on', 'adjust', 'add'];
const reducing: readonly ChangeKind[] = ['reduce'];

export function itemOf(
  { items }: Pick<Work, 'items'>,
  purpose: string,
  kinds: readonly ChangeKind[],
): ItemResult | undefined {
  return itemsAbout(items, purpose).find(({ what, change }) => what === 'purpose' && kinds.includes(change));
}

const asking: ReadonlySet<Outcome> = new Set<Outcome>([
  'saved',
  'unconfirmed',
  'unchanged',
  'waiting',
  'in-progress',
  'in-doubt',
]);
const onRecord: ReadonlySet<Outcome> = new Set<Outcome>(['saved', 'unconfirmed', 'unchanged']);
const leaving: ReadonlySet<Outcome> = new Set<Outcome>([
  'being-carried-out',
  'saved',
  'unchanged',
  'waiting',
  'no-such-purpose',
]);

/** What some submissions take back, carried out or not, and do not ask for again. */
export interface TakenBack {
  /** Purposes, and choices under them (`choiceKey`). */
  readonly keys: ReadonlySet<string>;
  readonly everything: boolean;
  /** After everything. */
  readonly asked: ReadonlySet<string>;
}

export const nothingTakenBack: TakenBack = { keys: new Set(), everything: false, asked: new Set() };

/** Which purposes leaving everything in a center reaches; undefined where that is whatever may be granted. */
export type ReachOf = (center: string) => ReadonlySet<string> | undefined;

/** What leaving everything reaches by the center's schema, and by what was read. */
export function reachedBy(
  { center, work }: Pick<JournalEntry, 'center' | 'work'>,
  reachOf: ReachOf,
): ReadonlySet<string> | undefined {
  const read = [
    ...(work?.items ?? []).map(({ id }) => id),
    ...(work?.before?.purposes ?? []).map(({ purpose }) => purpose),
  ];
  return reachOf(center)?.union(new Set(read));
}

/** Of these, in the order of submission. */
export function takenBackIn(
  entries: readonly Pick<JournalEntry, 'center' | 'work'>[],
  reachOf: ReachOf,
): TakenBack {
  const keys = new Set<string>();
  const asked = new Set<string>();
  let everything = false;
  for (const entry of entries) {
    const { work } = entry;
    if (work === undefined) continue;
    if (work.request.intent.everything === 'withdraw') {
      const reach = reachedBy(entry, reachOf);
      if (reach === undefined) {
        everything = true;
        asked.clear();
      }
      for (const id of reach ?? []) {
        keys.add(id);
        asked.delete(id);
      }
    }
    for (const change of changesOf(work)) {
      const isLocked = itemOf(work, change.purpose, ['off'])?.outcome === 'locked';
      for (const key of isLocked ? [] : takenBackBy(change)) {
        keys.add(key);
        asked.delete(key);
      }
      const granted = itemOf(work, change.purpose, granting);
      if (granted === undefined || !asking.has(granted.outcome)) continue;
      for (const key of askedBy(change)) {
        keys.delete(key);
        asked.add(key);
      }
    }
  }
  return { keys, everything, asked };
}

/**
 * What was said beside one submission, `reference`: by others of the same person, in the order in which they were
 * submitted, and of itself what is settled already. Of those after it what they take back counts, and what they grant
 * once it is seen on record. One purpose in two centers may be one consent: each center's own submissions count in all of them.
 * An entry at a time, for there may be many with thousands of choices: each step tells how many it looks at.
 */
export function* lastWords(
  entries: readonly JournalEntry[],
  { reference, center, now }: { readonly reference: string; readonly center: string; readonly now: number },
): Generator<number, LastWords> {
  const takenBack = new Set<string>();
  const recent = new Set<string>();
  const inDoubt = new Set<string>();
  const leftElsewhere = new Map<string, number>();
  const asked = new Set<string>();
  const granted = new Map<string, Granted>();
  const seen = new Map<string, Set<string>>();
  const seenOn = new Map<string, number>();
  let leftAll = false;
  let isLeftRecently = false;
  let leftAt: number | undefined;
  let isAfter = false;
  for (const entry of entries) {
    const { work, doneAt } = entry;
    const isOwn = entry.reference === reference;
    if (isOwn) isAfter = true;
    if (!isOwn) noteSeenOn(seenOn, entry, { isHere: entry.center === center });
    const isOld = entry.state !== 'pending' && (doneAt === undefined || now - doneAt >= believedFor);
    if (work === undefined || isOld) continue;
    const { everything } = work.request.intent;
    const isSuperseded = (key: string) => has(work.superseded, key);
    const isRecent = isOwn || doneAt === undefined || now - doneAt < usualLag;
    const takeBack = (key: string) => {
      takenBack.add(key);
      if (isRecent) recent.add(key);
      else recent.delete(key);
      asked.delete(key);
    };
    for (const id of carriedInDoubt(work, now)) inDoubt.add(id);
    yield work.items.length + seeChoices(work, seen);

    // Its own is said once it is done: until then what was granted before is what it takes back.
    if (everything === 'withdraw' && (!isOwn || doneAt !== undefined)) {
      const left = work.items.flatMap(({ id, outcome }) => (leaving.has(outcome) ? id : []));
      if (entry.center === center) {
        asked.clear();
        granted.clear();
        for (const id of [...left, ...leftUnread(work)]) takeBack(id);
        leftAll = !isOwn || leftAll;
        isLeftRecently = !isOwn && isRecent;
        leftAt = isOwn ? leftAt : doneAt;
      } else {
        for (const id of [...left, ...leftUnread(work)]) leftElsewhere.set(id, doneAt ?? now);
      }
      for (const key of work.superseded) {
        takenBack.delete(key);
        asked.add(key);
      }
    }
    for (const change of changesOf(work)) {
      const { kind, purpose } = change;
      const isGrant = kind === 'on' || kind === 'adjust';
      const reduction = itemOf(work, purpose, reducing);
      const item = isGrant ? itemOf(work, purpose, granting) : itemOf(work, purpose, [kind]);
      if (item === undefined) continue;
      const isOpen = isOwn && isUnderWay(reduction ?? item);
      if (!isGrant && (isOpen || !leaving.has(item.outcome))) continue;
      for (const key of isOpen ? [] : takenBackBy(change)) {
        if (isSuperseded(key)) continue;
        takeBack(key);
        granted.delete(key);
      }
      const isSaid = isOwn
        ? onRecord.has(item.outcome) || isAnswered(work, purpose)
        : asking.has(item.outcome);
      const isOpenLater = isAfter && !isOwn && doneAt === undefined && !onRecord.has(item.outcome);
      if (!isGrant || !isSaid || isOpenLater) continue;
      if (!isOwn) leftAt = undefined;
      // Switched on from off is with what was ticked then, and nothing that was chosen under it earlier.
      for (const key of isFromOff(work, change) ? (seen.get(purpose) ?? []) : []) takeBack(key);
      for (const key of askedBy(change)) {
        takenBack.delete(key);
        leftElsewhere.delete(key);
        asked.add(key);
      }
      // What was granted in another center is for its own record: carried along here, it would be granted here, too.
      if (isOwn || entry.center !== center || !onRecord.has(item.outcome) || doneAt === undefined) continue;
      const answered = work.calls.findLast(({ answer }) => answer !== undefined)?.update;
      const update = answered && updateOf(answered, purpose);
      const before = work.before && recordOf(work.before, purpose)?.status;
      if (update !== undefined) granted.set(purpose, { update, before, at: doneAt });
    }
    if (isOwn || entry.center !== center || doneAt === undefined) continue;
    for (const { update, before } of confirmedBy(work))
      granted.set(update.id, { update, before, at: doneAt });
  }
  const taken = { takenBack, recent, leftAll, isLeftRecently, leftAt, leftElsewhere, inDoubt };
  return { now, ...taken, asked, granted, seenOn };
}

function isUnderWay({ outcome }: ItemResult): boolean {
  return outcome === 'being-carried-out' || outcome === 'in-progress';
}

function noteSeenOn(
  seenOn: Map<string, number>,
  { work, submittedAt, doneAt }: Pick<JournalEntry, 'work' | 'submittedAt' | 'doneAt'>,
  { isHere }: { readonly isHere: boolean },
): void {
  if (work === undefined) return;
  const { before, calls, items, request, watch } = work;
  for (const { purpose, status } of before?.purposes ?? []) {
    if (status === 'active') seenOn.set(purpose, Math.max(submittedAt, seenOn.get(purpose) ?? 0));
  }
  if (request.intent.everything === 'withdraw') {
    if (isHere) seenOn.clear();
    for (const { id } of items) seenOn.delete(id);
  }
  // Of what is not done yet the read-back comes within the usual lag of the call.
  const readBackAt = doneAt ?? (calls.at(-1)?.at ?? submittedAt) + usualLag;
  for (const { kind, purpose } of changesOf(work)) {
    if (kind === 'off') seenOn.delete(purpose);
    const item = itemOf(work, purpose, granting);
    // What came undone since was on all the same.
    const wasSeen = item !== undefined && (onRecord.has(item.outcome) || has(watch?.granted ?? [], purpose));
    if (wasSeen) seenOn.set(purpose, readBackAt);
  }
}

/** What was only assumed, and was put on record beside what was asked. */
function confirmedBy({ request, before, calls }: Work): readonly Omit<Granted, 'at'>[] {
  const call = calls.findLast(({ answer }) => answer !== undefined);
  if (before === undefined || call?.answer === undefined) return [];
  const accepted = new Set(call.answer.items.filter((item) => item.accepted).map((item) => item.purpose));
  const found = call.update?.purposes.flatMap((update) => {
    const status = recordOf(before, update.id)?.status;
    const wasAssumed = status === undefined || status === 'implicit';
    const isAsked = changeOf(request.intent, update.id) !== undefined;
    return wasAssumed && !isAsked && accepted.has(update.id) ? [{ update, before: status }] : [];
  });
  return found ?? [];
}

/**
 * What a call left that was made before the record was read, as the platform answered: nobody knows which of these had
 * been on.
 */
export function leftUnread({ calls }: Work): readonly string[] {
  const unread = calls.filter(({ changes }) => has(changes, everyChange));
  return unread.flatMap(
    ({ answer }) => answer?.items.flatMap(({ purpose, accepted }) => (accepted ? purpose : [])) ?? [],
  );
}

function isFromOff({ before }: Work, { kind, purpose }: PurposeChange): boolean {
  if (kind !== 'on' || before === undefined) return false;
  return recordOf(before, purpose)?.status !== 'active';
}

/** What was ever read or sent as chosen, by purpose; returns of how many choices it was told. */
function seeChoices({ before, calls }: Work, seen: Map<string, Set<string>>): number {
  let looked = 0;
  const see = (purpose: string, choices: Pick<PurposeUpdate, 'topics' | 'preferences'>) => {
    const keys = seen.get(purpose) ?? new Set();
    for (const key of choicesUnder(purpose, choices)) {
      keys.add(key);
      looked += 1;
    }
    seen.set(purpose, keys);
  };
  for (const record of before?.purposes ?? []) see(record.purpose, record);
  for (const { update } of calls) for (const sent of update?.purposes ?? []) see(sent.id, sent);
  return looked;
}

function isAnswered(work: Work, purpose: string): boolean {
  const call = work.calls.findLast(({ changes }) => has(changes, `purpose:${purpose}`));
  return call?.answer !== undefined;
}
