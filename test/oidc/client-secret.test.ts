import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { systemClock } from '../../src/clock.ts';
import { faultForLog, type LoggedFault } from '../../src/core/model/logged-fault.ts';
import { createOpenIdConnect } from '../../src/oidc/open-id-connect.ts';
import { createPlainHttp } from '../../src/upstream/plain-http.ts';
import { makeAuthority } from '../kit/authority.ts';
import { type LyingProvider, startLyingProvider } from '../kit/lying-provider.ts';

const clientSecret = 'a-secret_of.the~client+of/32=bytes';
const redirectUri = 'https://preferences.example.org/back';

let provider: LyingProvider;
const http = createPlainHttp();
const openId = () => createOpenIdConnect({ http: http.call, clock: systemClock, warn: () => undefined });

before(async () => {
  provider = await startLyingProvider();
});
after(async () => {
  provider.close();
  await http.close();
});

/** Signs in once at a provider that says this of itself. */
async function signIn(metadata: Readonly<Record<string, unknown>>): Promise<unknown> {
  provider.metadata = metadata;
  const client = { issuer: provider.url, clientId: 'people.of_shop-1', clientSecret };
  const connect = openId();
  const { href, transaction } = await connect.start(client, redirectUri);
  const { headers } = await fetch(href, { redirect: 'manual' });
  const url = new URL(headers.get('location') ?? '');
  return connect.finish(client, { url, transaction, isEnough: () => true });
}

/** The reasons of a fault and its causes, as they are logged. */
function reasonsOf(fault: unknown): readonly string[] {
  const reasons: string[] = [];
  for (let each: LoggedFault | undefined = faultForLog(fault); each !== undefined; each = each.cause)
    if (each.reason !== undefined) reasons.push(each.reason);
  return reasons;
}

suite('The secret of a client', () => {
  for (const methods of [['client_secret_post'], ['client_secret_basic', 'client_secret_post']]) {
    test(`goes in the body where that is offered: ${methods.join(', ')}.`, async () => {
      await signIn({ token_endpoint_auth_methods_supported: methods });
      assert.deepEqual(provider.proof, { head: undefined, body: clientSecret });
    });
  }

  for (const [what, metadata] of [
    ['nothing else is offered', { token_endpoint_auth_methods_supported: ['client_secret_basic'] }],
    ['nothing is said', {}],
  ] as const) {
    test(`goes in the head where ${what}, with what forms leave as it is.`, async () => {
      await signIn(metadata);
      const { head = '', body } = provider.proof;
      const pair = Buffer.from(head.replace('Basic ', ''), 'base64').toString();
      assert.equal(body, undefined);
      assert.equal(pair, 'people.of_shop-1:a-secret_of.the%7Eclient%2Bof%2F32%3Dbytes');
      const [, secret = ''] = pair.split(':');
      assert.equal(new URLSearchParams(`s=${secret}`).get('s'), clientSecret, 'as RFC 6749 decodes it');
    });
  }
});

suite('What is logged of a sign-in that fails', () => {
  test('is the error that the provider names, and none of its words.', async () => {
    provider.refusal = 'invalid_client';
    const fault = await signIn({}).catch((thrown: unknown) => thrown);
    provider.refusal = undefined;
    assert.deepEqual(reasonsOf(fault), ['the provider says invalid_client']);
    assert.doesNotMatch(JSON.stringify(faultForLog(fault)), /anna|not known/);
  });

  test('is that its certificate is not trusted, and what to do.', async () => {
    const authority = makeAuthority();
    const server = createServer(authority.issue(['localhost'])).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = `https://localhost:${(server.address() as AddressInfo).port}`;
    try {
      const client = { issuer, clientId: 'people', clientSecret };
      const fault = await openId()
        .start(client, redirectUri)
        .catch((thrown: unknown) => thrown);
      assert.match(reasonsOf(fault).join(), /not trusted here: name its file in NODE_EXTRA_CA_CERTS$/);
    } finally {
      server.close();
      authority.close();
    }
  });
});
