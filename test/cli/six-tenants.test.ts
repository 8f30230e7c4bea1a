import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { captureTenant, recordPeople } from '../../src/cli/capture.ts';
import { checkTenant } from '../../src/cli/check/tenant-check.ts';
import { shadowTenant } from '../../src/cli/shadow.ts';
import { readConfig } from '../../src/config/environment.ts';
import type { SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { newFolder } from '../kit/folder.ts';
import { at, CLIENT, listAt, openTenant, subjectPath } from '../sandbox/tenant.ts';

const books = 'b00c5000-0000-4000-8000-000000000001';
const draft = 'd4af7000-0000-4000-8000-000000000001';
const news = 'b00c5000-0000-4001-8000-000000000001';
const schema = {
  Status: 200,
  Language: 'en-us',
  Languages: ['en-us'],
  Template: 'ENHANCED',
  Purposes: [{ Id: news, Label: 'News', Status: 'ACTIVE', PurposeType: 'STANDARD' }],
  ProfileSettings: {
    IsEnabled: true,
    DataElements: [
      { Id: 'b00c5000-0000-4009-8000-000000000001', Label: 'First Name', DataElementType: 'USER_INPUT' },
    ],
  },
};
const files = { [`centers/${books}/preferences.json`]: schema };
const anna = 'anna@example.org';
const aenne = 'änne@example.org';

interface Ways {
  readonly options?: Partial<SandboxOptions>;
  readonly files?: Readonly<Record<string, unknown>>;
  readonly fault?: Readonly<Record<string, unknown>>;
  /** What the platform makes of a call before it reads it. */
  readonly reads?: (headers: IncomingHttpHeaders, body: string) => string;
  readonly env?: Readonly<Record<string, string>>;
  readonly person?: string;
  /** What `check` says, with the settings as they are at first. */
  readonly says: RegExp;
}

const tenants: Readonly<Record<string, Ways>> = {
  'that takes data elements under DsDataElements alone': {
    reads: (_headers, body) => body.replace('"dsDataElements"', '"unknown"'),
    env: { PLATFORM_DATA_ELEMENTS_KEY: 'DsDataElements' },
    says: /takes DsDataElements: set PLATFORM_DATA_ELEMENTS_KEY=DsDataElements/,
  },
  'that reads identifiers in percent encoding': {
    reads: (headers, body) => {
      const given = String(headers['identifier'] ?? '');
      if (given !== '') headers['identifier'] = Buffer.from(decodeURIComponent(given)).toString('latin1');
      return body;
    },
    env: { PLATFORM_IDENTIFIER_ENCODING: 'percent' },
    person: aenne,
    says: /takes percent: set PLATFORM_IDENTIFIER_ENCODING=percent/,
  },
  'whose readings are late': {
    fault: { kind: 'lag', milliseconds: 300 },
    says: /ok letter case of data elements: the tenant takes dsDataElements and DsDataElements/,
  },
  'of a small quota': {
    options: { quota: { perMinute: 600, perHour: 4_000, headers: 'always' } },
    env: { PLATFORM_REQUESTS_PER_MINUTE: '600' },
    says: /quota: .* 1,000 an hour for all \(25 % of the account\)/,
  },
  'without the scopes of staff pages': {
    options: { scopes: ['CONSENT'] },
    says: /off notices \(scope POLICY\): the credentials lack the scope/,
  },
  'with a center that is a draft': {
    files: {
      [`centers/${draft}/preferences.json`]: schema,
      [`centers/${draft}/center.json`]: { status: 'DRAFT' },
    },
    says: new RegExp(`off center ${draft}: it is a draft`),
  },
};

/** Stands before the platform and gives it each call as `reads` makes it. */
async function inFrontOf(url: string, reads: NonNullable<Ways['reads']>) {
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { 'content-length': _length, 'transfer-encoding': _coding, ...headers } = incoming.headers;
    const body = Buffer.from(reads(headers, Buffer.concat(chunks).toString('latin1')), 'latin1');
    const { method } = incoming;
    const answer = (reply: IncomingMessage) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(outgoing);
    };
    send(new URL(incoming.url ?? '/', url), { method, headers }, answer).end(body);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const silent = () => undefined;
const configOf = (url: string, home: string, env: Readonly<Record<string, string>> = {}) =>
  readConfig(
    {
      PLATFORM_URL: url,
      PLATFORM_CLIENT_ID: CLIENT.clientId,
      PLATFORM_CLIENT_SECRET: CLIENT.clientSecret,
      PLATFORM_REQUESTS_PER_MINUTE: '100000',
      PUBLIC_URL: 'http://localhost:1',
      DATA_DIR: join(home, 'data'),
      SECRET: Buffer.from(Array.from({ length: 32 }, (_, index) => index * 7 + 3)).toString('base64'),
      ...env,
    },
    (path) => readFileSync(path, 'utf8'),
  );
type Config = ReturnType<typeof configOf>;

async function* listOf(people: readonly string[]) {
  yield Buffer.from(`identifier\n${people.map((each) => `${each}\n`).join('')}`);
}

async function shadow(
  config: Config,
  out: string,
  people: readonly string[],
  print: (line: string) => void = silent,
): Promise<unknown> {
  const options = { out, share: 100, isPersonal: false, print, stop: new AbortController().signal };
  // An hour of a small account would take the test an hour.
  const quick = { ...config, quota: { perMinute: 6_000, perHour: 360_000 } };
  assert.equal(await shadowTenant(quick, { ...options, people: listOf(people) }), true);
  return at(JSON.parse(readFileSync(join(out, 'shadow.json'), 'utf8')), 'centers');
}

suite('A tenant', () => {
  for (const [which, { options, files: more, fault, reads, env, person = anna, says }] of Object.entries(
    tenants,
  ))
    test(`${which} is checked, looked at, captured and played`, async (t) => {
      const home = newFolder(t);
      const tenant = await openTenant({ files: { ...files, ...more }, ...(options && { options }) });
      t.after(() => tenant.close());
      const front = reads && (await inFrontOf(tenant.url, reads));
      t.after(() => front?.close());
      const url = front?.url ?? tenant.url;
      const people = [person, 'eva@example.org'];
      const body = { Purposes: [{ Id: news }], DsDataElements: { 'First Name': 'Annabelle' } };
      const path = `${subjectPath(books)}?identifier=${encodeURIComponent(person)}`;
      await tenant.call('PUT', path, { body });
      if (fault) await tenant.call('POST', '/_sandbox/faults', { body: fault });

      const check = async (config: Config) =>
        (await checkTenant(config, { person, lookEveryMs: 100 }))
          .map(({ status, about, words }) => `${status} ${about}: ${words}`)
          .join('\n');
      const { PLATFORM_REQUESTS_PER_MINUTE: set = '100000' } = env ?? {};
      assert.match(await check(configOf(url, home, { PLATFORM_REQUESTS_PER_MINUTE: set })), says);
      const config = configOf(url, home, env);
      const lines = await check(config);
      assert.doesNotMatch(lines, /^fault/m);
      const { body: record } = await tenant.call('GET', path);
      assert.equal(at(record, 'DsDataElements', 'First Name'), 'Annabelle', 'as it was before the check');

      const printed: string[] = [];
      const print = (line: string) => void printed.push(line);
      const seen = await shadow(config, join(home, 'shadow'), people, print);
      assert.deepEqual(Object.keys(Object(seen)), [books]);
      assert.equal(at(seen, books, 'people'), 2);
      assert.equal(at(seen, books, 'unread') && Object.keys(Object(at(seen, books, 'unread'))).length, 0);
      const folder = join(home, 'recording');
      await captureTenant(config, folder, print);
      const leftOut = printed.filter((line) => /is left out: it has no schema that is published$/.test(line));
      assert.equal(leftOut.length, more === undefined ? 0 : 2, 'by the shadow and by the recording');
      await recordPeople(config, { folder, people: listOf(people), print: silent });
      for (const name of [folder, join(home, 'shadow')])
        for (const each of readdirSync(name, { recursive: true }).map((path) => join(name, String(path))))
          if (statSync(each).isFile())
            assert.doesNotMatch(`${each} ${readFileSync(each, 'utf8')}`, /anna|änne|eva@|Annabelle/i, each);
      const played = await openTenant({ options: { seedDir: folder } });
      t.after(() => played.close());
      const aliases = ['person-1@example.org', 'person-2@example.org'];
      const again = await shadow(configOf(played.url, home), join(home, 'again'), aliases);
      assert.deepEqual(again, seen);
      const calls = listAt((await tenant.call('GET', '/_sandbox/calls')).body);
      assert.ok(calls.every((call) => at(call, 'status') !== 429));
    });
});
