import { didNothing, isInDoubt, mayStillShow } from '../core/consent/call-in-doubt.ts';
import {
  askedBy,
  changesOf,
  choiceKey,
  everyChange,
  granting,
  itemOf,
  type ReachOf,
  reachedBy,
  type TakenBack,
} from '../core/consent/last-word.ts';
import { has } from '../core/model/by-key.ts';
import { updateOf } from '../core/model/consent-update.ts';
import {
  changeOf,
  choicesIn,
  type Intent,
  noIntent,
  type PurposeChange,
  takenBack,
  type Withdrawal,
} from '../core/model/intent.ts';
import type { CallMade, JournalEntry, Work } from '../core/model/journal-entry.ts';
import type { Subject } from '../core/model/subject.ts';
import type { ItemResult, Outcome } from '../core/model/submission.ts';
import type { SubmissionRequest } from '../core/model/submission-request.ts';

/** What grants or types is carried out within a minute of its submission, or never. Milliseconds. */
export const grantLife = 60_000;

/** Milliseconds that clocks may differ. */
const tolerance = 1_000;

/** What was submitted in the future, because the clock was set back over a restart, is of an age nobody knows. */
export function isGrantOver(submittedAt: number, now: number): boolean {
  return now >= submittedAt + grantLife || now < submittedAt - tolerance;
}

export function newWork(request: SubmissionRequest): Work {
  const { purposes, dataElements, language } = request.intent;
  const items: ItemResult[] = [
    ...purposes.map(({ kind, purpose }) => newItem('purpose', purpose, kind)),
    ...dataElements.map(({ element }) => newItem('data-element', element, 'typed')),
    ...(language === undefined ? [] : [newItem('language', language, 'language')]),
  ];
  return {
    request,
    before: undefined,
    items,
    calls: [],
    attempts: 0,
    problem: undefined,
    superseded: [],
    undo: undefined,
  };
}

export function newItem(what: ItemResult['what'], id: string, change: ItemResult['change']): ItemResult {
  return {
    what,
    id,
    change,
    outcome: isWithdrawal(change) ? 'being-carried-out' : 'in-progress',
    receipt: undefined,
  };
}

/** Retried without end, and never granted by. */
export function isWithdrawal(change: ItemResult['change']): boolean {
  return change === 'off' || change === 'reduce';
}

export function keyOf(item: { readonly what: string; readonly id: string }): string {
  return `${item.what}:${item.id}`;
}

export function isSettled(item: ItemResult): boolean {
  return item.outcome !== 'in-progress' && item.outcome !== 'being-carried-out';
}

export function isGranting(work: Work): boolean {
  return work.items.some((item) => item.outcome === 'in-progress');
}

export function isWithdrawing(work: Work): boolean {
  const { everything } = work.request.intent;
  return everything === 'withdraw' || takenBackBy(work).length > 0;
}

/** "Everything" is only known to be finished once its call was made and the record was read. */
export function isFinished(work: Work): boolean {
  const isKnown =
    work.request.intent.everything === undefined || (work.before !== undefined && hasLeft(work));
  return isKnown && work.items.every(isSettled);
}

/** "Everything" was sent; a platform may refuse the DELETE where it has nothing on record. */
export function hasLeft(work: Work): boolean {
  if (work.isLeftAlready === true) return true;
  return work.calls.some(
    (call) => !didNothing(call) || (call.kind === 'delete' && call.problem === 'platform-refused'),
  );
}

/** Sent, so that it may have arrived. */
export function isPerhapsSent(work: Work, item: ItemResult): boolean {
  const call = lastCall(work, keyOf(item));
  return call !== undefined && !didNothing(call);
}

/** What may be granted still: what was never sent. */
export function sendableGrants(work: Work): readonly ItemResult[] {
  return work.items.filter((item) => item.outcome === 'in-progress' && !isPerhapsSent(work, item));
}

/** What a call may be made for: a grant that may have arrived is never sent again. */
export function sendableIntent(work: Work, { mayGrant }: { mayGrant: boolean }): Intent {
  const held = new Set(
    work.items.filter((item) => item.outcome === 'in-progress' && (!mayGrant || isPerhapsSent(work, item))),
  );
  return openIntent({ ...work, items: work.items.filter((item) => !held.has(item)) });
}

/** What is still to be done. */
export function openIntent(work: Work): Intent {
  const { intent } = work.request;
  if (intent.everything === 'withdraw') return { ...noIntent, everything: 'withdraw' };
  const open = new Map(
    work.items.filter((item) => !isSettled(item)).map((item) => [keyOf(item), item.change] as const),
  );
  const isOpen = (what: ItemResult['what'], id: string) => open.has(keyOf({ what, id }));
  return {
    purposes: changesOf(work).flatMap((change) => {
      const kind = open.get(keyOf({ what: 'purpose', id: change.purpose }));
      if (kind === 'reduce') return reductionIn(work, change) ?? [];
      return kind === undefined ? [] : [change];
    }),
    dataElements: intent.dataElements.filter((change) => isOpen('data-element', change.element)),
    language:
      intent.language !== undefined && isOpen('language', intent.language) ? intent.language : undefined,
    everything: undefined,
  };
}

export function settle(work: Work, which: (item: ItemResult) => boolean, outcome: Outcome): Work {
  return settleEach(work, (item) => (which(item) ? { outcome } : undefined));
}

type Settled = Pick<ItemResult, 'outcome'> & Partial<Pick<ItemResult, 'receipt'>>;

/**
 * What an adjustment takes out is not lost with what it adds: it goes on by itself; but what an undoing swaps comes back
 * as one. The same work where nothing is settled. */
export function settleEach(work: Work, becomes: (item: ItemResult) => Settled | undefined): Work {
  const items = work.items.flatMap((item): ItemResult[] => {
    const end = isSettled(item) ? undefined : becomes(item);
    if (end === undefined) return [item];
    const { outcome, receipt = item.receipt } = end;
    const settled = { ...item, outcome, receipt };
    const isNoGrant = outcome === 'not-saved' || outcome === 'in-doubt' || outcome === 'reworded';
    const mayGoOn = item.change === 'adjust' && isNoGrant && work.request.undoes === undefined;
    const goesOn = mayGoOn && reductionOf(work, item) !== undefined;
    return goesOn ? [{ ...settled, change: 'add' }, newItem('purpose', item.id, 'reduce')] : [settled];
  });
  return items.every((item, index) => item === work.items[index]) ? work : { ...work, items };
}

/** What is still to be switched off or taken out. */
export function takenBackBy(work: Work): readonly Withdrawal[] {
  return work.items.flatMap((item): Withdrawal | [] => {
    if (isSettled(item) || item.what !== 'purpose') return [];
    return item.change === 'off' ? { kind: 'off', purpose: item.id } : (reductionOf(work, item) ?? []);
  });
}

/** An adjustment that adds nothing was made of what is only assumed: later it would agree to that. */
export function reductionOf(work: Work, { id }: ItemResult): Withdrawal | undefined {
  const change = changeOf(work.request.intent, id);
  if (change === undefined) return undefined;
  const { topics, options } = choicesIn(change);
  return change.kind === 'adjust' && topics.length + options.length === 0
    ? undefined
    : reductionIn(work, change);
}

/** Without what the person has chosen again since. */
function reductionIn(work: Work, change: PurposeChange): Withdrawal | undefined {
  const isLate = change.kind === 'on';
  const late = work.lateChoices && changeOf({ purposes: work.lateChoices }, change.purpose);
  const back = isLate ? late : takenBack(change);
  if (back?.kind !== 'reduce') return undefined;
  const { purpose } = back;
  const topicsOff = back.topicsOff.filter((topic) => !has(work.superseded, choiceKey(purpose, topic)));
  const optionsOff = back.optionsOff.filter(
    ({ preference, option }) => !has(work.superseded, choiceKey(purpose, preference, option)),
  );
  return topicsOff.length + optionsOff.length === 0 ? undefined : { ...back, topicsOff, optionsOff };
}

/** What a submission switches on or chooses anew, as earlier ones remember it in `superseded`. */
export function regrantedBy(work: Work): readonly string[] {
  const outcomes: readonly Outcome[] = ['saved', 'unconfirmed', 'unchanged', 'waiting'];
  return changesOf(work).flatMap((change) => {
    const item = itemOf(work, change.purpose, granting);
    return item !== undefined && outcomes.includes(item.outcome) ? askedBy(change) : [];
  });
}

/** Before its first call an objection leaves alone what a reading shows as agreed to, though its page knew nothing of it. */
export function withoutAgreed(work: Work, current: Subject): Work {
  const { request, items, calls } = work;
  if (request.isObjection !== true || calls.length > 0) return work;
  const agreed = new Set(
    current.purposes
      .filter(({ status }) => status === 'active' || status === 'pending')
      .map(({ purpose }) => purpose),
  );
  if (!items.some(({ id }) => agreed.has(id))) return work;
  const purposes = request.intent.purposes.filter(({ purpose }) => !agreed.has(purpose));
  return {
    ...work,
    request: { ...request, intent: { ...request.intent, purposes } },
    items: items.filter(({ id }) => !agreed.has(id)),
  };
}

/** The last writing call that was made for a change. */
export function lastCall(work: Work, key: string): CallMade | undefined {
  return work.calls.findLast(({ changes }) => has(changes, key) || has(changes, everyChange));
}

/** The last one for a change that may have done something. */
export function lastCallMade(work: Work, key: string): CallMade | undefined {
  return lastCall({ ...work, calls: work.calls.filter((call) => !didNothing(call)) }, key);
}

/** A call after the one that was made for it is without it, and so withdrew what that one brought late. */
export function isLeftOutSince(work: Work, item: { readonly what: string; readonly id: string }): boolean {
  const at = work.calls.findLastIndex(({ changes }) => has(changes, keyOf(item)));
  const later = work.calls.slice(at + 1).filter((call) => !didNothing(call));
  return at >= 0 && later.some(({ update }) => (update && updateOf(update, item.id)) === undefined);
}

/**
 * Takes out what must not be granted any more: after its minute, or because a later submission of the same person
 * switches it off. What may have arrived already is left until it is read back.
 */
export function withoutLateGrants(
  work: Work,
  late: { readonly isExpired: boolean; readonly leftLater: Left; readonly unseen: TakenBack },
): Work {
  const isGrant = (item: ItemResult) => item.outcome === 'in-progress' && !isPerhapsSent(work, item);
  const isGone = (item: ItemResult) => isLeft(late.leftLater, item) || isPurposeIn(late.unseen, item);
  const left = settle(work, (item) => isGrant(item) && isGone(item), 'withdrawn-elsewhere');
  const kept = settle(left, (item) => isGrant(item) && isChoiceIn(late.unseen, left, item), 'not-saved');
  return late.isExpired ? settle(kept, isGrant, 'not-saved') : kept;
}

/**
 * What was submitted after the form of a submission was drawn, and recorded before it. What came first nobody knows:
 * a press may come late by way of a node, or of the platform, that was slow. So the withdrawal stands, as it does where
 * a reading shows that something was switched off since.
 */
export function submittedUnseen(
  entries: readonly JournalEntry[],
  { reference, work }: Pick<JournalEntry, 'reference' | 'work'>,
): readonly JournalEntry[] {
  const form = work?.request.form;
  const at = entries.findIndex((entry) => entry.reference === reference);
  const before = form === undefined ? [] : entries.slice(0, Math.max(0, at));
  return before.filter(
    ({ submittedAt, saidAgainAt = submittedAt }) => Math.max(submittedAt, saidAgainAt) > (form?.at ?? 0),
  );
}

function isPurposeIn({ keys, everything, asked }: TakenBack, { what, id }: ItemResult): boolean {
  return what === 'purpose' && (keys.has(id) || (everything && !asked.has(id)));
}

function isChoiceIn({ keys }: TakenBack, { request }: Work, { what, id }: ItemResult): boolean {
  const change = changeOf(request.intent, id);
  return what === 'purpose' && change !== undefined && askedBy(change).some((key) => keys.has(key));
}

/** What the person switched on or chose again by a later submission is no longer withdrawn. */
export function withoutSuperseded(work: Work): Work {
  const isPurpose = (item: ItemResult) =>
    item.what === 'purpose' && item.change !== 'reduce' && has(work.superseded, item.id);
  // Even where the platform had accepted it: nothing has shown it as off, and the later grant holds.
  const left = settle(work, isPurpose, 'not-saved');
  return settle(
    left,
    (item) => item.change === 'reduce' && reductionOf(left, item) === undefined,
    'not-saved',
  );
}

/** Purposes that later submissions switch off. */
export type Left = ReadonlySet<string> | 'all';

export function isLeft(left: Left, item: { readonly what: string; readonly id: string }): boolean {
  return item.what === 'purpose' && (left === 'all' || left.has(item.id));
}

export function leftBy(works: readonly (Work | undefined)[]): Left {
  const left = new Set<string>();
  for (const work of works) {
    if (work !== undefined && isLeaving(work)) return 'all';
    for (const item of work?.items ?? []) if (item.change === 'off' && !isSettled(item)) left.add(item.id);
  }
  return left;
}

/** Purposes that submissions switch off, carried out or not: a grant that came before them is not to come after them. */
export function leftSince(entries: readonly JournalEntry[], reachOf: ReachOf): Left {
  const left = new Set<string>();
  for (const entry of entries) {
    const isAll = entry.work?.request.intent.everything === 'withdraw';
    const reach = isAll ? reachedBy(entry, reachOf) : new Set<string>();
    if (reach === undefined) return 'all';
    for (const id of reach) left.add(id);
    for (const { change, id } of entry.work?.items ?? []) if (change === 'off') left.add(id);
  }
  return left;
}

/** Everything is being left, and nobody has seen yet that it is. */
export function isLeaving(work: Work): boolean {
  return work.request.intent.everything === 'withdraw' && !isFinished(work);
}

/** What later submissions of the person switch off: everything only in the same center. */
export function leftAfter(entries: readonly JournalEntry[], { reference, center }: JournalEntry): Left {
  const at = entries.findIndex((entry) => entry.reference === reference);
  const later = at === -1 ? [] : entries.slice(at + 1).filter(({ state }) => state === 'pending');
  const here = leftBy(later.filter((entry) => entry.center === center).map(({ work }) => work));
  if (here === 'all') return 'all';
  const elsewhere = later.flatMap(({ work }) => {
    const off = work?.items.filter((item) => item.change === 'off' && !isSettled(item)) ?? [];
    return off.map(({ id }) => id);
  });
  return new Set([...here, ...elsewhere]);
}

/** Calls without an answer, which may still land. */
export function callsInDoubt(works: readonly (Work | undefined)[], now: number): readonly CallMade[] {
  const calls = works.flatMap((work) => work?.calls ?? []);
  return calls.filter((call) => isInDoubt(call) && mayStillShow(call, now));
}

/** Purposes that they carried. */
export function inDoubtOf(works: readonly (Work | undefined)[], now: number): readonly string[] {
  const carried = callsInDoubt(works, now).flatMap(
    ({ update }) => update?.purposes.map(({ id }) => id) ?? [],
  );
  return [...new Set(carried)];
}

/** The first few calls and the latest: a withdrawal may be tried for days. */
export function withCall(work: Work, call: CallMade): Work {
  const calls = [...work.calls, call];
  return { ...work, calls: calls.length > 50 ? [...calls.slice(0, 10), ...calls.slice(-40)] : calls };
}

export function withLastCall(work: Work, change: Partial<CallMade>): Work {
  const last = work.calls.at(-1);
  return last === undefined ? work : { ...work, calls: [...work.calls.slice(0, -1), { ...last, ...change }] };
}

export function receiptsOf(work: Work): readonly string[] {
  const receipts = work.calls.flatMap(
    (call) => call.answer?.items.flatMap((item) => (item.accepted ? (item.receipt ?? []) : [])) ?? [],
  );
  return [...new Set(receipts)];
}
