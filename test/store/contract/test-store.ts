import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { readSubjectId, type SubjectId } from '../../../src/core/model/person/subject.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import { createSeal } from '../../../src/store/seal.ts';
import type { StoreParts } from '../../../src/store/sql.ts';

export interface Closable {
  close(): Promise<void>;
}

/** One store of an adapter, empty at first. */
export interface TestStore<T> {
  /** One more handle on it, as another process has. */
  open(given: Pick<StoreParts, 'seal'> & { readonly clock: Clock }): Promise<T & Closable>;
  end(): Promise<void>;
}

export type MakeTestStore<T> = () => Promise<TestStore<T>>;

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

export const secret = 'a secret of at least thirty-two bytes';
export const laterSecret = 'another secret of at least thirty-two';
export const seal = createSeal([secret]);

export function subject(text: string): SubjectId {
  const id = readSubjectId(text);
  assert.ok(id);
  return id;
}

export const anna = subject('anna@example.org');
export const omar = subject('omar@example.org');

export const personOf = (index: number) => `person-${index}@example.org` as SubjectId;
export const peopleOf = (count: number) => Array.from({ length: count }, (_, index) => personOf(index));

export function aClock() {
  const clock = { at: 1_700_000_000_000, now: () => clock.at };
  return clock;
}

/** A store for one test, its clock, and handles that are closed after it. */
export async function useStore<T>(t: TestContext, make: MakeTestStore<T>) {
  const store = await make();
  const clock = aClock();
  const handles = new Set<T & Closable>();
  async function open(secrets: readonly string[] = [secret]): Promise<T & Closable> {
    const handle = await store.open({ clock, seal: createSeal(secrets) });
    handles.add(handle);
    return handle;
  }
  async function close(...some: (T & Closable)[]): Promise<void> {
    for (const handle of some) {
      handles.delete(handle);
      await handle.close();
    }
  }
  t.after(async () => {
    await close(...handles);
    await store.end();
  });
  return { clock, open, close, both: () => Promise.all([open(), open()]) };
}

/** A handle on a store, and what else a test needs: `beside` is another process. */
export type Used<T> = T &
  Pick<Awaited<ReturnType<typeof useStore<T>>>, 'clock'> & {
    readonly store: T & Closable;
    readonly beside: T & Closable;
    readonly handles: readonly [T & Closable, T & Closable];
    another(secrets?: readonly string[]): Promise<T & Closable>;
    end(...some: (T & Closable)[]): Promise<void>;
  };

/** Defines tests, each of an empty store, and of what `more` makes of it. */
export function testsOf<T, More>(make: MakeTestStore<T>, more = (_used: Used<T>) => ({}) as More) {
  return (name: string, work: (used: Used<T> & More) => Promise<void>): void =>
    void test(name, async (t) => {
      const { open, close, clock } = await useStore(t, make);
      const handles = await Promise.all([open(), open()] as const);
      const [store, beside] = handles;
      const used = { ...store, store, beside, handles, clock, another: open, end: close };
      await work({ ...used, ...more(used) });
    });
}

/** So many at once, spread over the handles. */
export function atOnce<H, R>(
  handles: readonly H[],
  times: number,
  act: (handle: H, index: number) => Promise<R>,
): Promise<R[]> {
  return Promise.all(
    Array.from({ length: times }, (_, index) => {
      const handle = handles[index % handles.length];
      assert.ok(handle !== undefined);
      return act(handle, index);
    }),
  );
}
