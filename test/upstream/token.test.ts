import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PlatformOptions } from '../../src/upstream/platform.ts';
import { until } from '../kit/until.ts';
import {
  codeOf,
  emptyRecord,
  faultOf,
  goodToken,
  openPlatform,
  type Seen,
  secretText,
  stoppedClock,
  witness,
} from './scripted-platform.ts';

const guid = '123e4567-e89b-12d3-a456-426614174000';

const isWith = (seen: Seen, token: string) => seen.headers.authorization === `Bearer ${token}`;

describe('the token', () => {
  it('the token is fetched once for all waiting calls, and once more after their 401s', async (t) => {
    let good = 'token-1';
    const { server, read } = await openPlatform(t, {
      answer: (seen) => (isWith(seen, good) ? emptyRecord : { status: 401, body: '' }),
      options: { timeouts: { subjectRead: 60_000 } },
    });
    const readAll = () => Promise.all(Array.from({ length: 100 }, () => read()));
    await readAll();
    assert.deepEqual([server.tokenCalls.length, server.calls.length], [1, 100]);
    good = 'token-2';
    await readAll();
    assert.equal(server.tokenCalls.length, 2, 'the first, and one more');
  });

  it('the token is renewed at 80 % of its life in the background, while the old one still serves', async (t) => {
    const clock = stoppedClock();
    const gate = Promise.withResolvers<void>();
    const { server, read } = await openPlatform(t, {
      token: async (_seen, place) => {
        if (place === 2) await gate.promise;
        return goodToken(place, 1_000);
      },
      options: { clock },
    });
    const used = () => server.calls.at(-1)?.headers.authorization;
    await read();
    clock.advance(799_000);
    await read();
    assert.equal(server.tokenCalls.length, 1);
    clock.advance(2_000);
    await read();
    assert.equal(used(), 'Bearer token-1', 'no call waits for the renewal');
    await until(() => server.tokenCalls.length === 2);
    gate.resolve();
    await until(async () => {
      await read();
      return used() === 'Bearer token-2';
    });
    assert.equal(server.tokenCalls.length, 2);
  });

  it('calls succeed with the old token while the token endpoint is down, and few renewals are tried', async (t) => {
    const clock = stoppedClock();
    const { server, read } = await openPlatform(t, {
      token: (_seen, place) => (place === 1 ? goodToken(1, 1_000) : { status: 503, body: '' }),
      options: { clock, timeouts: { breakerOpen: 1 } },
    });
    await read();
    for (let second = 810; second < 1_000; second += 10) {
      clock.advance(second === 810 ? 810_000 : 10_000);
      await read();
    }
    const tried = server.tokenCalls.length;
    assert.ok(tried > 2 && tried < 15, `${tried} tries in 190 s`);
    clock.advance(20_000);
    await assert.rejects(read(), { code: 'platform-unreachable' });
  });

  it('a token without a valid life lives 300 seconds', async () => {
    for (const life of [undefined, 'soon', -5, 0]) {
      const clock = stoppedClock();
      const token = () => ({ body: { access_token: 'token-1', expires_in: life } });
      await using parts = await openPlatform(undefined, { token, options: { clock } });
      for (const [milliseconds, tokens] of [
        [0, 1],
        [239_000, 1],
        [62_000, 2],
      ] as const) {
        clock.advance(milliseconds);
        await parts.read();
        assert.equal(parts.server.tokenCalls.length, tokens, String(life));
      }
    }
  });

  it('a refused fresh token causes one repetition, then platform-denied without further tokens', async (t) => {
    const clock = stoppedClock();
    const { server, read } = await openPlatform(t, { answer: () => ({ status: 401 }), options: { clock } });
    for (let call = 0; call < 20; call += 1) assert.equal(await codeOf(read()), 'platform-denied');
    assert.equal(server.tokenCalls.length, 2);
    assert.equal(server.calls.length, 21);
    clock.advance(11_000);
    await assert.rejects(read(), { code: 'platform-denied' });
    assert.equal(server.tokenCalls.length, 3, 'tried again after a while');
  });

  it('a write that got a 401 is sent once more with the new token', async (t) => {
    const { server, withdraw } = await openPlatform(t, {
      answer: (seen) => (isWith(seen, 'token-2') ? { body: { Purposes: [] } } : { status: 401 }),
    });
    assert.deepEqual(await withdraw(), { items: [] });
    assert.equal(server.calls.length, 2);
  });

  it('a missing scope is platform-denied at once', async (t) => {
    const { platform, server } = await openPlatform(t, { answer: () => ({ status: 403 }) });
    await assert.rejects(platform.listNotices({ page: 0, size: 20 }), { code: 'platform-denied' });
    assert.deepEqual([server.calls.length, server.tokenCalls.length], [1, 1]);
  });

  const form = `client_id=client-7&client_secret=${secretText}`;
  const styles: Record<NonNullable<PlatformOptions['tokenStyle']>, (seen: Seen) => void> = {
    multipart({ headers, body }) {
      const boundary = /^multipart\/form-data; boundary=([\w-]+)$/.exec(headers['content-type'] ?? '')?.[1];
      assert.ok(boundary);
      assert.equal(headers['content-length'], String(body.length));
      const [, , , secret, ...rest] = body.split(`--${boundary}`);
      assert.equal(rest.length, 1);
      const head = 'Content-Disposition: form-data; name="client_secret"';
      assert.equal(secret, `\r\n${head}\r\n\r\n${secretText}\r\n`);
    },
    urlencoded({ headers, body }) {
      assert.equal(headers['content-type'], 'application/x-www-form-urlencoded');
      assert.equal(body, `grant_type=client_credentials&${form}`);
    },
    basic({ headers, body }) {
      assert.equal(headers.authorization, `Basic ${btoa(`client-7:${secretText}`)}`);
      assert.equal(body, 'grant_type=client_credentials');
    },
  };
  for (const [style, check] of Object.entries(styles)) {
    it(`the token request is written in the style ${style}`, async (t) => {
      const options = { tokenStyle: style as keyof typeof styles };
      const { platform, server } = await openPlatform(t, { options });
      await platform.signIn();
      check(server.tokenCalls[0] ?? assert.fail('no token was asked for'));
    });
  }

  it('a token is fetched for each scope if the settings ask for it', async (t) => {
    const { platform, server } = await openPlatform(t, {
      answer: () => ({ body: { content: [], id: guid } }),
      options: { tokenPerScope: true, tokenStyle: 'urlencoded' },
    });
    await platform.listNotices({ page: 0, size: 20 });
    await platform.findTask(guid);
    await platform.listNotices({ page: 0, size: 20 });
    assert.deepEqual(
      server.tokenCalls.map(({ body }) => new URLSearchParams(body).get('scope')),
      ['POLICY', 'ISSUE'],
    );
  });

  const invalid = { error: 'invalid_client', error_description: secretText };
  const refusals = [
    { answer: { status: 401, body: invalid }, code: 'platform-denied' },
    { answer: { status: 400, body: '"no"' }, code: 'platform-denied' },
    { answer: { status: 500, body: '' }, code: 'platform-unreachable' },
    { answer: { status: 429, headers: { 'retry-after': '60' } }, code: 'platform-busy' },
    { answer: { body: '<html>' }, code: 'platform-unreadable' },
    { answer: { body: { access_token: 'bro\nken' } }, code: 'platform-unreadable' },
  ];
  for (const { answer, code } of refusals) {
    it(`a token endpoint that answers ${JSON.stringify(answer)} is ${code}, and its answer is not logged`, async (t) => {
      const { log, metrics, lines, outcomes } = witness();
      const { server, read } = await openPlatform(t, { token: () => answer, options: { log, metrics } });
      const fault = await faultOf(read());
      assert.equal(fault.code, code);
      assert.equal(server.calls.length, 0);
      const said = JSON.stringify([lines, outcomes, fault, String(fault.stack), String(fault.cause)]);
      assert.doesNotMatch(said, new RegExp(`${secretText}|anna@|token-|no"`));
    });
  }
});
