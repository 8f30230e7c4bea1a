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
  /** As those of a product. */
  readonly files?: Readonly<Record<string, string>>;
  /** When it begins, milliseconds since 1970. */
  readonly now?: number;
} = {}) {
  let passed = performance.now();
  mock.timers.enable({ apis: ['Date'], now });
  const env = { ...manyCalls, LOG_LEVEL: 'silent' };
  const fixture = await startFixture({ store: 'files', env, files });
  const { sandbox } = fixture;
  const fault = (person: Person, kind: string, more: Readonly<Record<string, unknown>>) =>
    sandbox.addFault({ kind, identifier: person.identifier, ...more });

  /** The clocks go on by so much, and by the time that the tests took. */
  const pass = (milliseconds: number) => {
    now += milliseconds + Math.ceil(performance.now() - passed);
    passed = performance.now();
    mock.timers.setTime(now);
  };

  /** Asserts until it holds. The clocks go on by a second before each look: a wait ends however late it began. */
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
    /** The result says so before long: the name of each thing → what became of it. */
    becomes: (person: Person, result: Answer, told: Readonly<Record<string, string>>) =>
      soon(async () => assert.deepEqual(outcomes(await reload(person, result)), told)),
    /** The next PUT of the person lands when `land` is called, or after ten minutes; its connection is cut at once. */
    lost: (person: Person) =>
      fault(person, 'late', {
        operation: 'update-subject',
        milliseconds: 10 * minutes,
        answer: 'drop',
        count: 1,
      }),
    land: () => sandbox.release(),
    /** Somebody changes statuses at the platform: purpose → status, null takes it off the record. */
    elsewhere: ({ center, identifier }: Person, statuses: Readonly<Record<string, string | null>>) =>
      sandbox.change({
        center,
        identifier,
        Purposes: Object.entries(statuses).map(([name, TransactionStatus]) => {
          return { Id: idOf(name), TransactionStatus };
        }),
      }),
    /** My record. */
    record: async (person: Person) => (await person.visitor.open(`/centers/${person.center}/record`)).text,
    /** `PUT Calls Letters`, `DELETE`: what reached the platform. */
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
