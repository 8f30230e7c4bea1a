import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSubjectId, type SubjectId } from '../../../src/core/model/person/subject.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import { createSeal } from '../../../src/store/seal.ts';
import type { StoreParts } from '../../../src/store/sql.ts';

export interface Closable {
  close(): Promise<void>;
}

/** One store of an adapter, empty at first. */
export interface TestStore<T> {
  /** Opens one more handle, as another process does. */
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

/** A handle on a store, and what else a test needs: `beside` is another process. */
export type Used<T> = T & {
  readonly clock: ReturnType<typeof aClock>;
  readonly store: T & Closable;
  readonly beside: T & Closable;
  readonly handles: readonly [T & Closable, T & Closable];
  another(secrets?: readonly string[]): Promise<T & Closable>;
  end(...some: (T & Closable)[]): Promise<void>;
};

/** Defines tests, each with an empty store and the result of `more`. Handles are closed after the test. */
export function testsOf<T, More>(make: MakeTestStore<T>, more = (_used: Used<T>) => ({}) as More) {
  return (name: string, work: (used: Used<T> & More) => Promise<void>): void =>
    void test(name, async (t) => {
      const made = await make();
      const clock = aClock();
      const opened = new Set<T & Closable>();
      async function another(secrets: readonly string[] = [secret]): Promise<T & Closable> {
        const handle = await made.open({ clock, seal: createSeal(secrets) });
        opened.add(handle);
        return handle;
      }
      async function end(...some: (T & Closable)[]): Promise<void> {
        for (const handle of some) if (opened.delete(handle)) await handle.close();
      }
      t.after(async () => {
        await end(...opened);
        await made.end();
      });
      const handles = await Promise.all([another(), another()] as const);
      const [store, beside] = handles;
      const used = { ...store, store, beside, handles, clock, another, end };
      await work({ ...used, ...more(used) });
    });
}

/** Calls `act` so many times at once, spread over the handles. */
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
