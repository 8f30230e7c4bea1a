import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { type CenterConfig, listedCenters } from '../../../src/core/model/center/center-config.ts';
import type { Mail } from '../../../src/core/model/mail.ts';
import { createIdentifiers } from '../../../src/core/model/person/identifiers.ts';
import { readSubjectId } from '../../../src/core/model/person/subject.ts';
import { Problem } from '../../../src/core/model/problem.ts';
import { createCustomerTokens } from '../../../src/features/identity/customer-token.ts';
import { createLinkMint, createLinkTokens, trimToken } from '../../../src/features/identity/link-token.ts';
import { readMailedLink } from '../../../src/features/identity/messages.ts';
import { createOutbox } from '../../../src/features/identity/outbox.ts';
import type { HttpCall } from '../../../src/ports/http-call.ts';
import { openReplayGuard } from '../../../src/store/replay-guard.ts';
import { createSeal } from '../../../src/store/seal.ts';
import { books } from '../../kit/sandbox-ids.ts';
import { inMemory } from '../../store/on-both.ts';

const minute = 60_000;
const identifiers = createIdentifiers('refuse');

function aClock() {
  const clock = { at: 1_800_000_000_000, now: () => clock.at };
  return clock;
}

const centerConfig: CenterConfig = {
  name: 'shop',
  center: books,
  brand: undefined,
  embedOrigins: [],
  linkKeys: [{ kind: 'jwks', issuer: 'https://shop.example', url: 'https://shop.example/keys' }],
  signIn: { mail: true, singleSignOn: undefined },
};

suite('The keys of a customer', () => {
  async function aShop() {
    const clock = aClock();
    const pairs = await Promise.all(
      ['a', 'b'].map(async (kid) => ({ kid, ...(await generateKeyPair('ES256', { extractable: true })) })),
    );
    const state = { published: ['a'], isUp: true, asked: 0 };
    const http: HttpCall = async () => {
      state.asked += 1;
      await Promise.resolve();
      if (!state.isUp) throw new Error('gone');
      const listed = pairs.filter(({ kid }) => state.published.includes(kid));
      const keys = await Promise.all(
        listed.map(async ({ kid, publicKey }) => ({ kid, ...(await exportJWK(publicKey)) })),
      );
      return { status: 200, headers: {}, body: JSON.stringify({ keys }) };
    };
    const replayGuard = openReplayGuard({ sql: inMemory(clock), seal: createSeal(['x'.repeat(32)]) });
    const signedOut = new Map<string, number>();
    const signedOutAt = async (subject: string) => signedOut.get(subject);
    const tokens = createCustomerTokens({ http, clock, replayGuard, signedOutAt, identifiers });
    const sign = async (
      kid: string,
      more: {
        lifetime?: number;
        id?: string | null;
        aud?: string | string[];
        iat?: boolean;
        scope?: string;
        subject?: string;
      } = {},
    ) => {
      const pair = pairs.find((each) => each.kid === kid) ?? assert.fail();
      const now = Math.floor(clock.at / 1000);
      const claims = {
        scope: more.scope ?? 'manage',
        ...(more.id === undefined ? {} : { jti: more.id as string }),
        ...(more.iat ? { iat: now } : {}),
      };
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', kid })
        .setIssuer('https://shop.example')
        .setAudience(more.aud ?? 'shop')
        .setSubject(more.subject ?? 'anna@example.org')
        .setExpirationTime(now + (more.lifetime ?? 60))
        .sign(pair.privateKey);
    };
    const read = async (...change: Parameters<typeof sign>) =>
      tokens.readLink(await sign(...change), centerConfig);
    return { clock, state, tokens, sign, read, signedOut };
  }

  test('the keys are read once for many links, and again after ten minutes', async () => {
    const { clock, state, read } = await aShop();
    const answers = await Promise.all(Array.from({ length: 20 }, () => read('a')));
    assert.ok(answers.every(({ kind }) => kind === 'valid'));
    assert.equal(state.asked, 1);
    clock.at += 9 * minute;
    await read('a');
    assert.equal(state.asked, 1);
    clock.at += 2 * minute;
    await read('a');
    assert.equal(state.asked, 2);
  });

  test('a new key is found once it is published, by one reading in 30 seconds at most', async () => {
    const { clock, state, read } = await aShop();
    await read('a');
    state.published = ['a', 'b'];
    assert.equal((await read('b')).kind, 'invalid', 'the keys were read a moment ago');
    clock.at += 30_000;
    assert.equal((await read('b')).kind, 'valid');
    assert.equal(state.asked, 2);
    state.published = ['b'];
    clock.at += 11 * minute;
    assert.equal((await read('a')).kind, 'invalid', 'the key was withdrawn');
  });

  test('the keys are good for a day while their address does not answer, and then no link is judged', async () => {
    const { clock, state, read } = await aShop();
    const unreachable = { name: 'Problem', code: 'keys-unreachable' };
    state.isUp = false;
    for (let tries = 0; tries < 2; tries += 1) await assert.rejects(read('a'), unreachable);
    assert.equal(state.asked, 1, 'keys that were never read make no link invalid');
    state.isUp = true;
    clock.at += 30_000;
    assert.equal((await read('a')).kind, 'valid');
    state.isUp = false;
    clock.at += 23 * 60 * minute;
    assert.equal((await read('a')).kind, 'valid');
    clock.at += 2 * 60 * minute;
    await assert.rejects(read('a'), unreachable);
    await assert.rejects(read('a'), unreachable, 'a moment later it fails without a request');
    state.isUp = true;
    clock.at += minute;
    assert.equal((await read('a')).kind, 'valid', 'the address answers again');
  });

  const valid = { kind: 'valid', subject: 'anna@example.org', scope: 'manage' };
  const expired = { kind: 'expired', subject: 'anna@example.org' };

  test('a ticket lives five minutes at most, and a link a year', async () => {
    const { clock, tokens, sign, read } = await aShop();
    const redeem = async (lifetime: number) =>
      tokens.redeem(await sign('a', { lifetime, id: String(lifetime) }), centerConfig);
    const named = ({ kind, subject, scope }: Record<string, unknown>) => ({ kind, subject, scope });
    assert.deepEqual(named({ ...(await redeem(300)) }), valid);
    assert.equal((await redeem(331)).kind, 'invalid');
    assert.equal((await redeem(-29)).kind, 'valid', 'clocks differ');
    assert.deepEqual(await redeem(-31), expired);
    assert.equal((await read('a', { lifetime: 366 * 86_400 })).kind, 'valid');
    assert.equal((await read('a', { lifetime: 367 * 86_400 })).kind, 'invalid');
    const longer = await sign('a', { lifetime: 500 * 86_400, iat: true });
    clock.at += 400 * 86_400_000;
    assert.equal((await tokens.readLink(longer, centerConfig)).kind, 'invalid', 'its whole life counts');
  });

  test('a token names a person byte for byte, as a link and as a ticket', async () => {
    const { tokens, sign } = await aShop();
    for (const subject of ['anna@example.org\u00a0', '\u212aate@example.org', ' ']) {
      const token = await sign('a', { subject });
      for (const read of [tokens.readLink, tokens.redeem])
        assert.deepEqual(await read(token, centerConfig), { kind: 'invalid' }, subject);
    }
  });

  test('a ticket or a token with an id is good once, as a link or a ticket, in every center', async () => {
    const { tokens, sign } = await aShop();
    const other = { ...centerConfig, name: 'bank', center: 'ba4c0000-0000-4000-8000-000000000001' };
    const uses = [tokens.takeLink, tokens.redeem];
    for (const [at, use] of uses.entries())
      for (const id of [{ id: `of its own ${at}` }, {}]) {
        const token = await sign('a', { ...id, aud: ['shop', 'bank'], lifetime: 60 + at });
        const reading = await tokens.readLink(token, centerConfig);
        assert.equal(reading.kind, 'valid', 'reading does not use it up');
        assert.equal((await use(token, centerConfig)).kind, 'valid');
        for (const again of [tokens.readLink, ...uses])
          for (const where of [centerConfig, other]) assert.deepEqual(await again(token, where), expired);
      }
    const longer = await sign('a', { id: 'longer', lifetime: 86_400 });
    const asTicket = await tokens.redeem(longer, centerConfig);
    assert.equal(asTicket.kind, 'invalid', 'it lives too long for a ticket');
    assert.equal((await tokens.takeLink(longer, centerConfig)).kind, 'valid');
    assert.deepEqual(await tokens.takeLink(longer, centerConfig), expired);
  });

  test('a token with an empty id is invalid, because all people would share it', async () => {
    const { read } = await aShop();
    for (const id of ['', ' ', null]) assert.equal((await read('a', { id })).kind, 'invalid', String(id));
  });

  test('a link without an id is good until its end, and is no ticket once it is old', async () => {
    const { clock, tokens, sign } = await aShop();
    const link = await sign('a', { lifetime: 3_600, iat: true });
    for (const minutes of [0, 1, 58]) {
      clock.at += minutes * minute;
      for (let count = 0; count < 2; count += 1) {
        assert.equal((await tokens.takeLink(link, centerConfig)).kind, 'valid', 'to its end');
      }
    }
    const asTicket = await tokens.redeem(link, centerConfig);
    assert.equal(asTicket.kind, 'invalid', 'it has lived longer than a ticket');
    const undated = await sign('a', { lifetime: 3_600 });
    clock.at += 58 * minute;
    assert.equal((await tokens.redeem(undated, centerConfig)).kind, 'valid', 'its age is unknown');
    assert.deepEqual(await tokens.takeLink(undated, centerConfig), expired);
  });

  test('a token ends with a sign-out on all devices unless it was issued after it by any clock', async () => {
    const { clock, tokens, sign, signedOut } = await aShop();
    const uses = { link: tokens.readLink, 'link that is taken': tokens.takeLink, ticket: tokens.redeem };
    let id = 0;
    const kinds = async (claims: { iat?: boolean; lifetime?: number }) => {
      const answers = [];
      for (const [name, use] of Object.entries(uses)) {
        id += 1;
        answers.push([name, (await use(await sign('a', { ...claims, id: String(id) }), centerConfig)).kind]);
      }
      return answers;
    };
    const all = (kind: string) => Object.keys(uses).map((name) => [name, kind]);
    const early = await sign('a', { iat: true, lifetime: 3_600 });
    assert.deepEqual(await kinds({ iat: true }), all('valid'));
    assert.deepEqual(await kinds({}), all('valid'), 'valid while there is no sign-out');
    signedOut.set('anna@example.org', clock.at + 500);
    clock.at += 1_000;
    assert.deepEqual(
      await kinds({ iat: true }),
      all('expired'),
      'issued in that second, or by a clock that is ahead',
    );
    clock.at += 30_000;
    assert.deepEqual(await kinds({ iat: true }), all('valid'));
    assert.deepEqual(await kinds({}), all('expired'), 'a token without a time of issue may be older');
    assert.deepEqual(await tokens.readLink(early, centerConfig), expired);
    signedOut.set('omar@example.org', clock.at + minute);
    assert.deepEqual(await kinds({ iat: true }), all('valid'), 'the sign-out of another person');
    clock.at -= minute;
    assert.deepEqual(await kinds({ iat: true }), all('expired'), 'a clock that was set back revives nothing');
  });

  test('a one-click address lives three years, also after a sign-out, and opens no page', async () => {
    const { clock, tokens, sign, signedOut } = await aShop();
    const registry = listedCenters([centerConfig]);
    const life = 3 * 366 * 86_400;
    const aud = ['somebody-else', 'Shop', centerConfig.center];
    const click = await sign('a', { scope: 'one-click', iat: true, lifetime: life, id: 'of a mail', aud });
    const { center } = centerConfig;
    const valid = { kind: 'valid', center, subject: 'anna@example.org', purpose: undefined };
    for (let count = 0; count < 2; count += 1) {
      assert.deepEqual(await tokens.readOneClick(click, registry), valid, 'each time that it is read');
    }
    const undated = await sign('a', { scope: 'one-click', lifetime: life });
    signedOut.set('anna@example.org', clock.at + minute);
    clock.at += life * 1000;
    for (const token of [click, undated])
      assert.deepEqual(await tokens.readOneClick(token, registry), valid, 'clocks differ');
    clock.at += 31_000;
    for (const token of [click, undated]) {
      assert.deepEqual(await tokens.readOneClick(token, registry), { kind: 'expired' });
      for (const use of [tokens.readLink, tokens.takeLink, tokens.redeem])
        assert.deepEqual(await use(token, centerConfig), { kind: 'invalid' });
    }
    const longer = await sign('a', { scope: 'one-click', lifetime: life + 31 });
    assert.deepEqual(await tokens.readOneClick(longer, registry), { kind: 'invalid' });
    assert.deepEqual(await tokens.readOneClick(click, listedCenters([])), { kind: 'invalid' });
  });
});

suite('A link of the product', () => {
  const center = books;
  const keyOf = (letter: string) => new TextEncoder().encode(letter.repeat(32));
  const [newer, older] = [keyOf('n'), keyOf('o')];
  const subject = readSubjectId('anna@example.org') ?? assert.fail();
  const claims = { subject, scope: 'withdraw', center, lifetime: 60 } as const;

  /** A reader of links under these keys, and a mint that uses the newer key. */
  function ours(
    clock: { now(): number },
    {
      keys = [newer],
      signedOutAt = async () => undefined,
    }: Partial<Parameters<typeof createLinkTokens>[0]> = {},
  ) {
    const invalid = async () => ({ kind: 'invalid' }) as const;
    const customers = { readLink: invalid, takeLink: invalid };
    const links = createLinkTokens({ keys, clock, customers, identifiers, signedOutAt });
    return { links, mint: createLinkMint({ key: newer, clock }) };
  }

  test('a link is good to the second of its end, and then still names its person', async () => {
    const clock = aClock();
    const { links, mint } = ours(clock);
    const token = mint.mint(claims);
    clock.at += 59_000;
    assert.deepEqual(await links.take(token, centerConfig), { kind: 'valid', subject, scope: 'withdraw' });
    assert.deepEqual(await links.read(token, centerConfig), { kind: 'valid', subject, scope: 'withdraw' });
    clock.at += 1_000;
    assert.deepEqual(await links.read(token, centerConfig), { kind: 'expired', subject });
  });

  test('a link is not called invalid while the store cannot say whether it has ended', async () => {
    const clock = aClock();
    const signedOutAt = async () => {
      throw new Problem('store-unavailable');
    };
    const { links, mint } = ours(clock, { signedOutAt });
    const token = mint.mint(claims);
    await assert.rejects(links.read(token, centerConfig), { code: 'store-unavailable' });
  });

  test('a link is read under each key in use, and only by its own center', async () => {
    const clock = aClock();
    const token = createLinkMint({ key: older, clock }).mint(claims);
    const { links: rotated } = ours(clock, { keys: [newer, older] });
    assert.equal((await rotated.read(token, centerConfig)).kind, 'valid');
    const { links: dropped } = ours(clock);
    assert.equal((await dropped.read(token, centerConfig)).kind, 'invalid');
    const other = { ...centerConfig, center: 'ba4c0000-0000-4000-8000-000000000001' };
    assert.equal((await rotated.read(token, other)).kind, 'invalid');
  });
});

suite('A token', () => {
  const token = 'eyJh.eyJz.sig_-9';

  test('a token is the first of several, without what was appended to it, and nothing else is a token', () => {
    for (const more of ['', '?utm=1', '&utm=1', ')', '.', '>', ' ', '\n', '"', '%20'])
      assert.equal(trimToken(`${token}${more}`), token, more);
    assert.equal(trimToken([token, 'other.other.other']), token);
    for (const value of [undefined, '', 'a.b', { t: token }, 7, '%%.a.b'])
      assert.equal(trimToken(value), undefined);
  });

  test('a mailed link is read without what mail tools have appended', () => {
    const [secret, mailedTo] = ['s'.repeat(24), 'm'.repeat(40)];
    const text = `${secret}.${mailedTo}`;
    for (const more of ['', '?utm_source=mail', ').', '#top'])
      assert.deepEqual(readMailedLink(`${text}${more}`), { text, secret, mailedTo });
  });
});

suite('The outbox', () => {
  const mail: Mail = { to: 'a@b.example', from: 'B', subject: 's', text: 't', html: 'h', language: 'en' };

  function anOutbox(failures: number) {
    const waits: number[] = [];
    const warnings: string[] = [];
    let tries = 0;
    const outbox = createOutbox({
      mailer: {
        async send() {
          tries += 1;
          if (tries <= failures) throw new Error('not now');
        },
        close() {},
      },
      timer: {
        after(milliseconds, run) {
          waits.push(milliseconds);
          if (milliseconds < 100_000) setImmediate(run);
          return () => {};
        },
      },
      warn: (event) => warnings.push(event),
    });
    return { outbox, waits, warnings, tries: () => tries };
  }

  test('the outbox answers before it sends, and tries again after a failure', async () => {
    const { outbox, waits, warnings, tries } = anOutbox(2);
    outbox.post(mail);
    assert.equal(tries(), 0);
    await outbox.settled(1_000_000);
    assert.equal(tries(), 3);
    assert.deepEqual(waits.slice(0, 1), [0]);
    assert.deepEqual(warnings, ['a message waits to be sent', 'a message waits to be sent']);
  });

  test('the outbox gives up before a message would come too late, and warns', async () => {
    const { outbox, warnings, tries } = anOutbox(99);
    outbox.post(mail);
    await outbox.settled(1_000_000);
    assert.equal(tries(), 5);
    assert.equal(warnings.at(-1), 'a message was not sent');
  });
});
