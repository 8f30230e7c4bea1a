import { tolerance } from '../model/age.ts';
import { unlessSame } from '../model/by-key.ts';
import {
  type Asked,
  callsInDoubt,
  type DesiredCenter,
  type DesiredState,
  endOf,
  isInDoubt,
  isUnsettled,
  type Limits,
  sayersOf,
} from './desired-state.ts';

/**
 * Corrects times in the future (clock set back), whose age is unknown: withdrawals and calls count from now, grants are
 * over.
 */
function withoutFuture(desired: DesiredState, now: number, { grantLife }: Limits): DesiredState {
  const isFuture = (time: number | undefined) => time !== undefined && time > now + tolerance;
  const isOf = (center: DesiredCenter) =>
    isFuture(center.lookedAt) ||
    isFuture(center.everything?.at) ||
    center.items.some(({ at, seen, granted }) => isFuture(at) || isFuture(seen) || isFuture(granted?.at)) ||
    center.calls.some(({ at, answer }) => isFuture(at) || isFuture(answer?.at));
  if (!desired.centers.some(isOf)) return desired;
  const clip = (time: number) => (isFuture(time) ? now : time);
  const centers = desired.centers.map((center): DesiredCenter => {
    const { everything, lookedAt } = center;
    const items = center.items.map((item) => {
      const isGrant = item.want !== 'off' && isFuture(item.at);
      const granted = item.granted && { ...item.granted, at: clip(item.granted.at) };
      const seen = item.seen === undefined ? undefined : clip(item.seen);
      return { ...item, at: isGrant ? now - grantLife : clip(item.at), seen, granted };
    });
    const calls = center.calls.map((call) => {
      return {
        ...call,
        at: clip(call.at),
        answer: call.answer && { ...call.answer, at: clip(call.answer.at) },
      };
    });
    const floor = everything && { ...everything, at: clip(everything.at) };
    return { ...center, items, calls, everything: floor, lookedAt: clip(lookedAt) };
  });
  return { ...desired, centers };
}

/** Drops what a form showed, which is as long as the center, once its words are settled. */
function withoutShown(asked: Asked): Asked {
  if (asked.form?.drawn === undefined) return asked;
  const { drawn: _, ...form } = asked.form;
  return { ...asked, form };
}

/** Drops what no rule reads any more. */
export function prune(kept: DesiredState, now: number, limits: Limits): DesiredState {
  const desired = withoutFuture(kept, now, limits);
  const isDoubtful = callsInDoubt(desired).length > 0;
  const isPast = (at: number) => !isDoubtful && now - at > limits.formLife;
  const centers = desired.centers.flatMap((center): DesiredCenter[] => {
    const items = center.items.filter((item) => {
      const isDone = item.phase === 'verified' || item.phase === 'over';
      return !isDone || !isPast(Math.max(item.at, item.seen ?? 0));
    });
    const { everything } = center;
    const isFloor = everything !== undefined && (everything.phase !== 'verified' || !isPast(everything.at));
    const floor = isFloor ? everything : undefined;
    const named = new Set([...items.flatMap(sayersOf), ...(floor === undefined ? [] : [floor.by])]);
    const calls = center.calls.filter(
      (call) => isInDoubt(call) || call.isChecked !== true || now < endOf(call, limits),
    );
    const unsettled = new Set([
      ...items.flatMap((item) => (isUnsettled(item) || item.phase === 'bound' ? item.by : [])),
      ...calls.map(({ by }) => by),
    ]);
    const asked = center.asked
      .filter(({ reference }) => named.has(reference))
      .map((each) => (unsettled.has(each.reference) ? each : withoutShown(each)));
    if (items.length + calls.length + center.known.length === 0 && floor === undefined) return [];
    return [{ ...center, items: unlessSame(center.items, items), everything: floor, asked, calls }];
  });
  return { ...desired, centers };
}
