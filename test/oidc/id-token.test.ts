import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, suite, test } from 'node:test';
import { SignJWT } from 'jose';
import { systemClock } from '../../src/clock.ts';
import { faultForLog, type LoggedFault } from '../../src/core/model/logged-fault.ts';
import { createOpenIdConnect } from '../../src/oidc/open-id-connect.ts';
import { createPlainHttp } from '../../src/upstream/plain-http.ts';
import { makeAuthority } from '../kit/authority.ts';
import {
  type Lie,
  type LyingProvider,
  macToken,
  startLyingProvider,
  type TokenParts,
  unsignedToken,
} from '../kit/lying-provider.ts';

const clientSecret = 'a-secret_of.the~client+of/32=bytes';
const clientId = 'people.of_shop-1';
const redirectUri = 'https://preferences.example.org/back';

let provider: LyingProvider;
const http = createPlainHttp();
const openId = () => createOpenIdConnect({ http: http.call, clock: systemClock, warn: () => undefined });

before(async () => {
  provider = await startLyingProvider();
});
beforeEach(() => {
  provider.lie = {};
});
after(async () => {
  provider.close();
  await http.close();
});

/** Signs in once at a provider with these metadata. */
async function signIn(metadata: Readonly<Record<string, unknown>>): Promise<unknown> {
  provider.metadata = metadata;
  const client = { issuer: provider.url, clientId, clientSecret };
  const connect = openId();
  const { href, transaction } = await connect.start(client, redirectUri);
  const { headers } = await fetch(href, { redirect: 'manual' });
  const url = new URL(headers.get('location') ?? '');
  return connect.finish(client, { url, transaction, isEnough: () => true });
}

/** The reasons of a fault and of its causes, as logged. */
function reasonsOf(fault: unknown): readonly string[] {
  const reasons: string[] = [];
  for (let each: LoggedFault | undefined = faultForLog(fault); each !== undefined; each = each.cause)
    if (each.reason !== undefined) reasons.push(each.reason);
  return reasons;
}

suite('The secret of a client', () => {
  test('the secret goes in the body where the provider offers that', async () => {
    for (const methods of [['client_secret_post'], ['client_secret_basic', 'client_secret_post']]) {
      await signIn({ token_endpoint_auth_methods_supported: methods });
      assert.deepEqual(provider.proof, { head: undefined, body: clientSecret });
    }
  });

  test('the secret goes in the head otherwise, form-encoded', async () => {
    for (const metadata of [{ token_endpoint_auth_methods_supported: ['client_secret_basic'] }, {}]) {
      await signIn(metadata);
      const { head = '', body } = provider.proof;
      const pair = Buffer.from(head.replace('Basic ', ''), 'base64').toString();
      assert.equal(body, undefined);
      assert.equal(pair, 'people.of_shop-1:a-secret_of.the%7Eclient%2Bof%2F32%3Dbytes');
      const [, secret = ''] = pair.split(':');
      assert.equal(new URLSearchParams(`s=${secret}`).get('s'), clientSecret, 'RFC 6749 decodes it so');
    }
  });
});

const past = Math.floor(Date.now() / 1000) - 3_600;
const claiming = (changes: Readonly<Record<string, unknown>>): Lie => ({
  change: ({ claims }) => void Object.assign(claims, changes),
});
const signedBy = (use: 'published' | 'unknown', kid: string | undefined): Lie => ({
  sign: ({ header: { kid: _kid, ...rest }, claims }, keys) =>
    signedToken({ header: { ...rest, ...(kid === undefined ? {} : { kid }) }, claims }, keys[use]),
});

function signedToken({ header, claims }: TokenParts, key: CryptoKey): Promise<string> {
  return new SignJWT(claims).setProtectedHeader(header).sign(key);
}

const lies: Readonly<Record<string, Lie>> = {
  'a broken signature': {
    sign: async (token, { published }) => {
      const [header, payload, signature = ''] = (await signedToken(token, published)).split('.');
      return `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    },
  },
  'claims that were changed after signing': {
    sign: async (token, { published }) => {
      const [header, , signature] = (await signedToken(token, published)).split('.');
      const changed = { ...token.claims, email: 'boss@example.org', sub: 'boss' };
      return `${header}.${Buffer.from(JSON.stringify(changed)).toString('base64url')}.${signature}`;
    },
  },
  'no signature (none)': { sign: (token) => unsignedToken(token) },
  'no signature (NONE)': { sign: (token) => unsignedToken(token, 'NONE') },
  'no signature under an algorithm that has one': { sign: (token) => unsignedToken(token, 'RS256') },
  'a MAC by the client’s own secret': { sign: (token) => macToken(token, clientSecret) },
  'a key that is not published': signedBy('unknown', 'unknown'),
  'a key that is not published, without a name': signedBy('unknown', undefined),
  'another key under the name of the published one': signedBy('unknown', 'published'),
  'another nonce': claiming({ nonce: 'another' }),
  'no nonce': claiming({ nonce: undefined }),
  'another audience': claiming({ aud: 'another-client' }),
  'no audience': claiming({ aud: undefined }),
  'several audiences, for another party': claiming({
    aud: [clientId, 'another-client'],
    azp: 'another-client',
  }),
  'another issuer': claiming({ iss: 'https://elsewhere.example' }),
  'no issuer': claiming({ iss: undefined }),
  'an expiry in the past': claiming({ exp: past }),
  'no expiry': claiming({ exp: undefined }),
  'a start in the future': claiming({ nbf: past + 7_200 }),
  'no subject': claiming({ sub: undefined }),
  'no ID token at all': { sign: () => undefined },
};

suite('An ID token', () => {
  test('a token need not name the only key', async () => {
    provider.lie = signedBy('published', undefined);
    assert.equal(Object(await signIn({})).sub, 'somebody');
  });

  for (const [name, lie] of Object.entries(lies))
    test(`a token with ${name} is refused`, async () => {
      provider.lie = lie;
      await assert.rejects(signIn({}));
    });
});

suite('The log of a failed sign-in', () => {
  test('the log has the error code of the provider, and none of its words', async () => {
    provider.refusal = 'invalid_client';
    const fault = await signIn({}).catch((thrown: unknown) => thrown);
    provider.refusal = undefined;
    assert.deepEqual(reasonsOf(fault), ['the provider says invalid_client']);
    assert.doesNotMatch(JSON.stringify(faultForLog(fault)), /anna|not known/);
  });

  test('the log says that a certificate is not trusted, and what to do', async (t) => {
    const authority = makeAuthority();
    const server = createServer(authority.issue(['localhost'])).listen(0, '127.0.0.1');
    t.after(() => {
      server.close();
      authority.close();
    });
    await once(server, 'listening');
    const issuer = `https://localhost:${(server.address() as AddressInfo).port}`;
    const starting = openId().start({ issuer, clientId, clientSecret }, redirectUri);
    const fault = await starting.catch((thrown: unknown) => thrown);
    assert.match(reasonsOf(fault).join(), /not trusted here: name its file in NODE_EXTRA_CA_CERTS$/);
  });
});
