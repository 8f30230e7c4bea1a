import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { overviewOf } from '../../src/compose/overview.ts';
import { readConfig } from '../../src/config/environment.ts';

const tenant = {
  PUBLIC_URL: 'https://preferences.example.org',
  SECRET: 'gLMUoUTGmeyNEuxP8mxpAt0LIitxLUUIZdiaRudK35c',
  PLATFORM_URL: 'https://tenant.example',
  PLATFORM_CLIENT_ID: 'id',
  PLATFORM_CLIENT_SECRET: 'hidden-secret',
};
const singleSignOn = { issuer: 'https://id.example', clientId: 'people', clientSecret: 'hidden-secret' };
const centers = JSON.stringify([
  { address: 'shop', center: 'b00c5000-0000-4000-8000-000000000001', signIn: { singleSignOn } },
]);

suite('The overview at the start', () => {
  test('the overview has the address of each part that is on, and the setting for each other part', () => {
    const { on, off } = overviewOf(readConfig(tenant, () => ''));
    assert.equal(on['centers'], "https://preferences.example.org/centers/<id>, each of the platform's list");
    assert.equal(on['staff pages'], 'https://preferences.example.org/staff, by npm run staff-key');
    assert.equal(on['database'], 'files in ./data');
    assert.equal(on['links of hosted pages'], 'https://preferences.example.org/ui/');
    assert.deepEqual(off, {
      'staff by OpenID Connect': 'STAFF_OIDC_ISSUER',
      'sign-in by mail': 'SMTP_URL',
      'single sign-on': 'signIn.singleSignOn in CENTERS_FILE',
      'mail after changes': 'notify in CENTERS_FILE',
      events: 'events in CENTERS_FILE',
      metrics: 'METRICS_PORT or METRICS_TOKEN',
      traces: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    });
  });

  test('the overview has no secret, and lists no part as off that is on', () => {
    const env = {
      ...tenant,
      CENTERS_FILE: 'centers.json',
      SMTP_URL: 'smtps://user:hidden-secret@mail.example',
      METRICS_PORT: '9464',
      DATABASE_URL: 'postgres://user:hidden-secret@database.example/sayso',
      STAFF_OIDC_ISSUER: 'https://id.example',
      STAFF_OIDC_CLIENT_ID: 'staff',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://user:hidden-secret@collector.example',
    };
    const { on, off } = overviewOf(readConfig(env, () => centers));
    assert.deepEqual(off, {
      'mail after changes': 'notify in CENTERS_FILE',
      events: 'events in CENTERS_FILE',
    });
    assert.equal(on['centers'], 'https://preferences.example.org/centers/shop');
    const others = [on['single sign-on'], on['metrics'], on['traces'], on['database']];
    assert.deepEqual(others, ['shop', 'port 9464', 'https://collector.example', 'PostgreSQL']);
    assert.doesNotMatch(JSON.stringify(on), /hidden-secret/);
  });
});
