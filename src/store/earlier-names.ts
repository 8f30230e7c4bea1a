import type { Evidence, Work } from '../core/model/journal-entry.ts';
import type { StoredSession } from '../ports/session-store.ts';

/*
 * What version 1.0 sealed bears other names for the same: `order` is `request`, `door` is `channel`, `wish` is `change`,
 * `wishes` are `changes`. It is read under today's names; whatever is written again bears them.
 */

type Stored = Readonly<Record<string, unknown>>;
type Names = Readonly<Record<string, string>>;

export function readWork(stored: unknown): Work | undefined {
  if (!isObject(stored)) return undefined;
  if (stored['request'] !== undefined) return stored as unknown as Work;
  const { order, items, calls, ...rest } = stored;
  const work = {
    ...rest,
    request: named(order, { door: 'channel' }),
    items: eachNamed(items, { wish: 'change' }),
    calls: eachNamed(calls, { wishes: 'changes' }).map((call) =>
      isObject(call) && call['why'] === 'wish' ? { ...call, why: 'change' } : call,
    ),
  };
  return work as unknown as Work;
}

export function readEvidence(stored: unknown): Evidence | undefined {
  if (!isObject(stored)) return undefined;
  return { ...stored, items: eachNamed(stored['items'], { wish: 'change' }) } as unknown as Evidence;
}

export function readSession(stored: unknown): StoredSession | undefined {
  if (!isObject(stored)) return undefined;
  const { visits } = stored;
  const read = visits === undefined ? stored : { ...stored, visits: eachNamed(visits, { door: 'channel' }) };
  return read as unknown as StoredSession;
}

function eachNamed(list: unknown, names: Names): readonly unknown[] {
  return Array.isArray(list) ? list.map((each) => named(each, names)) : [];
}

function named(value: unknown, names: Names): unknown {
  if (!isObject(value) || !Object.keys(names).some((earlier) => Object.hasOwn(value, earlier))) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [Object.hasOwn(names, name) ? names[name] : name, member]),
  );
}

function isObject(value: unknown): value is Stored {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
