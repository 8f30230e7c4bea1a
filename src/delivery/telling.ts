import type { NewEvent, SpokenWord } from '../core/model/center-event.ts';
import { takenBack } from '../core/model/intent.ts';
import type { Work } from '../core/model/journal-entry.ts';
import { type ItemResult, itemsAbout, type Outcome, shownOutcome } from '../core/model/submission.ts';
import { isFinished, isSettled } from './work.ts';

/** What is to be kept with a submission for those who are told of it. */
export interface Telling {
  /** Remembers what was told. */
  readonly work: Work;
  readonly events: readonly NewEvent[];
  readonly words: readonly SpokenWord[];
}

const everything = 'everything';
const open: Outcome = 'being-carried-out';

/** Read back as it was asked for; or never on, where it was switched off. */
const verified: ReadonlySet<Outcome> = new Set(['saved', 'unchanged']);

/** What is told as soon as it is durable: each withdrawal. */
export function tellAccepted(work: Work, reference: string, now: number): Telling {
  const events = acceptedIn(work.request).map((told, index) => ({
    ...told,
    id: eventId(reference, index),
    type: 'withdrawal.accepted' as const,
    outcome: 'accepted' as const,
    at: now,
  }));
  const marks: Record<string, Outcome> = Object.fromEntries(
    events.flatMap(({ purpose, change }) => (purpose === undefined ? [] : [[`${change} ${purpose}`, open]])),
  );
  return {
    work: events.length === 0 ? work : { ...work, told: { count: events.length, marks } },
    events,
    words: events.flatMap(({ purpose, change }) =>
      change === 'reduce' ? [] : { purpose: purpose ?? '', isOff: true },
    ),
  };
}

/**
 * What has become of it, as far as that was not told yet: also where a later look finds otherwise. What is open again
 * after it was told as done is told as not saved, and so is what was granted if `isLeftSince` says that the person has
 * taken it back by then: nobody is to hear last of all that it may be used.
 */
export function tellOutcome(
  work: Work,
  reference: string,
  now: number,
  isLeftSince: (purpose: string) => boolean = () => false,
): Telling {
  const told = work.told ?? { count: 0, marks: {} };
  const marks: Record<string, Outcome> = { ...told.marks };
  const events: NewEvent[] = [];
  const words: SpokenWord[] = [];

  function tell(key: string, outcome: Outcome, about: Pick<NewEvent, 'purpose' | 'change'>): boolean {
    const before = marks[key];
    const isOpen = outcome === 'in-progress' || outcome === open;
    if (before === outcome || (isOpen && (before === undefined || !verified.has(before)))) return false;
    marks[key] = outcome;
    const type = verified.has(outcome) ? 'consent.verified' : 'consent.not-saved';
    events.push({ ...about, id: eventId(reference, told.count + events.length), type, outcome, at: now });
    return true;
  }

  function tellable(item: ItemResult, before: Outcome | undefined): Outcome {
    const outcome = shownOutcome(item);
    const isNew = verified.has(outcome) && !verified.has(before ?? open);
    return isNew && !isTakingBack(item.change) && isLeftSince(item.id) ? 'withdrawn-elsewhere' : outcome;
  }

  for (const item of work.items) {
    if (item.what !== 'purpose' || item.change === 'keep') continue;
    const key = `${item.change} ${item.id}`;
    const outcome = tellable(item, marks[key]);
    const wasUsable = item.change === 'on' && verified.has(marks[key] ?? open);
    if (!tell(key, outcome, { purpose: item.id, change: item.change })) continue;
    if (mayBeUsed(item)) words.push({ purpose: item.id, isOff: false });
    // What was granted is found to be gone: what was withdrawn before holds again.
    else if (wasUsable) words.push({ purpose: item.id, isOff: true });
  }
  // An objection leaves alone what turns out to have been agreed to.
  for (const key of Object.keys(marks)) {
    const [change, purpose = ''] = key.split(' ');
    if (change !== 'off' || itemsAbout(work.items, purpose).some(({ what }) => what === 'purpose')) continue;
    if (tell(key, 'not-saved', { purpose, change })) words.push({ purpose, isOff: false });
  }
  if (work.request.intent.everything === 'withdraw') {
    const isDone = isFinished(work) && work.items.every(isSettled);
    tell(everything, isDone ? 'saved' : open, { purpose: undefined, change: everything });
  }
  if (events.length === 0) return { work, events, words };
  return { work: { ...work, told: { count: told.count + events.length, marks } }, events, words };
}

/** Whether it says that something may be used which a later withdrawal of the person takes back. */
export function isGrantTold({ type, change }: Pick<NewEvent, 'type' | 'change'>): boolean {
  return type === 'consent.verified' && !isTakingBack(change);
}

function isTakingBack(change: NewEvent['change']): boolean {
  return change === 'off' || change === 'reduce' || change === everything;
}

/** On record after it was asked for, or never to be switched off. */
function mayBeUsed({ change, outcome }: ItemResult): boolean {
  return (change === 'on' && verified.has(outcome)) || (change === 'off' && outcome === 'locked');
}

function acceptedIn({
  intent,
  undoes,
}: Work['request']): readonly Pick<NewEvent, 'purpose' | 'change' | 'topics' | 'options'>[] {
  if (intent.everything === 'withdraw') return [{ purpose: undefined, change: everything }];
  return intent.purposes.flatMap((change) => {
    const back = takenBack(change);
    // What an undoing swaps goes as one, or not at all.
    if (back === undefined || (undoes !== undefined && change.kind === 'adjust')) return [];
    const { purpose, kind } = back;
    if (kind === 'off') return { purpose, change: kind };
    return { purpose, change: kind, topics: back.topicsOff, options: back.optionsOff };
  });
}

function eventId(reference: string, index: number): string {
  return `${reference}-${index}`;
}
