import {
  centerOf,
  type DesiredState,
  emptyState,
  isUnsettled,
  keyOf,
  usualLimits,
  wordsIn,
} from '../core/consent/desired-state.ts';
import { isBounded, repeatsAtOnce, repeatWait } from '../core/consent/one-click.ts';
import type { OpenSubmission, Person, SubmissionNews } from '../core/consent/person.ts';
import { type Said, say } from '../core/consent/say.ts';
import type { Center } from '../core/model/center/center.ts';
import type { SubjectId } from '../core/model/person/subject.ts';
import type { NewEvent } from '../core/model/submission/center-event.ts';
import { withdrawalIn } from '../core/model/submission/intent.ts';
import type { SubmissionRequest } from '../core/model/submission/submission-request.ts';
import type { NewSubmission, Written } from '../ports/people.ts';
import { withdraws, withLines } from './person-change.ts';

const hour = 60 * 60 * 1000;
/** Milliseconds; longer than a post can be on its way. */
const longestPost = hour;
/**
 * The number of forms posted as shown that are kept, the latest ones: a person who posts more within the hour
 * posts by a program.
 */
const mostAsShown = 50;

/**
 * Sequence numbers begin at the clock, so that a form from before an erasure is older than any later word.
 */
export function newPerson(subject: SubjectId, now: number): Person {
  const desired = { ...emptyState, order: now };
  return { subject, desired, open: [], tries: [], clicks: { count: 0, until: 0, dueAt: 0 } };
}

/**
 * The person after recording a submission: desired state, lines, events. `isRepeated`: the submission posts the
 * withdrawals of a used form again, so it gets no row of its own if nothing was said since.
 */
export function recorded(
  known: Person | undefined,
  submission: NewSubmission,
  {
    schema,
    isRepeated = false,
  }: { readonly schema?: Center | undefined; readonly isRepeated?: boolean } = {},
): Written {
  const { request, reference, now } = submission;
  const before = known ?? newPerson(request.subject, now);
  const said = saidBy(submission, schema, before);
  const again = { ...said, isBounded: said.isBounded || isRepeated };
  const { desired, ended, repeats } = say(before.desired, again, now);
  const accepted = acceptedBy(submission);
  if (repeats !== undefined) {
    const clicks = clickedAgain(before, { desired, center: request.center, now });
    const dueAt = hasOthers(before, request) ? now : clicks.dueAt;
    const person = { ...before, desired, clicks };
    // The submission causes no event, but it is the last word: the purpose may have been usable since, such
    // as a locked one.
    const news = accepted.words.length === 0 ? [] : [{ ...accepted, reference: repeats, events: [] }];
    const change = { person, dueAt, withdraws: true, submissions: [], news, told: [] };
    return { change, repeats };
  }
  const made: OpenSubmission = {
    reference,
    center: request.center,
    channel: request.channel,
    submittedAt: now,
    intent: request.intent,
    undoes: request.undoes,
    state: 'pending',
    doneAt: undefined,
    progress: { lines: [], calls: [], events: accepted.events.length },
  };
  const told = withLines({ ...before, open: [...before.open, made] }, { desired, ended, now });
  const change = {
    ...told,
    // The later of two words about a purpose counts, so results that this submission ended come before its
    // own.
    news: [
      ...told.news.filter((each) => each.reference !== reference),
      ...(accepted.events.length + accepted.words.length === 0 ? [] : [accepted]),
      ...told.news.filter((each) => each.reference === reference),
    ],
    dueAt: now,
    withdraws: withdraws(desired),
    told: told.submissions.flatMap(({ reference: each, state }) => (state === 'pending' ? [] : each)),
  };
  return { change, repeats: undefined };
}

/** The person after the post of a form as it was shown. */
export function recordedAsShown(known: Person | undefined, { request, now }: NewSubmission): Written {
  const before = known ?? newPerson(request.subject, now);
  const lately = before.asShown?.filter(({ at }) => now - at < longestPost) ?? [];
  const asShown = [...lately, { nonce: request.nonce, at: now }].slice(-mostAsShown);
  const change = {
    person: { ...before, asShown },
    dueAt: known === undefined ? undefined : now,
    withdraws: withdraws(before.desired),
    submissions: [],
    news: [],
    told: [],
  };
  return { change, repeats: '' };
}

function saidBy(
  { request, reference }: NewSubmission,
  schema: Center | undefined,
  { asShown = [] }: Person,
): Said {
  const { center, intent, form, channel, scope } = request;
  const mayGrant = !request.globalPrivacyControl && scope === 'manage';
  return {
    reference,
    center,
    intent,
    schema,
    form,
    confirms: mayGrant ? (request.drawnByDefault ?? []) : [],
    isObjection: request.isObjection === true,
    isOneClick: channel === 'one-click',
    isAsShownSince: asShown.some(({ nonce }) => nonce === request.nonce),
    isBounded: isBounded(request),
    undoes: request.undoes,
  };
}

/**
 * The time at which a repeated click is carried out. Unfinished work goes on as planned. Up to
 * `repeatsAtOnce` an hour are carried out at once; later ones wait, and are carried out together.
 */
function clickedAgain(
  before: Person,
  { desired, center, now }: { readonly desired: DesiredState; readonly center: string; readonly now: number },
): Person['clicks'] {
  const { clicks } = before;
  const isWaiting = clicks.dueAt > now && clicks.dueAt <= now + repeatWait;
  if (isWaiting) return clicks;
  if (hasOpenWords(before.desired, center)) {
    const again = before.tries.find((each) => each.center === center)?.until ?? now;
    return { ...clicks, dueAt: Math.max(now, again) };
  }
  // The call was made: one reading after the lag is enough.
  if (isUnderway(before.desired, center) || !hasOpenWords(desired, center))
    return { ...clicks, dueAt: now + usualLimits.lag };
  const isNewHour = clicks.until <= now || clicks.until > now + hour;
  const count = isNewHour ? 1 : clicks.count + 1;
  const until = isNewHour ? now + hour : clicks.until;
  return { count, until, dueAt: count > repeatsAtOnce ? now + repeatWait : now };
}

function hasOpenWords(desired: DesiredState, center: string): boolean {
  return wordsIn(centerOf(desired, center)).some(({ phase }) => phase === 'open');
}

function isUnderway(desired: DesiredState, center: string): boolean {
  return wordsIn(centerOf(desired, center)).some(isUnsettled);
}

/** True if the person has other open work, which no click may hold up. */
function hasOthers({ desired }: Person, { center, intent }: SubmissionRequest): boolean {
  const said = new Set(intent.purposes.map(({ purpose }) => keyOf.purpose(purpose)));
  const isAll = intent.everything === 'withdraw';
  return desired.centers.some((each) => {
    if (each.center !== center) return isUnderway(desired, each.center);
    return wordsIn(each).some(
      (word) => isUnsettled(word) && !(word.want === 'off' && (isAll || said.has(word.key))),
    );
  });
}

/** The news of a submission. Each withdrawal is an event as soon as it is durable. */
function acceptedBy({ request, reference, now }: NewSubmission): SubmissionNews {
  const { center, channel } = request;
  const withdrawals = withdrawalsIn(request);
  const events = withdrawals.map((told, index): NewEvent => {
    return {
      ...told,
      id: `${reference}-${index}`,
      type: 'withdrawal.accepted',
      outcome: 'accepted',
      at: now,
    };
  });
  const words = withdrawals.flatMap(({ purpose, change }) =>
    change === 'reduce' ? [] : { purpose: purpose ?? '', isOff: true },
  );
  return { reference, center, channel, events, words };
}

function withdrawalsIn({
  intent,
  undoes,
}: SubmissionRequest): readonly Pick<NewEvent, 'purpose' | 'change' | 'topics' | 'options'>[] {
  if (intent.everything === 'withdraw') return [{ purpose: undefined, change: 'everything' }];
  return intent.purposes.flatMap((change) => {
    const back = withdrawalIn(change);
    // An undo swaps choices as one change, or not at all.
    if (back === undefined || (undoes !== undefined && change.kind === 'adjust')) return [];
    const { purpose, kind } = back;
    if (kind === 'off') return { purpose, change: kind };
    return { purpose, change: kind, topics: back.topicsOff, options: back.optionsOff };
  });
}
