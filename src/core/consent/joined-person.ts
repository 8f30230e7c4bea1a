import {
  type Call,
  centerOf,
  type DesiredCenter,
  type DesiredItem,
  type DesiredState,
  everythingOver,
  isPurpose,
  isTyped,
  isUnsettled,
  itemAt,
  keyOf,
  type Line,
  lineOf,
  purposeOf,
} from './desired-state.ts';
import { historyOf } from './grant-history.ts';
import type { Person } from './person.ts';

/**
 * Joins two rows of one person that were written under different secrets. Every word of the newer row counts
 * as later than every word of the older one.
 */
export function joined(older: Person, newer: Person): Person {
  const by = older.desired.order;
  const later = movedBehind(newer.desired, by);
  const open = newer.open.map(({ progress, ...each }) => {
    const calls = progress.calls.map((call) => ({ ...call, order: call.order + by }));
    return { ...each, progress: { ...progress, calls } };
  });
  const names = [...new Set([...older.desired.centers, ...later.centers].map(({ center }) => center))];
  const parts = names.map((name) => {
    const first = centerOf(older.desired, name);
    const words = first.items.map((item) => overridden(item, name, later));
    const rest = { ...first, items: words.map(({ item }) => item) };
    const ended = words.map(({ end }) => end).filter((end) => end !== undefined);
    return { center: joinedCenter(rest, centerOf(later, name)), ended };
  });
  const lines = Map.groupBy(
    parts.flatMap(({ ended }) => ended),
    (line) => line.by,
  );
  return {
    subject: newer.subject,
    desired: { order: later.order, centers: parts.map(({ center }) => center) },
    open: both(older.open, open, ({ reference }) => reference).map(({ progress, ...each }) => {
      const own = lines.get(each.reference) ?? [];
      return { ...each, progress: { ...progress, lines: [...progress.lines, ...own] } };
    }),
    tries: both(older.tries, newer.tries, ({ center }) => center),
    asShown: [...(older.asShown ?? []), ...(newer.asShown ?? [])],
    clicks: {
      count: older.clicks.count + newer.clicks.count,
      until: Math.max(older.clicks.until, newer.clicks.until),
      dueAt: Math.max(older.clicks.dueAt, newer.clicks.dueAt),
    },
  };
}

/** Adds `by` to every sequence number. */
function movedBehind({ order, centers }: DesiredState, by: number): DesiredState {
  const moved = (each: number | undefined) => each && each + by;
  return {
    order: order + by,
    centers: centers.map((center) => ({
      ...center,
      items: center.items.map((item) => ({
        ...item,
        order: item.order + by,
        call: moved(item.call),
        granted: item.granted && { ...item.granted, order: item.granted.order + by },
        takenOut: moved(item.takenOut),
        withdrawn: moved(item.withdrawn),
      })),
      everything: center.everything && {
        ...center.everything,
        order: center.everything.order + by,
        call: moved(center.everything.call),
      },
      calls: center.calls.map((call): Call => ({ ...call, order: call.order + by })),
      // A form of order 0 was rendered before any word, also before those of the older row.
      asked: center.asked.map(({ form, ...asked }) => {
        return { ...asked, form: form && { ...form, order: form.order && form.order + by } };
      }),
    })),
  };
}

/** Returns a word of the older row. It ends if the newer row replaces it, or withdraws it in any center. */
function overridden(
  item: DesiredItem,
  center: string,
  later: DesiredState,
): { readonly item: DesiredItem; readonly end?: Line } {
  if (!isUnsettled(item)) return { item };
  const { key, phase } = item;
  const replacedAt = (at: number) => lineOf(item, { outcome: 'replaced', row: 'said-otherwise', at });
  const again = itemAt(centerOf(later, center), key);
  if (again !== undefined) return { item, end: replacedAt(again.at) };
  const words = later.centers.map((each) => itemAt(each, key));
  const typed = isTyped(item) ? words.find((word) => word !== undefined) : undefined;
  if (typed !== undefined) return { item: { ...item, phase: 'over' }, end: replacedAt(typed.at) };
  const word = item.want === 'on' ? withdrawalOf(key, center, later) : undefined;
  if (word === undefined) return { item };
  const { by, at, order, isHere, isWhole } = word;
  const outcome = isHere ? 'replaced' : 'withdrawn-elsewhere';
  const row = isHere ? 'said-otherwise' : 'withdrawn-in-another-center';
  // A grant already sent may be on, so it is withdrawn; a choice goes with its purpose.
  const isOver = (phase === 'open' && item.replacesWithdrawal !== true) || (isWhole && !isPurpose(key));
  return {
    item: { key, want: 'off', by, at, order, phase: isOver ? 'over' : 'open', ...historyOf(item) },
    end: lineOf(item, { outcome, row, at }),
  };
}

/**
 * The latest withdrawal of a key that is on: its own, its purpose's, or "everything" that reaches it.
 * `isWhole`: the withdrawal is one of the whole purpose.
 */
function withdrawalOf(key: string, own: string, { centers }: DesiredState) {
  const purpose = purposeOf(key);
  const words = centers.flatMap((center) => {
    const isHere = center.center === own;
    const everything = everythingOver(center, purpose, own);
    const off = [key, keyOf.purpose(purpose)].flatMap((each) => {
      const word = itemAt(center, each);
      return word?.want === 'off' && word.withdrawn !== undefined ? [word] : [];
    });
    return [
      ...off.map((word) => ({ ...word, isHere, isWhole: isPurpose(word.key) })),
      ...(everything === undefined ? [] : [{ ...everything, isHere, isWhole: true }]),
    ];
  });
  return words.toSorted((one, other) => other.order - one.order)[0];
}

function joinedCenter(older: DesiredCenter, newer: DesiredCenter): DesiredCenter {
  const items = newer.items.map((item) => withHistory(item, itemAt(older, item.key)));
  return {
    center: newer.center,
    items: both(older.items, items, ({ key }) => key),
    everything: newer.everything ?? older.everything,
    asked: both(older.asked, newer.asked, ({ reference }) => reference),
    calls: [...older.calls, ...newer.calls],
    known: [...new Set([...older.known, ...newer.known])],
    lookedAt: Math.max(older.lookedAt, newer.lookedAt),
  };
}

/** Adds the facts about a key, which outlive the word about it. */
function withHistory(item: DesiredItem, old: DesiredItem | undefined): DesiredItem {
  const { granted, takenOut, withdrawn } = historyOf(old);
  return {
    ...item,
    granted: item.granted ?? granted,
    takenOut: item.takenOut ?? takenOut,
    withdrawn: item.withdrawn ?? withdrawn,
  };
}

/** All parts of the newer row, and those of the older row that the newer one does not have. */
function both<Part>(
  older: readonly Part[],
  newer: readonly Part[],
  nameOf: (part: Part) => string,
): readonly Part[] {
  const named = new Set(newer.map(nameOf));
  return [...older.filter((part) => !named.has(nameOf(part))), ...newer];
}
