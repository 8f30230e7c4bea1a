import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { printedLines } from '../../src/cli/check/report.ts';
import { guid } from '../chaos/probed.ts';
import { runCommand } from '../kit/command.ts';
import { newFolder } from '../kit/folder.ts';
import {
  anna,
  center,
  center2,
  center3,
  checked,
  purposeId,
  settingsOf,
  startTenant,
  type TenantWays,
} from './checked-tenant.ts';

const limited = (period: string, allowed: string) => ({
  'ot-period': period,
  'ot-requests-allowed': allowed,
  'ot-request-made': '3',
});

suite('npm run check of a tenant', () => {
  test('the check makes each reading call and no writing one, and lists what is off', async () => {
    const { tenant, found, isWell, lines } = await checked({});
    assert.ok(isWell, JSON.stringify(lines));
    assert.deepEqual(new Set(tenant.calls.map(({ method }) => method)), new Set(['GET']));
    const paths = tenant.calls.map(({ path }) => path).join();
    const parts = 'preferencecenters? /v1/pref /schema centerpage privacynotices tasks/ linktokens';
    for (const part of parts.split(' ')) assert.ok(paths.includes(part), part);
    for (const about of ['staff by OpenID Connect', 'mail', 'metrics', 'events', 'traces', 'change a record'])
      assert.match(found(about).join(), /^off/, about);
  });

  test('unreadable link tokens cause a warning with the effect on hosted links', async () => {
    const { found, isWell } = await checked({ denies: /linktokens/ });
    assert.match(
      found('read whose a link token is').join(),
      /^warn: refused.*only lets its person withdraw$/,
    );
    assert.ok(isWell);
  });

  test('the end of consents is read if a purpose has a life span; a refusal causes a warning', async () => {
    const about = 'read when consents end';
    const single = { Purposes: [{ Id: purposeId, Label: 'News', LifeSpan: 86_400 }] };
    assert.deepEqual((await checked({})).found(about), []);
    assert.match((await checked({ single })).found(about).join(), /^ok/);
    const { found, isWell } = await checked({ single, denies: /profiles/ });
    assert.match(found(about).join(), /^warn.*offer no renewal/);
    assert.ok(isWell);
  });

  test('an unpublished draft is no fault, and another missing center is one', async () => {
    const draft = await checked({ third: 'DRAFT' });
    assert.match(draft.found(`center ${center3}`).join(), /^off: it is a draft/);
    assert.ok(draft.isWell);
    const gone = await checked({ third: 'ACTIVE' });
    assert.match(gone.found(`center ${center3}`).join(), /^fault: the platform knows no such center/);
  });

  test('an unknown template is a fault', async () => {
    const { found, isWell } = await checked({ single: { Template: 'HOLOGRAM', Sparkle: 7 } });
    assert.match(found('center').join(), /refused: single-page schema: Template = HOLOGRAM opens the center/);
    assert.match(found('center').join(), /told: single-page schema: Sparkle is not known/);
    assert.equal(isWell, false);
  });

  test('a missing scope is named, and one only for staff is no fault', async () => {
    const list = await checked({ denies: /preferencecenters\?/ });
    assert.match(list.found('list of centers').join(), /^fault: refused.*status 403.*CENTERS_FILE/);
    assert.equal(list.isWell, false);
    const staff = await checked({ denies: /privacynotices|tasks/ });
    assert.match(staff.found('notices').join(), /^off: the credentials lack the scope/);
    assert.match(staff.found('tasks').join(), /^off: the credentials lack the scope/);
    assert.ok(staff.isWell);
  });

  test('a wrong clock and a smaller quota cause warnings', async () => {
    const date = new Date(Date.now() - 90_000).toUTCString();
    const { found } = await checked({ headers: { date, ...limited('MINUTE', '250') } });
    assert.match(found('clock').join(), /^warn: (89|9\d) s ahead of the platform/);
    assert.match(found('quota').join(), /^warn: .*the platform says 250 a minute: lower PLATFORM_REQUESTS/);
  });

  test('the default quota is a quarter of the account, and the check says what it serves', async () => {
    const quotaOf = async (ways: TenantWays, env = {}) =>
      (await checked(ways, { env })).found('quota').join();
    const hour = { headers: limited('HOUR', '20000') };
    const quarter = /^ok: .* 5,000 an hour for all \(25 % of the account\), good for 5,000 pages or 1,666 sa/;
    assert.match(await quotaOf(hour), quarter);
    const set = /^warn: .* 30,000 an hour for all, .* says 20000 an hour: lower/;
    assert.match(await quotaOf(hour, { PLATFORM_REQUESTS_PER_HOUR: '30000' }), set);
    const silent = /50,000 an hour for all \(25 % of a usual account\), .* not say$/;
    assert.match(await quotaOf({}), silent);
  });

  test('a failing mail server, database or sign-in is reported with its reason', async () => {
    const unreachable = {
      SMTP_URL: 'smtp://127.0.0.1:1',
      DATABASE_URL: 'postgres://postgres@127.0.0.1:1/none',
      STAFF_OIDC_ISSUER: 'http://127.0.0.1:1/',
      STAFF_OIDC_CLIENT_ID: 'id',
    };
    const { found } = await checked({}, { env: unreachable });
    assert.match(found('mail').join(), /^fault: .*ECONN/);
    assert.match(found('database').join(), /^fault: No PostgreSQL answers at 127.0.0.1:1/);
    assert.match(found('sign-in of staff').join(), /^fault: .*ECONNREFUSED/);
  });
});

suite('npm run check of a centers file', () => {
  test('a receiver in a private network and a failing sign-in are faults with a reason', async (t) => {
    const home = newFolder(t);
    const file = join(home, 'centers.json');
    const secret = join(home, 'secret');
    writeFileSync(secret, `whsec_${Buffer.alloc(32, 7).toString('base64')}\n`);
    const singleSignOn = { issuer: 'http://127.0.0.1:1/', clientId: 'id', claim: 'email' };
    const events = [{ url: 'https://127.0.0.1:1/hook', secretFile: secret }];
    writeFileSync(file, JSON.stringify([{ address: 'books', center, events, signIn: { singleSignOn } }]));
    const { found, tenant } = await checked({}, { env: { CENTERS_FILE: file } });
    assert.match(found('event receiver 127.0.0.1:1').join(), /^fault: .*private network/);
    assert.match(found('sign-in of books').join(), /^fault: .*ECONNREFUSED/);
    assert.deepEqual(found('events'), []);
    assert.ok(!tenant.calls.some(({ path }) => path.includes(center2)), 'only served centers are read');
    const open = { CENTERS_FILE: file, EVENTS_TO_PRIVATE_NETWORKS: 'on' };
    const reached = await checked({}, { env: open });
    assert.match(reached.found('event receiver').join(), /^fault: (?!.*private network)/);
  });
});

suite('npm run check with a test person', () => {
  test('changes of one purpose find the letter case, and restore the person', async () => {
    for (const key of ['dsDataElements', 'DsDataElements'] as const) {
      const { found, tenant, isWell } = await checked({ key }, { person: anna });
      const [line = ''] = found('letter case');
      const isSet = key === 'dsDataElements';
      assert.equal(isWell, isSet);
      assert.ok(line.startsWith(`${isSet ? 'ok' : 'fault'}: the tenant takes ${key}`), line);
      assert.deepEqual(tenant.elements(), { 'First name': 'Anna', Email: anna });
      assert.ok(tenant.puts.length >= 3);
      const named = tenant.puts.map(({ Purposes }) => Purposes.map(({ Id }) => Id).join());
      assert.deepEqual(new Set(named), new Set([purposeId]));
    }
  });

  for (const encoding of ['utf-8', 'percent'] as const)
    test(`the identifier encoding ${encoding} is found even if readings are late`, async () => {
      const person = 'müller@example.org';
      const { found } = await checked({ encoding, person, late: 2 }, { person });
      const set = `set PLATFORM_IDENTIFIER_ENCODING=${encoding}`;
      assert.deepEqual(found('identifier encoding'), [`fault: the tenant takes ${encoding}: ${set}`]);
      assert.match(found('letter case').join(), /^ok/);
    });

  test('an unknown center is a fault', async () => {
    const none = await checked({}, { person: anna, center: 'books' });
    assert.match(none.found('person').join(), /^fault: no center books is served/);
  });

  test('a value that cannot be restored is a fault', async () => {
    const { found, isWell } = await checked({ takesOnce: true }, { person: anna });
    assert.match(found('letter case').join(), /“First name” of the person could not be put back/);
    assert.equal(isWell, false);
  });
});

suite('npm run check as a command', () => {
  test('the command prints one JSON document without the secret', async (t) => {
    const tenant = await startTenant();
    t.after(() => tenant.close());
    const { stdout, stderr } = await runCommand(['check', '--json'], settingsOf(tenant, newFolder(t)));
    const output = stdout + stderr;
    const { ok, lines } = JSON.parse(output);
    assert.equal(ok, true);
    assert.ok(lines.length > 10);
    assert.doesNotMatch(output, /Xq\/m/);
  });

  test('the command shortens long lists, and says so', () => {
    const line = { status: 'told', about: 'center a' } as const;
    const lines = Array.from({ length: 30 }, (_, at) => ({ ...line, words: `member ${at}` }));
    const printed = printedLines(lines);
    assert.equal(printed.length, 13);
    assert.match(printed.at(-1) ?? '', /18 more, see --json/);
  });
});

suite('npm run check of a center', () => {
  const many = (count: number, more: object = {}) => {
    const Purposes = Array.from({ length: count }, (_, at) => ({ Id: guid(at), Label: 'News', ...more }));
    return { single: { Purposes } };
  };
  const long = { Description: 'x'.repeat(10_000) };
  const limits = [
    { list: 'purposes', below: many(7_400), near: many(7_600), above: many(10_001), of: center },
    { list: 'pages', below: { pages: 37 }, near: { pages: 38 }, above: { pages: 51 }, of: center2 },
    { list: 'schemas', below: many(310, long), near: many(320, long), above: many(420, long), of: center },
  ];
  for (const { list, below, near, above, of } of limits)
    test(`a center near or beyond the limit of its ${list} is reported, and not before`, async () => {
      const report = async (ways: TenantWays) => (await checked(ways)).found(`center ${of}`).join();
      assert.doesNotMatch(await report(below), /of what is read at most/);
      assert.match(await report(near), new RegExp(`warn: its ${list} are 7\\d % of what is read at most`));
      assert.match(await report(above), /fault: larger than what is read at most/);
    });
});
