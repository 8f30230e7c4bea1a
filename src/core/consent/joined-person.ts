import {
  type Call,
  centerOf,
  type DesiredCenter,
  type DesiredItem,
  type DesiredState,
  everythingOver,
  isPurpose,
  isUnsettled,
  itemAt,
  keyOf,
  type Line,
  lineOf,
  purposeOf,
  takenOutFor,
} from './desired-state.ts';
import type { OpenSubmission, Person } from './person.ts';

/**
 * Joins two rows of one person that were written under different secrets. Every word of the newer row counts as later
 * than every word of the older one.
 */
export function joined(older: Person, newer: Person): Person {
  const later = movedBehind(newer.desired, older.desired.order);
  const names = [...new Set([...older.desired.centers, ...later.centers].map(({ center }) => center))];
  const ended: Line[] = [];
  const centers = names.map((name) => {
    const first = centerOf(older.desired, name);
    const rest = withoutOverridden(first, later);
    ended.push(...rest.ended);
    return joinedCenter({ ...first, items: rest.items }, centerOf(later, name));
  });
  const tried = new Set(newer.tries.map(({ center }) => center));
  const lines = Map.groupBy(ended, ({ by }) => by);
  return {
    subject: newer.subject,
    desired: { order: later.order, centers },
    open: joinedOpen(older.open, newer.open).map((each) => withLines(each, lines.get(each.reference))),
    tries: [...older.tries.filter(({ center }) => !tried.has(center)), ...newer.tries],
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
  const moved = (each: number | undefined) => (each === undefined ? undefined : each + by);
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
      asked: center.asked.map((asked) => {
        const { form } = asked;
        return form === undefined || form.order === 0
          ? asked
          : { ...asked, form: { ...form, order: form.order + by } };
      }),
    })),
  };
}

/** The words of the older row. Those that the newer row replaces, or withdraws in any center, end. */
function withoutOverridden(
  { center, items }: DesiredCenter,
  later: DesiredState,
): { readonly items: readonly DesiredItem[]; readonly ended: readonly Line[] } {
  const ended: Line[] = [];
  const kept = items.map((item): DesiredItem => {
    if (!isUnsettled(item)) return item;
    const again = itemAt(centerOf(later, center), item.key);
    if (again !== undefined) {
      ended.push(lineOf(item, { outcome: 'replaced', row: 'said-otherwise', at: again.at }));
      return item;
    }
    const word = item.want === 'on' ? withdrawalOf(item.key, center, later) : undefined;
    if (word === undefined) return item;
    const outcome = word.isHere ? 'replaced' : 'withdrawn-elsewhere';
    const row = word.isHere ? 'said-otherwise' : 'withdrawn-in-another-center';
    ended.push(lineOf(item, { outcome, row, at: word.at }));
    const { key, granted, withdrawn, phase } = item;
    const takenOut = takenOutFor(item);
    const { by, at, order } = word;
    // A grant already sent may be on, so it is withdrawn.
    const isOver = (phase === 'open' && item.replacesWithdrawal !== true) || !isPurpose(key);
    return {
      ...{ key, want: 'off', by, at, order, phase: isOver ? 'over' : 'open' },
      ...{ granted, takenOut, withdrawn },
    };
  });
  return { items: kept, ended };
}

interface Word {
  readonly by: string;
  readonly at: number;
  readonly order: number;
  readonly isHere: boolean;
}

/** The latest withdrawal of a key's purpose: its own, or "everything" that reaches it. */
function withdrawalOf(key: string, own: string, { centers }: DesiredState): Word | undefined {
  const purpose = purposeOf(key);
  if (purpose === '') return undefined;
  const words = centers.flatMap((center): Word[] => {
    const isHere = center.center === own;
    const everything = everythingOver(center, purpose, own);
    const word = itemAt(center, keyOf.purpose(purpose));
    return [
      ...(word?.want === 'off' && word.withdrawn !== undefined ? [{ ...word, isHere }] : []),
      ...(everything === undefined ? [] : [{ ...everything, isHere }]),
    ];
  });
  return words.toSorted((one, other) => other.order - one.order)[0];
}

function joinedCenter(older: DesiredCenter, newer: DesiredCenter): DesiredCenter {
  const said = new Set(newer.items.map(({ key }) => key));
  const asked = new Set(newer.asked.map(({ reference }) => reference));
  return {
    center: newer.center,
    items: [
      ...older.items.filter(({ key }) => !said.has(key)),
      ...newer.items.map((item) => withHistory(item, itemAt(older, item.key))),
    ],
    everything: newer.everything ?? older.everything,
    asked: [...older.asked.filter(({ reference }) => !asked.has(reference)), ...newer.asked],
    calls: [...older.calls, ...newer.calls],
    known: [...new Set([...older.known, ...newer.known])],
    lookedAt: Math.max(older.lookedAt, newer.lookedAt),
  };
}

/** Facts about a key outlive the word about it. */
function withHistory(item: DesiredItem, old: DesiredItem | undefined): DesiredItem {
  if (old === undefined) return item;
  return {
    ...item,
    granted: item.granted ?? old.granted,
    takenOut: item.takenOut ?? takenOutFor(old),
    withdrawn: item.withdrawn ?? old.withdrawn,
  };
}

function joinedOpen(
  older: readonly OpenSubmission[],
  newer: readonly OpenSubmission[],
): readonly OpenSubmission[] {
  const there = new Set(newer.map(({ reference }) => reference));
  return [...older.filter(({ reference }) => !there.has(reference)), ...newer];
}

function withLines(open: OpenSubmission, own: readonly Line[] = []): OpenSubmission {
  if (own.length === 0) return open;
  return { ...open, progress: { ...open.progress, lines: [...open.progress.lines, ...own] } };
}
