import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { manyCalls } from '../../kit/product.ts';
import { eventually } from '../../kit/until.ts';
import type { Answer } from '../../kit/visitor.ts';
import { outcomes, type Person, startFixture } from './fixture.ts';
import { idOf } from './sample-centers.ts';

export const seconds = 1_000;
export const minutes = 60 * seconds;

/** The product over the sample centers, with a clock that the test sets. */
export async function startPromiseWorld({
  files = {},
  now = Date.now(),
}: {
  /** Further files in the home of the product: path → text. */
  readonly files?: Readonly<Record<string, string>>;
  /** Time at the start, in epoch milliseconds. */
  readonly now?: number;
} = {}) {
  let passed = performance.now();
  mock.timers.enable({ apis: ['Date'], now });
  const env = { ...manyCalls, LOG_LEVEL: 'silent' };
  const fixture = await startFixture({ store: 'files', env, files });
  const { sandbox } = fixture;
  const fault = (person: Person, kind: string, more: Readonly<Record<string, unknown>>) =>
    sandbox.addFault({ kind, identifier: person.identifier, ...more });

  /** Advances the clocks by the given time plus the time that the test took. */
  const pass = (milliseconds: number) => {
    now += milliseconds + Math.ceil(performance.now() - passed);
    passed = performance.now();
    mock.timers.setTime(now);
  };

  /**
   * Retries the check until it passes. Each retry advances the clocks by a second, so that every wait ends.
   */
  const soon = <T>(check: () => Promise<T>) =>
    eventually(() => {
      pass(seconds);
      return check();
    });
  const reload = (person: Person, result: Answer) => person.visitor.open(new URL(result.url).pathname);

  return {
    fixture,
    sandbox,
    fault,
    pass,
    soon,
    reload,
    /** Retries until the result shows these outcomes: name of a purpose or data element → outcome. */
    becomes: (person: Person, result: Answer, expected: Readonly<Record<string, string>>) =>
      soon(async () => assert.deepEqual(outcomes(await reload(person, result)), expected)),
    /**
     * The next PUT of the person reaches the platform when `land` is called, or after ten minutes. Its
     * connection is cut at once.
     */
    lost: (person: Person) =>
      fault(person, 'late', {
        operation: 'update-subject',
        milliseconds: 10 * minutes,
        answer: 'drop',
        count: 1,
      }),
    land: () => sandbox.release(),
    /** Changes statuses at the platform: purpose → status. Null removes the purpose from the record. */
    elsewhere: ({ center, identifier }: Person, statuses: Readonly<Record<string, string | null>>) =>
      sandbox.change({
        center,
        identifier,
        Purposes: Object.entries(statuses).map(([name, TransactionStatus]) => {
          return { Id: idOf(name), TransactionStatus };
        }),
      }),
    /** HTML of the page "My record". */
    record: async (person: Person) => (await person.visitor.open(`/centers/${person.center}/record`)).text,
    /** Writing calls that reached the platform, such as `PUT Calls Letters` or `DELETE`. */
    puts: async (person: Person) =>
      (await person.writes()).map(
        ({ method, purposes }) => `${method} ${Object.keys(purposes).sort().join(' ')}`,
      ),
    async [Symbol.asyncDispose]() {
      await fixture[Symbol.asyncDispose]();
      mock.timers.reset();
    },
  };
}
