import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { mintOneClick } from '../../../src/cli/links.ts';
import { readConfig } from '../../../src/config/environment.ts';
import { startSandbox } from '../../../src/sandbox/sandbox.ts';
import { canaries } from '../../kit/canaries.ts';
import { createSandboxClient } from '../../kit/sandbox-client.ts';
import { eventually } from '../../kit/until.ts';
import type { Answer } from '../../kit/visitor.ts';
import { fixtureOver, outcomes, type Person } from './fixture.ts';
import { startInProcess, writeFolder } from './in-process.ts';
import { idOf, sampleCenterFiles, shop } from './sample-centers.ts';

export const seconds = 1_000;
export const minutes = 60 * seconds;

/** The product in this process over a sandbox of its own, with a clock that the test sets. */
export async function startPromiseWorld({
  files = {},
  now = Date.now(),
}: {
  /** Beside the sample centers, or instead of their files: path → text. */
  readonly files?: Readonly<Record<string, string>>;
  /** When it begins, milliseconds since 1970. */
  readonly now?: number;
} = {}) {
  const home = mkdtempSync(join(tmpdir(), 'sayso-promises-'));
  let passed = performance.now();
  mock.timers.enable({ apis: ['Date'], now });
  const folder = join(home, 'platform');
  writeFolder(folder, { ...sampleCenterFiles('.'), ...files });
  const client = { clientId: 'sandbox', clientSecret: canaries.platformSecret };
  const platform = await startSandbox({ port: 0, dataDir: home, seedDir: folder, ...client });
  const inProcess = await startInProcess({ platformUrl: platform.url });
  const sandbox = createSandboxClient(platform.url, client);
  const fixture = fixtureOver({ ...inProcess, sandbox, folder });
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
    async oneClick(identifier: string, purpose?: string) {
      const config = readConfig(inProcess.env, () => '');
      const change = purpose === undefined ? {} : { purpose: idOf(purpose) };
      const address = mintOneClick(config, { center: shop, identifier, ...change });
      const answer = await fetch(address, { method: 'POST', headers: { accept: 'text/html' } });
      assert.equal(answer.status, 200);
      return answer.text();
    },
    async [Symbol.asyncDispose]() {
      await inProcess[Symbol.asyncDispose]();
      await platform.close();
      mock.timers.reset();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
