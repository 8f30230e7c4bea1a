import {
  type DesiredItem,
  type DesiredState,
  isUnsettled,
  type Line,
  sayersOf,
  usualLimits,
  wordsIn,
} from '../core/consent/desired-state.ts';
import type {
  OpenSubmission,
  Person,
  PersonChange,
  SubmissionChange,
  SubmissionEntry,
  SubmissionNews,
} from '../core/consent/person.ts';
import { itemsOf } from '../core/consent/submission-view.ts';
import { newsBetween, type Told, told } from '../core/consent/told.ts';
import { canonical } from '../core/model/canonical.ts';
import type { EndedEvidence } from '../core/model/evidence/evidence.ts';
import type { NewEvent, SpokenWord } from '../core/model/submission/center-event.ts';

/** The changes of a person's submissions by one step. */
export type ToldChange = Pick<PersonChange, 'person' | 'submissions' | 'news'>;

/** The time and limits for events, which depend on lines alone and not on the time of a look. */
const never = {
  now: Number.MAX_SAFE_INTEGER,
  limits: { ...usualLimits, grantLife: Number.POSITIVE_INFINITY },
};

export function toldByLines(submission: OpenSubmission, desired: DesiredState): Told {
  const { reference, center, intent, progress } = submission;
  return told({ reference, center, intent, lines: progress.lines }, desired, never.now, never.limits);
}

/**
 * Adds lines to their submissions, and lists the changes. `before.open` has all submissions that `ended`
 * names.
 */
export function withLines(
  before: Person,
  {
    desired,
    ended,
    now,
  }: { readonly desired: DesiredState; readonly ended: readonly Line[]; readonly now: number },
): ToldChange {
  const also = alsoSaid([...before.desired.centers, ...desired.centers]);
  const copies = ended.flatMap((line): Line[] => {
    const by = line.isKept === true ? undefined : also.get(`${line.by} ${line.key}`);
    return by === undefined ? [] : [{ ...line, by }];
  });
  const lines = Map.groupBy([...ended, ...copies], ({ by }) => by);
  const referred = referredTo(desired);
  const open: OpenSubmission[] = [];
  const submissions: SubmissionChange[] = [];
  const news: SubmissionNews[] = [];
  for (const was of before.open) {
    const mine = lines.get(was.reference) ?? [];
    const written = { ...was, progress: { ...was.progress, lines: [...was.progress.lines, ...mine] } };
    const after = toldByLines(written, desired);
    const toldBefore = toldByLines(was, before.desired);
    const told = newsOf(was, newsBetween(toldBefore, after), now);
    if (told.events.length + told.words.length > 0) news.push(told);
    const { state } = after;
    const isEnd = state !== 'pending' && (was.state === 'pending' || was.doneAt === undefined);
    const is: OpenSubmission = {
      ...written,
      state,
      doneAt: isEnd ? now : was.doneAt,
      progress: { ...written.progress, events: written.progress.events + told.events.length },
    };
    const isOpen = state === 'pending' || referred.has(is.reference);
    if (isOpen) open.push(is);
    if (isOpen && state === was.state) continue;
    // A downloaded copy has the digest of the end, so the end is kept as long as it says the same.
    const isSameEnd = mine.length === 0 && isSame(endOf(was, toldBefore), endOf(is, after));
    submissions.push(changeOf(is, isSameEnd ? undefined : endOf(is, after), now));
  }
  return { person: { ...before, desired, open }, submissions, news };
}

/** The other submission that said the same word, by submission and key. */
function alsoSaid(centers: DesiredState['centers']): ReadonlyMap<string, string> {
  const words = centers.flatMap(({ items }) => items.filter(({ also }) => also !== undefined));
  return new Map(words.map(({ by, key, also = '' }) => [`${by} ${key}`, also]));
}

function isSame(one: EndedEvidence | undefined, other: EndedEvidence | undefined): boolean {
  return one !== undefined && other !== undefined && canonical(one) === canonical(other);
}

/** Returns undefined while the submission is pending. */
function endOf({ state, doneAt, progress }: OpenSubmission, after: Told): EndedEvidence | undefined {
  if (state === 'pending' || doneAt === undefined) return undefined;
  const [first] = progress.calls;
  return {
    state,
    endedAt: doneAt,
    items: itemsOf(after),
    ...(first === undefined ? {} : { sentAt: first.at }),
    ...(after.aftermath === 'repeated' ? { aftermath: after.aftermath } : {}),
  };
}

function changeOf(submission: OpenSubmission, end: EndedEvidence | undefined, now: number): SubmissionChange {
  const { reference, state, doneAt, progress, undoes } = submission;
  const receipts = progress.lines.flatMap(({ receipt }) => receipt ?? []);
  return {
    reference,
    state,
    doneAt,
    receipts: [...new Set(receipts)],
    progress,
    ended: end && { ...end, at: now },
    undoesNoMore: state === 'failed' ? undoes : undefined,
  };
}

/** Submissions of unfinished words. */
export function referredTo({ centers }: DesiredState): ReadonlySet<string> {
  return new Set(centers.flatMap((center) => wordsIn(center).filter(isUnsettled).flatMap(sayersOf)));
}

function newsOf(
  submission: OpenSubmission,
  found: ReturnType<typeof newsBetween>,
  now: number,
): SubmissionNews {
  const { reference, center, channel, progress } = submission;
  const events = found.map(({ type, purpose, change, outcome }, index): NewEvent => {
    const about = { id: `${reference}-${progress.events + index}`, at: now, purpose };
    // The line is a side effect: no word asked for it, and the purpose is off.
    if (change === 'keep')
      return { ...about, type: 'consent.verified', change: 'off', outcome: 'withdrawn-elsewhere' };
    if (outcome === 'switched-off') return { ...about, type, change, outcome: 'withdrawn-elsewhere' };
    const isKnown = outcome !== 'agreed' && outcome !== 'replaced';
    return { ...about, type, change, outcome: isKnown ? outcome : 'not-saved' };
  });
  const words = found.flatMap(({ purpose, isUsable }): SpokenWord[] =>
    purpose === undefined || isUsable === undefined ? [] : [{ purpose, isOff: !isUsable }],
  );
  return { reference, center, channel, events, words };
}

/** A submission after a change of its person. */
export function entryAfter(entry: SubmissionEntry, change: PersonChange): SubmissionEntry {
  const { person, dueAt, submissions } = change;
  const isIt = ({ reference }: { readonly reference: string }) => reference === entry.reference;
  const ended = submissions.find(isIt);
  const known = ended ?? person.open.find(isIt);
  const { state, doneAt } = known ?? entry;
  const work = entry.work && {
    ...entry.work,
    progress: known?.progress ?? entry.work.progress,
    desired: person.desired,
    tries: person.tries.find(({ center }) => center === entry.center),
  };
  return { ...entry, state, doneAt, dueAt, receipts: ended?.receipts ?? entry.receipts, work };
}

/** True for a pending submission with withdrawals only. They may take days, so no caller waits for it. */
export function isOnlyWithdrawing({ desired }: Person): (submission: OpenSubmission) => boolean {
  return (submission) => {
    if (submission.state !== 'pending') return false;
    return toldByLines(submission, desired).items.every(({ outcome }) => outcome !== 'in-progress');
  };
}

/** True if a withdrawal is open. */
export function withdraws({ centers }: DesiredState): boolean {
  const isOpen = ({ want, phase }: DesiredItem) => want === 'off' && (phase === 'open' || phase === 'sent');
  return centers.some((center) => wordsIn(center).some(isOpen));
}
