import { tolerance } from '../model/age.ts';
import {
  callsInDoubt,
  type DesiredCenter,
  type DesiredItem,
  type DesiredState,
  endOf,
  type Limits,
  sayersOf,
} from './desired-state.ts';

/**
 * Corrects times in the future (clock set back), whose age is unknown: withdrawals and calls count from now,
 * grants are over.
 */
function withoutFuture(center: DesiredCenter, now: number, { grantLife }: Limits): DesiredCenter {
  const isFuture = (time: number) => time > now + tolerance;
  const clip = (time: number) => (isFuture(time) ? now : time);
  const dated = <Of extends { readonly at: number }>(of: Of): Of => ({ ...of, at: clip(of.at) });
  const { lookedAt } = center;
  const floor = center.everything && dated(center.everything);
  const everything = floor && { ...floor, seen: floor.seen && clip(floor.seen) };
  const items = center.items.map((item): DesiredItem => {
    const { want, at, seen, granted } = item;
    return {
      ...item,
      at: want !== 'off' && isFuture(at) ? now - grantLife : clip(at),
      seen: seen && clip(seen),
      granted: granted && dated(granted),
    };
  });
  const calls = center.calls.map((call) => ({ ...dated(call), answer: call.answer && dated(call.answer) }));
  return { ...center, items, calls, everything, lookedAt: clip(lookedAt) };
}

function isDone({ phase }: DesiredItem): boolean {
  return phase === 'verified' || phase === 'over';
}

/** Drops the parts of the state that no rule reads any more. */
export function prune(desired: DesiredState, now: number, limits: Limits): DesiredState {
  const isDoubtful = callsInDoubt(desired).length > 0;
  const isPast = (at: number) => !isDoubtful && now - at > limits.formLife;
  const centers = desired.centers.map((kept): DesiredCenter => {
    const center = withoutFuture(kept, now, limits);
    const items = center.items.filter((item) => !isDone(item) || !isPast(Math.max(item.at, item.seen ?? 0)));
    const isOver = center.everything?.phase === 'verified' && isPast(center.everything.at);
    const everything = isOver ? undefined : center.everything;
    const named = new Set([...items.flatMap(sayersOf), everything?.by]);
    const calls = center.calls.filter((call) => call.isChecked !== true || now < endOf(call, limits));
    const unsettled = new Set([...items.filter((item) => !isDone(item)), ...calls].map(({ by }) => by));
    const asked = center.asked
      .filter(({ reference }) => named.has(reference))
      // The facts of a form are as long as the center.
      .map(({ form, ...each }) => {
        const isShown = unsettled.has(each.reference);
        return { ...each, form: form && { ...form, drawn: isShown ? form.drawn : undefined } };
      });
    return { ...center, items, everything, asked, calls };
  });
  const isKnown = ({ items, calls, known, everything }: DesiredCenter) =>
    items.length + calls.length + known.length > 0 || everything !== undefined;
  return { ...desired, centers: centers.filter(isKnown) };
}
