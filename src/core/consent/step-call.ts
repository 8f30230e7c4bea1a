import { has } from '../model/by-key.ts';
import { unreadCenter } from '../model/center/unread-center.ts';
import { type ReadRecord, recordOf, type Subject } from '../model/person/subject.ts';
import { answersAbout, type ConsentAnswer, updateOf } from '../model/submission/consent-update.ts';
import { adjustment, type Intent, type PurposeChange } from '../model/submission/intent.ts';
import {
  type Call,
  carriedIn,
  centerOf,
  type DesiredCenter,
  type DesiredEverything,
  type DesiredItem,
  type DesiredState,
  isInDoubt,
  isPurpose,
  isTyped,
  isUnsettled,
  keyOf,
  type Line,
  lineOf,
  partsOf,
  purposeOf,
  withCenter,
} from './desired-state.ts';
import { failedUnread, takenOutFor } from './grant-history.ts';
import { mergeIntent } from './merge.ts';
import { isOn, standingOfPurpose } from './standing.ts';
import { type Draft, withDesired } from './step-draft.ts';
import { isHeldUp } from './step-facts.ts';
import { isGrantOver, type Verdict } from './step-rows.ts';
import { withdrawnSince } from './withdrawn-since.ts';

/** A call, and the words that it is made for. */
export interface Plan extends Pick<Call, 'order' | 'update' | 'refusals' | 'keys' | 'off'> {
  readonly kind: 'call';
  /** True if the same call was answered before without effect: the loop waits for its back-off first. */
  readonly isRepeat: boolean;
}

/**
 * Returns one call for all words to send; missing refusals get a call of their own. undefined: there is no
 * call to make.
 */
export function planCall(
  draft: Draft,
  verdicts: ReadonlyMap<string, Verdict>,
  reading: ReadRecord | undefined,
): Plan | undefined {
  const { center, desired } = draft;
  const { everything, items } = center;
  const order = desired.order + 1;
  const subject = reading?.subject;
  const kindOf = ({ key }: DesiredItem) => verdicts.get(key)?.kind;
  const sent = items.filter((item) => kindOf(item) === 'send');
  const isRepeat = sent.some(({ call, phase }) => {
    return phase === 'sent' && center.calls.every((each) => each.order !== call || each.answer !== undefined);
  });
  if (everything !== undefined && isForDelete(draft, everything, sent)) {
    const withdrawn = items.filter((item) => {
      const isFloors = isPurpose(item.key) && item.order <= everything.order;
      return isFloors && item.want === 'off' && isUnsettled(item);
    });
    const keys = withdrawn.map(({ key }) => key);
    const off = subject && activeIn(subject);
    return { kind: 'call', order, update: undefined, refusals: [], keys, off, isRepeat };
  }
  if (subject === undefined) return undefined;
  const sentKeys = new Set(sent.map(({ key }) => key));
  const sending = sent.filter((item) => mayGoAlone(item, sentKeys, subject));
  if (sending.length > 0) {
    // Words seen off by a reading that may be too old are withdrawn by the same call.
    const seenOff = items.filter((item) => {
      const verdict = verdicts.get(item.key);
      const isOff = verdict?.kind === 'wait' && verdict.seenAs !== 'no-such-purpose';
      return item.want === 'off' && isUnsettled(item) && isOff;
    });
    const keys = new Set([...sending, ...seenOff, ...boundTo(items, sending)].map(({ key }) => key));
    return planned(draft, { order, keys: [...keys], refusals: [], isRepeat, subject });
  }
  const refused = items.filter((item) => kindOf(item) === 'refuse');
  if (refused.length === 0) return undefined;
  const refusals = refused.map(({ key }) => purposeOf(key));
  const isRefusedAgain = refused.some(({ call }) =>
    center.calls.some((each) => each.order === call && each.refusals.length > 0 && !isInDoubt(each)),
  );
  const keys = refused.map(({ key }) => key);
  return planned(draft, { order, keys, refusals, isRepeat: isRefusedAgain, subject });
}

type PutPlan = Pick<Plan, 'order' | 'keys' | 'refusals' | 'isRepeat'> & { readonly subject: Subject };

function planned(draft: Draft, { subject, ...plan }: PutPlan): Plan | undefined {
  const { center, known } = draft;
  const keys = new Set(plan.keys);
  const call = mergeIntent({
    center: typeof known.schema === 'object' ? known.schema.center : unreadCenter(center.center),
    current: subject,
    intent: intentOf(
      center.items.filter(({ key, want, phase }) => keys.has(key) || (want === 'off' && phase === 'sent')),
    ),
    confirmable: confirmableBy(draft, keys),
  });
  if (call.kind !== 'put') return undefined;
  const off = activeIn(subject).filter((id) => updateOf(call.update, id) === undefined);
  return { kind: 'call', ...plan, update: call.update, off };
}

/**
 * True if the DELETE is not made yet, or its answer was lost and a purpose is still on. A refused DELETE is
 * not repeated: a PUT follows.
 */
function isForDelete(
  { center }: Draft,
  everything: DesiredEverything,
  sent: readonly DesiredItem[],
): boolean {
  if (everything.phase === 'open') return true;
  const call = center.calls.find(({ order }) => order === everything.call);
  const isLost = everything.phase === 'sent' && call !== undefined && isInDoubt(call);
  return isLost && sent.some(({ want, order }) => want === 'off' && order <= everything.order);
}

/** True if a choice may be sent: its purpose is on, assumed or absent, or goes with the same call. */
function mayGoAlone({ key }: DesiredItem, sent: ReadonlySet<string>, subject: Subject): boolean {
  const purpose = purposeOf(key);
  const whole = keyOf.purpose(purpose);
  const stands = standingOfPurpose(recordOf(subject, purpose), undefined);
  return isOn(stands) || stands === 'on-by-default' || stands === 'absent' || sent.has(whole);
}

function boundTo(items: readonly DesiredItem[], sending: readonly DesiredItem[]): readonly DesiredItem[] {
  const granted = new Set(sending.filter(({ want }) => want === 'on').map(({ key }) => purposeOf(key)));
  const isBound = ({ want, phase }: DesiredItem) => phase === 'bound' || (want === 'off' && phase === 'open');
  return items.filter((item) => isBound(item) && granted.has(purposeOf(item.key)));
}

/**
 * Purposes on by default that the call may confirm: those that the forms of its words showed, within a minute
 * of submission, unless they were withdrawn since or are being withdrawn.
 */
function confirmableBy(draft: Draft, keys: ReadonlySet<string>): readonly string[] {
  const { desired, center, now, limits } = draft;
  const young = center.items.filter(({ key, at }) => keys.has(key) && !isGrantOver(at, { now, limits }));
  const sayers = new Set(young.map(({ by }) => by));
  const asked = center.asked.filter(({ reference }) => sayers.has(reference));
  return asked.flatMap(({ form, confirms }) => {
    const isWithdrawn = withdrawnSince(desired, { form, center: center.center });
    return confirms.filter(
      (purpose) => !isWithdrawn({ key: keyOf.purpose(purpose) }) && !isHeldUp(draft, desired.order, purpose),
    );
  });
}

function activeIn({ purposes }: Subject): readonly string[] {
  const active = purposes.filter(({ status }) => status === 'active' || status === 'pending');
  return active.map(({ purpose }) => purpose);
}

/** Turns words into an intent. */
export function intentOf(items: readonly DesiredItem[]): Intent {
  const typed = items.filter(isTyped);
  const language = typed.find(({ key }) => key === keyOf.language)?.want.value;
  const dataElements = typed
    .filter(({ key }) => key !== keyOf.language)
    .map(({ key, want: { label, value } }) => ({
      element: key.slice(keyOf.element('').length),
      label,
      value,
    }));
  const purposes = Map.groupBy(
    items.filter((item) => !isTyped(item)),
    ({ key }) => purposeOf(key),
  );
  const changes = [...purposes].map(([purpose, words]) => changeOf(purpose, words));
  return { purposes: changes, dataElements, language, everything: undefined };
}

function changeOf(purpose: string, words: readonly DesiredItem[]): PurposeChange {
  const whole = words.find(({ key }) => isPurpose(key));
  if (whole?.want === 'off') return { kind: 'off', purpose };
  const inOrder = words.toSorted((one, other) => one.order - other.order);
  const said = (want: string) =>
    inOrder.filter((word) => word.want === want && !isPurpose(word.key)).map(({ key }) => partsOf(key));
  const topics = (want: string) =>
    said(want).flatMap(([, , topic, option]) => (option === undefined ? topic : []));
  const options = (want: string) =>
    said(want).flatMap(([, , preference, option]) => (option === undefined ? [] : { preference, option }));
  const on = { topicsOn: topics('on'), optionsOn: options('on') };
  const off = { topicsOff: topics('off'), optionsOff: options('off') };
  if (whole === undefined) return adjustment({ purpose, ...on, ...off });
  return whole.renews === true
    ? { kind: 'adjust', purpose, renews: true, ...on, ...off }
    : { kind: 'on', purpose, topics: on.topicsOn, options: on.optionsOn, ...off };
}

/**
 * The state with the call in it. It is written before the call is made: a call without an answer may have
 * arrived.
 */
export function withCall(draft: Draft, plan: Plan): Draft {
  const { center, known, now, desired } = draft;
  const { order, update, refusals, keys, off } = plan;
  const about = new Set(keys);
  const subject = known.observed?.subject;
  const items = center.items.map((item): DesiredItem => {
    if (!about.has(item.key)) return item;
    const before =
      item.before === undefined && subject !== undefined ? recordedAt(item, subject) : item.before;
    // A word bound to a grant is only watched from here on.
    const phase = item.phase === 'bound' ? 'verified' : 'sent';
    return { ...item, phase, call: order, before, takenOut: takenOutFor(item) };
  });
  const { everything } = center;
  const callers = [...items.filter(({ key }) => about.has(key)), everything && { ...everything, order: 0 }];
  const { by } = callers
    .filter((each) => each !== undefined)
    .reduce((one, other) => (other.order > one.order ? other : one));
  const call: Call = { order, at: now, update, refusals, off, keys, by };
  const isDelete = update === undefined;
  const floor =
    everything && (isDelete ? { ...everything, phase: 'sent' as const, call: order } : everything);
  const changed = {
    ...center,
    items: withCarried(items, call),
    calls: [...center.calls, call],
    everything: floor,
  };
  return withDesired({ ...draft, desired: { ...desired, order } }, changed);
}

/**
 * Notes the purposes that the call carries because they are on, although no word asked for them. They are
 * noted as granted, so that an older form does not switch them on again.
 */
function withCarried(
  items: readonly DesiredItem[],
  { order, at, keys, refusals, update }: Call,
): readonly DesiredItem[] {
  const carried = new Set(
    carriedIn(update).filter((key) => isPurpose(key) && !has(keys, key) && !has(refusals, purposeOf(key))),
  );
  const granted = { order, at, isSure: true };
  const named = new Set(items.map(({ key }) => key));
  const known = items.map((item): DesiredItem => {
    const isOn = item.phase === 'over' || (item.want === 'on' && item.phase === 'verified');
    return isOn && carried.has(item.key) ? { ...item, granted } : item;
  });
  const others = [...carried].filter((key) => !named.has(key));
  return [
    ...known,
    ...others.map((key): DesiredItem => ({ key, want: 'off', by: '', at, order: 0, phase: 'over', granted })),
  ];
}

function recordedAt({ key, want }: DesiredItem, subject: Subject): NonNullable<DesiredItem['before']> | null {
  if (typeof want === 'string') return recordOf(subject, purposeOf(key)) ?? null;
  return key === keyOf.language ? (subject.language ?? null) : (subject.dataElements[want.label] ?? '');
}

/**
 * `nothing-done`: the call was surely not carried out. `refused`: the platform will not do it. `lost`: there
 * is no answer.
 */
export type CallEnd =
  | { readonly kind: 'answered'; readonly answer: ConsentAnswer }
  | { readonly kind: 'nothing-done' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'lost' };

/**
 * Applies the end of a call to the words that it was made for. A refused grant must not hold up the
 * withdrawals that were sent with it.
 */
export function heard(
  desired: DesiredState,
  call: { readonly center: string; readonly order: number; readonly end: CallEnd },
  now: number,
): { readonly desired: DesiredState; readonly ended: readonly Line[] } {
  const center = centerOf(desired, call.center);
  const made = center.calls.find(({ order }) => order === call.order);
  const { end } = call;
  if (made === undefined || end.kind === 'lost') return { desired, ended: [] };
  if (end.kind === 'answered') {
    const order = desired.order + 1;
    const known = answered(center, { made, answer: end.answer, order }, now);
    return { desired: { ...withCenter(desired, known), order }, ended: [] };
  }
  const ended: Line[] = [];
  const isRefused = end.kind === 'refused';
  const items = center.items.map((item): DesiredItem => {
    // An earlier call removed the purpose: only its refusal is still missing.
    if (item.call !== made.order) return item;
    if (has(made.refusals, purposeOf(item.key))) return { ...item, call: item.takenOut };
    const { call: _, ...unsent } = item;
    // The word was bound to a grant, which waits again.
    const isBound = item.phase === 'verified' && !isPurpose(item.key);
    if (isBound && !isRefused) return { ...unsent, phase: 'bound' };
    if (item.want === 'off' || !isRefused)
      return { ...unsent, phase: item.phase === 'sent' ? 'open' : item.phase };
    ended.push(lineOf(item, { outcome: 'not-saved', row: 'call-refused', at: now }));
    return failedUnread({ ...unsent, phase: 'open' });
  });
  const { everything } = center;
  const isFloors = everything !== undefined && everything.call === made.order;
  const floor = isFloors
    ? { ...everything, phase: isRefused ? ('sent' as const) : ('open' as const), call: undefined }
    : everything;
  const calls = center.calls.filter((each) => each !== made);
  return { desired: withCenter(desired, { ...center, items, calls, everything: floor }), ended };
}

function answered(
  center: DesiredCenter,
  { made, answer, order }: { readonly made: Call; readonly answer: ConsentAnswer; readonly order: number },
  now: number,
): DesiredCenter {
  const sent = made.update?.purposes.map(({ id }) => id) ?? [];
  const saysNo = answer.items.flatMap(({ purpose, accepted }) => (accepted ? [] : purpose));
  const missing = sent.filter((id) => answersAbout(answer, id).length === 0);
  const receipt = answer.items.find((item) => item.receipt !== undefined)?.receipt;
  const isUnread = made.update === undefined && made.off === undefined;
  const withdrawn = isUnread
    ? { withdrawn: answer.items.flatMap(({ purpose, accepted }) => (accepted ? purpose : [])) }
    : {};
  const refused = [...saysNo, ...missing];
  const done: Call = { ...made, answer: { at: now, refused, receipt, ...withdrawn } };
  const calls = center.calls.map((each) => (each === made ? done : each));
  const granted = new Set(
    carriedIn(made.update).filter((key) => has(made.keys, key) && !has(refused, purposeOf(key))),
  );
  const items = center.items.map((item) =>
    granted.has(item.key) ? { ...item, granted: { order, at: now, isSure: true } } : item,
  );
  // A DELETE leaves the purposes that it withdrew on record.
  const known = [...new Set([...center.known, ...(withdrawn.withdrawn ?? [])])];
  return { ...center, calls, items, known };
}
