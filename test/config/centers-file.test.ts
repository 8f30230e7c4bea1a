import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Environment } from '../../src/config/reading.ts';
import { bank, books } from '../kit/sandbox-ids.ts';
import { faultsOf as settingFaults, tenant } from './fixture.ts';

const shop = { address: 'shop', center: books };

function faultsOf(content: unknown, env: Environment = {}): string {
  const files = {
    'centers.json': typeof content === 'string' ? content : JSON.stringify(content),
    empty: '\n',
    'no-keys': '{"keys":[]}',
    keys: '{"keys":[{"kty":"OKP"}]}',
  };
  return settingFaults({ SANDBOX: 'on', CENTERS_FILE: 'centers.json', ...env }, files);
}

suite('A bad centers file is reported with the entry, without its value', () => {
  const brand = (more: object) => ({ ...shop, brand: { name: 'Shop', ...more } });
  const receiver = (more: object) => ({ ...shop, events: [{ url: 'https://crm.example', ...more }] });
  const apiKeys = (...more: object[]) => ({
    ...shop,
    apiKeys: more.map((each) => ({ name: 'crm', sha256: 'a'.repeat(64), scopes: ['events'], ...each })),
  });
  const framed = (origin: string) => ({ ...shop, embedOrigins: ['https://a.example', origin] });
  const linked = (more: object) => ({ ...shop, linkKeys: [{ issuer: 'shop', ...more }] });
  const signingIn = (issuer: string) => ({ ...shop, signIn: { singleSignOn: { issuer, clientId: 'c' } } });
  const bad: readonly (readonly [content: unknown, named: RegExp])[] = [
    ['{', /not JSON/],
    [{}, /the list/],
    [[], /the list/],
    [[shop, { center: bank, address: 'SHOP' }], /same address/],
    [[shop, { address: 'other', center: books.toUpperCase() }], /same center/],
    [[{ address: 'shop' }], /0\.center/],
    [[{ ...shop, center: 'canary' }], /0\.center/],
    [[{ ...shop, address: 'a/canary' }], /0\.address/],
    [[{ ...shop, colour: 'canary' }], /CENTERS_FILE: 0/],
    [[{ ...shop, imageHosts: ['a.example', '*.canary'] }], /0\.imageHosts\.1/],
    [[brand({ accent: 'canary' })], /0\.brand/],
    [[brand({ footerLinks: [{ label: 'Help', href: 'javascript:canary()' }] })], /headerLinks and foot/],
    [
      [brand({ fonts: [{ family: 'x', fontFile: '/canary.woff2' }] })],
      /fonts\.0\.fontFile .* cannot be read/,
    ],
    [[linked({ secretFile: '/canary' })], /0\.linkKeys\.0\.secretFile/],
    [[linked({ jwksFile: 'empty' })], /0\.linkKeys\.0\.jwksFile names a file that is empty/],
    [[linked({ jwksFile: 'no-keys' })], /0\.linkKeys\.0\.jwksFile is no JSON Web Key Set/],
    [[linked({ jwksUrl: 'http://canary.example' })], /0\.linkKeys\.0\.jwksUrl must be https/],
    [[linked({ secret: 'canary' })], /0\.linkKeys\.0/],
    [[signingIn('http://canary.example')], /singleSignOn\.issuer must be https/],
    [[receiver({ url: 'http://canary.example', secretFile: 'x' })], /events\.0\.url must be an https/],
    [[receiver({ secretFile: 'centers.json' })], /secretFile must hold one to 5 lines, each whsec_/],
    [[receiver({ secretFile: 'empty' })], /events\.0\.secretFile names a file that is empty/],
    [[receiver({ secretFile: 'x', types: ['canary'] })], /events\.0\.types\.0/],
    [[apiKeys({ sha256: 'canary' })], /0\.apiKeys\.0\.sha256: the SHA-256 of the key/],
    [[apiKeys({ scopes: [] })], /0\.apiKeys\.0\.scopes/],
    [[apiKeys({ name: 'a' }, { name: 'b' })], /two apiKeys have the same sha256/],
    [[{ ...shop, embedOrigins: ['canary'] }], /0\.embedOrigins/],
    ...['https://*.canary.example', 'http://canary.example', 'data:,canary', 'https://a,canary'].map(
      (origin) => [[framed(origin)], /0\.embedOrigins\.1 must be https/] as const,
    ),
  ];
  for (const [content, named] of bad) {
    test(`${JSON.stringify(content)}`, () => {
      const faults = faultsOf(content);
      assert.match(faults, named);
      assert.doesNotMatch(faults, /canary/i);
    });
  }

  test('keys by https, on this machine and in a file are accepted', () => {
    const byUrl = ['https://shop.example', 'http://127.0.0.1:9'].map((jwksUrl) => ({ jwksUrl }));
    for (const place of [...byUrl, { jwksFile: 'keys' }]) assert.equal(faultsOf([linked(place)]), '');
  });

  test('messages about changes need a mail server', () => {
    const notifying = [{ ...shop, notify: true }];
    const installed = { ...tenant, SANDBOX: 'off' };
    assert.equal(faultsOf(notifying, installed), 'CENTERS_FILE: 0.notify needs SMTP_URL');
    assert.equal(faultsOf(notifying, { ...installed, SMTP_URL: 'smtps://mail.example' }), '');
  });
});
