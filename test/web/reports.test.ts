import assert from 'node:assert/strict';
import { test } from 'node:test';
import request from 'supertest';
import { createLog } from '../../src/web/log.ts';
import { reportRoutes } from '../../src/web/reports.ts';
import { appOf } from './fixture.ts';

function startApp() {
  const lines: string[] = [];
  const log = createLog({ level: 'warn', stream: { write: (line: string) => lines.push(line) } });
  const clock = { at: 0, now: () => clock.at };
  return { app: appOf(reportRoutes({ log, clock })).app, lines, clock };
}

const page = 'https://preferences.example.org/centers/shop?t=secret';

test('both kinds of report are logged as directive and origin, without the address of the page', async () => {
  const { app, lines } = startApp();
  const old = {
    'csp-report': {
      'document-uri': page,
      'effective-directive': 'script-src-elem',
      'blocked-uri': `https://evil.example/x.js?${page}`,
    },
  };
  const recent = [
    {
      type: 'csp-violation',
      url: page,
      body: { documentURL: page, effectiveDirective: 'img-src', blockedURL: 'inline' },
    },
  ];
  for (const [type, report] of [
    ['application/csp-report', old],
    ['application/reports+json', recent],
  ] as const) {
    const response = await request(app).post('/reports/csp').type(type).send(JSON.stringify(report));
    assert.equal(response.status, 204);
  }
  assert.equal(lines.length, 2);
  assert.match(lines[0] ?? '', /"directive":"script-src-elem","blocked":"https:\/\/evil\.example"/);
  assert.match(lines[1] ?? '', /"directive":"img-src","blocked":"inline"/);
  assert.doesNotMatch(lines.join(), /secret|shop/);
});

test('a body that is no report is accepted and not logged', async () => {
  const { app, lines } = startApp();
  for (const body of ['{}', '[]', '[1,null]', '{"csp-report":[]}', '{"csp-report":{"blocked-uri":1}}']) {
    const response = await request(app).post('/reports/csp').type('application/csp-report').send(body);
    assert.equal(response.status, 204);
  }
  assert.equal(
    (await request(app).post('/reports/csp').type('application/csp-report').send('{')).status,
    400,
  );
  assert.equal((await request(app).post('/reports/csp')).status, 400);
  assert.deepEqual(lines, []);
});

test('a flood of reports fills no log', async () => {
  const { app, lines, clock } = startApp();
  const report = JSON.stringify(
    Array.from({ length: 50 }, () => ({ body: { effectiveDirective: 'img-src', blockedURL: 'inline' } })),
  );
  const send = () => request(app).post('/reports/csp').type('application/reports+json').send(report);
  await send();
  await send();
  assert.equal(lines.length, 20);
  clock.at += 60_000;
  await send();
  assert.equal(lines.length, 40);
});
