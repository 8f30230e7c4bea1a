import { type Intent, noIntent } from '../core/intent.ts';
import type { CallMade, Work } from '../core/journal-entry.ts';
import type { Order } from '../core/order.ts';
import type { ItemResult, Outcome } from '../core/submission-result.ts';

/** What grants or types is carried out within a minute of its submission, or never. Milliseconds. */
export const grantLife = 60_000;

/** Milliseconds that clocks may differ. */
const tolerance = 1_000;

/** What was submitted in the future, because the clock was set back over a restart, is of an age nobody knows. */
export function isGrantOver(submittedAt: number, now: number): boolean {
  return now >= submittedAt + grantLife || now < submittedAt - tolerance;
}

export function newWork(order: Order): Work {
  const { purposes, dataElements, language } = order.intent;
  const items: ItemResult[] = [
    ...purposes.map(({ kind, purpose }) => newItem('purpose', purpose, kind)),
    ...dataElements.map(({ element }) => newItem('data-element', element, 'typed')),
    ...(language === undefined ? [] : [newItem('language', language, 'language')]),
  ];
  return {
    order,
    before: undefined,
    items,
    calls: [],
    attempts: 0,
    problem: undefined,
    superseded: [],
    undo: undefined,
  };
}

export function newItem(what: ItemResult['what'], id: string, wish: ItemResult['wish']): ItemResult {
  return {
    what,
    id,
    wish,
    outcome: wish === 'off' ? 'being-carried-out' : 'in-progress',
    receipt: undefined,
  };
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
  const { everything } = work.order.intent;
  return everything === 'withdraw' || work.items.some((item) => item.outcome === 'being-carried-out');
}

/** "Everything" is only known to be finished once the record was read. */
export function isFinished(work: Work): boolean {
  const isKnown = work.order.intent.everything === undefined || work.before !== undefined;
  return isKnown && work.items.every(isSettled);
}

/** What is still to be done. */
export function openIntent(work: Work): Intent {
  const { intent } = work.order;
  if (intent.everything === 'withdraw') return { ...noIntent, everything: 'withdraw' };
  const open = new Set(work.items.filter((item) => !isSettled(item)).map(keyOf));
  const isOpen = (what: ItemResult['what'], id: string) => open.has(keyOf({ what, id }));
  return {
    purposes: intent.purposes.filter((change) => isOpen('purpose', change.purpose)),
    dataElements: intent.dataElements.filter((change) => isOpen('data-element', change.element)),
    language:
      intent.language !== undefined && isOpen('language', intent.language) ? intent.language : undefined,
    everything: undefined,
  };
}

export function settle(
  work: Work,
  which: (item: ItemResult) => boolean,
  outcome: Outcome,
  receipt?: string,
): Work {
  const items = work.items.map((item) =>
    !isSettled(item) && which(item) ? { ...item, outcome, receipt: receipt ?? item.receipt } : item,
  );
  return { ...work, items };
}

/** The last writing call that was made for a wish. */
export function lastCall(work: Work, key: string): CallMade | undefined {
  return work.calls.findLast((call) => call.wishes.includes(key));
}

/** The platform said itself that it did nothing. */
export function didNothing(call: CallMade): boolean {
  const { problem } = call;
  return problem === 'platform-refused' || problem === 'identifier-refused' || problem === 'platform-busy';
}

export function isInDoubt(call: CallMade | undefined): boolean {
  return call !== undefined && call.answer === undefined && !didNothing(call);
}

/**
 * Takes out what must not be granted any more: after its minute, or because a later submission of the same person
 * switches it off. What may have arrived already is left until it is read back.
 */
export function withoutLateGrants(work: Work, late: { isExpired: boolean; leftLater: Left }): Work {
  const isGrant = (item: ItemResult) => {
    const call = lastCall(work, keyOf(item));
    return item.outcome === 'in-progress' && (call === undefined || didNothing(call));
  };
  const left = settle(work, (item) => isGrant(item) && isLeft(late.leftLater, item), 'withdrawn-elsewhere');
  return late.isExpired ? settle(left, isGrant, 'not-saved') : left;
}

/** What the person switched on again by a later submission is no longer withdrawn. */
export function withoutSuperseded(work: Work): Work {
  return settle(work, (item) => item.what === 'purpose' && work.superseded.includes(item.id), 'not-saved');
}

/** Purposes that later submissions switch off. */
export type Left = ReadonlySet<string> | 'all';

export function isLeft(left: Left, item: { readonly what: string; readonly id: string }): boolean {
  return item.what === 'purpose' && (left === 'all' || left.has(item.id));
}

export function leftBy(works: readonly (Work | undefined)[]): Left {
  const left = new Set<string>();
  for (const work of works) {
    if (work?.order.intent.everything === 'withdraw') return 'all';
    for (const item of work?.items ?? []) if (item.wish === 'off' && !isSettled(item)) left.add(item.id);
  }
  return left;
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
