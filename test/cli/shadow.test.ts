import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, beforeEach, suite, test } from 'node:test';
import { type ShadowOptions, shadowTenant } from '../../src/cli/shadow.ts';
import { readConfig } from '../../src/config/environment.ts';
import { forSuite } from '../kit/for-suite.ts';
import { newBooks } from '../kit/sandbox-ids.ts';
import { at, listAt, ofEach, openTenant, V1 } from '../sandbox/tenant.ts';
import { center as books, settingsOf } from './checked-tenant.ts';

let home: string;
let people: readonly string[];

const tenant = forSuite(() => openTenant({ demo: true }));
before(async () => {
  const ready = listAt((await tenant.call('GET', '/_sandbox/subjects')).body);
  people = [...new Set(ready.map((person) => String(at(person, 'identifier')))), 'new@example.org'];
});
beforeEach(async (t) => {
  home = mkdtempSync(join(tmpdir(), 'shadow-'));
  const made = home;
  if ('after' in t) t.after(() => rmSync(made, { recursive: true, force: true }));
  await tenant.call('DELETE', '/_sandbox/calls');
  await tenant.call('DELETE', '/_sandbox/faults');
});

function configOf(env: Readonly<Record<string, string>> = {}) {
  const quick = { PLATFORM_REQUESTS_PER_MINUTE: '1000000', PLATFORM_REQUESTS_PER_HOUR: '100000000' };
  return readConfig({ ...settingsOf(tenant, join(home, 'data')), ...quick, ...env }, () => '');
}

async function run(
  change: Partial<ShadowOptions> & { env?: Record<string, string>; only?: readonly string[] } = {},
) {
  const { env, only = people, ...options } = change;
  const printed: string[] = [];
  const out = join(home, 'out');
  const isWell = await shadowTenant(configOf(env), {
    people: fileOf(`name,identifier\n${only.map((each) => `"x, y",${each}\n`).join('')}`),
    out,
    share: 100,
    personal: false,
    stop: new AbortController().signal,
    print: (line) => void printed.push(line),
    ...options,
  });
  return { isWell, printed, report: JSON.parse(readFileSync(join(out, 'shadow.json'), 'utf8')) };
}

async function* fileOf(text: string) {
  yield Buffer.from(text);
}

async function readings(): Promise<readonly unknown[]> {
  return listAt((await tenant.call('GET', '/_sandbox/calls?operation=read-subject')).body);
}

const plain = {
  [`centers/${books}/preferences.json`]: {
    Status: 200,
    Language: 'en-us',
    Languages: ['en-us'],
    Template: 'ENHANCED',
    Purposes: [{ Id: newBooks, Label: 'News', Status: 'ACTIVE', PurposeType: 'STANDARD' }],
  },
};

/** Lines of the report, one for each person. */
const linesOfPeople = () =>
  readFileSync(join(home, 'out', 'people.jsonl'), 'utf8')
    .trim()
    .split('\n');

suite('A shadow run', () => {
  test('a shadow run reads each person in each center, and writes nothing to the platform', async () => {
    const { isWell, report } = await run();
    assert.equal(isWell, true);
    const calls = listAt((await tenant.call('GET', '/_sandbox/calls')).body);
    const writes = calls.filter((call) => at(call, 'method') !== 'GET' && at(call, 'operation') !== 'token');
    assert.deepEqual(writes, []);
    assert.equal((await readings()).length, people.length * 3);
    assert.equal(at(report, 'centers', books, 'people'), people.length);
    const purposes = Object.values(Object(at(report, 'centers', books, 'purposes')));
    assert.ok(purposes.length > 2);
    for (const purpose of purposes)
      assert.equal(Number(at(purpose, 'on')) + Number(at(purpose, 'off')), people.length);
    assert.ok(purposes.some((purpose) => Number(at(purpose, 'sends', 'on: put')) > 0));
  });

  test('a shadow run writes personal data only on request', async () => {
    await run();
    for (const name of readdirSync(join(home, 'out')))
      assert.doesNotMatch(readFileSync(join(home, 'out', name), 'utf8'), /@example\.org/);
    rmSync(join(home, 'out'), { recursive: true });
    await run({ personal: true });
    const rows: unknown[] = linesOfPeople().map((line) => JSON.parse(line));
    assert.deepEqual(ofEach({ rows }, 'rows', 'identifier'), people);
    const names = (member: string) => {
      const all = rows.flatMap((person) => listAt(person, 'centers')).flatMap((each) => listAt(each, member));
      return [...new Set(all.flatMap((each) => Object.keys(Object(each))))];
    };
    // Only ids and states; the texts of a page are the same for all people.
    assert.deepEqual(names('shown'), ['page', 'id', 'isOn', 'isLocked']);
    assert.deepEqual(names('clicks'), ['page', 'purpose', 'to', 'sends', 'carries']);
  });

  test('a stopped run continues, and counts each person once', async () => {
    const whole = await run();
    rmSync(join(home, 'out'), { recursive: true });
    await tenant.call('DELETE', '/_sandbox/calls');
    for (let stopped = 0; stopped < 3; stopped += 1) {
      const stopping = new AbortController();
      const watching = setInterval(async () => {
        if ((await readings()).length >= (stopped + 1) * 8) stopping.abort();
      }, 5);
      await run({ personal: true, stop: stopping.signal, env: { PLATFORM_REQUESTS_PER_MINUTE: '3000' } });
      clearInterval(watching);
    }
    const { report, printed } = await run({ personal: true });
    assert.match(printed[0] ?? '', /^goes on behind line \d+$/);
    assert.deepEqual(at(report, 'centers'), at(whole.report, 'centers'));
    assert.equal(linesOfPeople().length, people.length);
    assert.ok((await readings()).length < people.length * 3 + 9, 'few readings are repeated');
  });

  test('a shadow run stays within its share of the quota', async () => {
    await run({ share: 25, only: people.slice(0, 3), env: { PLATFORM_REQUESTS_PER_MINUTE: '2400' } });
    const times = (await readings()).map((call) => Date.parse(String(at(call, 'at'))));
    const apart = (Number(times.at(-1)) - Number(times[0])) / (times.length - 1);
    assert.ok(apart >= 95, `${apart} ms apart`);
  });

  test('a shadow run waits for a busy platform, and reports the people that it could not read', async () => {
    await tenant.call('POST', '/_sandbox/faults', {
      body: [
        { kind: '429', operation: 'read-subject', retryAfter: 1, count: 2 },
        { kind: 'garbage', operation: 'read-subject', identifier: 'new@example.org' },
      ],
    });
    const { isWell, report } = await run({ only: ['new@example.org', people[0] ?? ''] });
    assert.equal(isWell, false);
    assert.equal(at(report, 'centers', books, 'unread', 'platform-unreadable'), 1);
    assert.equal(at(report, 'centers', books, 'people'), 2);
  });

  test('a shadow run reports that a missing required value stops a grant, not a withdrawal', async () => {
    const path = `${V1}/${books}/preferences`;
    const schema = Object((await tenant.call('GET', path)).body);
    const profile = Object(schema['ProfileSettings']);
    const element = { Id: 'b00c5000-0000-4099-8000-000000000001', Label: 'Member number', Required: true };
    const required = { ...element, DataElementType: 'USER_INPUT' };
    const elements = [...listAt(profile, 'DataElements'), required];
    await tenant.call('PUT', `/_sandbox/centers/${books}/preferences`, {
      body: { ...schema, ProfileSettings: { ...profile, IsEnabled: true, DataElements: elements } },
    });
    try {
      const { isWell, report } = await run({ only: people.slice(0, 2) });
      assert.equal(isWell, true);
      const purposes = Object.values(Object(at(report, 'centers', books, 'purposes')));
      const sends = new Set(purposes.flatMap((each) => Object.keys(Object(at(each, 'sends')))));
      assert.ok(sends.has('on: asks-again') && sends.has('off: put'));
      assert.ok(!sends.has('on: put'));
    } finally {
      await tenant.call('DELETE', `/_sandbox/centers/${books}`);
    }
  });

  test('a shadow run refuses a folder of another run and a file without identifiers', async () => {
    await run({ only: people.slice(0, 1) });
    await assert.rejects(run({ personal: true }), /other options or other schemas/);
    rmSync(join(home, 'out'), { recursive: true });
    await assert.rejects(run({ people: fileOf('name\nx\n') }), /the column identifier/);
  });
});

suite('A shadow run against other tenants', () => {
  async function runAt(given: Parameters<typeof openTenant>[0], change: Parameters<typeof run>[0] = {}) {
    await using other = await openTenant(given);
    return await run({ ...change, env: { PLATFORM_URL: other.url, ...change.env } });
  }

  test('an identifier that the tenant cannot receive is left out with its line', async () => {
    const only = ['änne@example.org', 'eva@example.org'];
    const { report, printed } = await runAt({ files: plain }, { only });
    assert.match(printed[0] ?? '', /^line 2 is left out/);
    assert.equal(at(report, 'centers', books, 'people'), 1);
    rmSync(join(home, 'out'), { recursive: true });
    const taking = await runAt({ files: plain }, { only, env: { PLATFORM_IDENTIFIER_ENCODING: 'utf-8' } });
    assert.equal(at(taking.report, 'centers', books, 'people'), 2);
  });

  test('a missing scope ends the run without a report', async () => {
    await assert.rejects(
      runAt({ files: plain, options: { scopes: ['POLICY'] } }),
      /the centers cannot be read \(platform-denied\)/,
    );
    assert.equal(existsSync(join(home, 'out', 'shadow.html')), false);
  });
});
