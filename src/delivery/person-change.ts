import { type DesiredState, isUnsettled, type Line, usualLimits } from '../core/consent/desired-state.ts';
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
import type { NewEvent, SpokenWord } from '../core/model/center-event.ts';
import { manyItems } from '../turn.ts';

/** What became of a person's submissions by one step. */
export type ToldChange = Pick<PersonChange, 'person' | 'submissions' | 'news'>;

/** What is told to those who listen depends on lines, and not on the time at which somebody looks. */
const never = {
  now: Number.MAX_SAFE_INTEGER,
  limits: { ...usualLimits, grantLife: Number.POSITIVE_INFINITY },
};

export function toldByLines(submission: OpenSubmission, desired: DesiredState): Told {
  const { reference, center, intent, progress } = submission;
  return told({ reference, center, intent, lines: progress.lines }, desired, never.now, never.limits);
}

/** Writes lines to their submissions, and tells what has changed by them. All that `ended` names is in `before.open`. */
export function withLines(
  before: Person,
  {
    desired,
    ended,
    now,
  }: { readonly desired: DesiredState; readonly ended: readonly Line[]; readonly now: number },
): ToldChange {
  const lines = Map.groupBy(ended, ({ by }) => by);
  const referred = referredTo(desired);
  const open: OpenSubmission[] = [];
  const submissions: SubmissionChange[] = [];
  const news: SubmissionNews[] = [];
  for (const was of before.open) {
    const mine = lines.get(was.reference) ?? [];
    const written = { ...was, progress: { ...was.progress, lines: [...was.progress.lines, ...mine] } };
    const after = toldByLines(written, desired);
    const told = newsOf(was, newsBetween(toldByLines(was, before.desired), after), now);
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
    if (!isOpen || state !== was.state) submissions.push(changeOf(is, after, now));
  }
  return { person: { ...before, desired, open }, submissions, news };
}

function changeOf(submission: OpenSubmission, after: Told, now: number): SubmissionChange {
  const { reference, state, doneAt, progress, undoes } = submission;
  const [first] = progress.calls;
  const receipts = progress.lines.flatMap(({ receipt }) => receipt ?? []);
  return {
    reference,
    state,
    doneAt,
    receipts: [...new Set(receipts)],
    progress,
    ended:
      state === 'pending' || doneAt === undefined
        ? undefined
        : {
            state,
            endedAt: doneAt,
            items: itemsOf(after),
            ...(first === undefined ? {} : { sentAt: first.at }),
            ...(after.aftermath === 'repeated' ? { aftermath: after.aftermath } : {}),
            at: now,
          },
    undoesNoMore: state === 'failed' ? undoes : undefined,
  };
}

/** Submissions that a word still carries out. */
export function referredTo({ centers }: DesiredState): ReadonlySet<string> {
  return new Set(
    centers.flatMap(({ items, everything }) => [
      ...items.flatMap((item) => (isUnsettled(item) ? item.by : [])),
      ...(everything === undefined || everything.phase === 'verified' ? [] : [everything.by]),
    ]),
  );
}

function newsOf(
  submission: OpenSubmission,
  found: ReturnType<typeof newsBetween>,
  now: number,
): SubmissionNews {
  const { reference, center, channel, progress } = submission;
  const events = found
    // Nothing was asked about what was to stay as it was.
    .filter(({ change }) => change !== 'keep')
    .map(({ type, purpose, change, outcome }, index): NewEvent => {
      const id = `${reference}-${progress.events + index}`;
      if (outcome === 'switched-off')
        return { id, type, at: now, purpose, change, outcome: 'withdrawn-elsewhere' };
      const isKnown = outcome !== 'agreed' && outcome !== 'replaced';
      return { id, type, at: now, purpose, change, outcome: isKnown ? outcome : 'not-saved' };
    });
  const words = found.flatMap(({ purpose, isUsable }): SpokenWord[] =>
    purpose === undefined || isUsable === undefined ? [] : [{ purpose, isOff: !isUsable }],
  );
  return { reference, center, channel, events, words };
}

/** A submission as it is after a change of its person. */
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

/** Pending, and nothing that is granted is waited for: the rest may take days. */
export function isOnlyWithdrawing({ desired }: Person): (submission: OpenSubmission) => boolean {
  return (submission) => {
    if (submission.state !== 'pending') return false;
    return toldByLines(submission, desired).items.every(({ outcome }) => outcome !== 'in-progress');
  };
}

/** What is done with it is work enough for a turn of its own. */
export function isLong(desired: DesiredState | undefined): boolean {
  const sizes = desired?.centers.map(({ items }) => items.length) ?? [];
  return sizes.reduce((sum, size) => sum + size, 0) >= manyItems;
}

/** Something is to be switched off, or taken out. */
export function withdraws({ centers }: DesiredState): boolean {
  return centers.some(
    ({ items, everything }) =>
      (everything !== undefined && everything.phase !== 'verified') ||
      items.some((item) => item.want === 'off' && (item.phase === 'open' || item.phase === 'sent')),
  );
}
