import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as z from 'zod';
import { tolerance } from '../../src/core/model/age.ts';
import { linkMakerToken, signInFormToken } from '../../src/features/identity/tokens.ts';
import { createSeal } from '../../src/store/seal.ts';
import { lastingToken, sealedToken } from '../../src/web/sealed-token.ts';
import { freshLinkToken, heldPostToken } from '../../src/web/tokens.ts';

const seal = createSeal(['a-secret-of-at-least-thirty-two-bytes-1']);
const at = 1_000_000_000_000;
const minute = 60_000;
const schema = z.object({ center: z.string() });
const aging = sealedToken({ use: 'aging', schema, maxAgeMs: minute });
const lasting = lastingToken({ use: 'lasting', schema });
const when = (now: number) => ({ seal, clock: { now: () => now } });

suite('A sealed token', () => {
  const token = aging.seal(when(at), { center: 'shop' });

  const ages: readonly [now: number, opened: object | undefined][] = [
    [at, { center: 'shop', at }],
    [at + minute, { center: 'shop', at }],
    [at + minute + 1, undefined],
    // The clock of the opening node is a little behind.
    [at - tolerance, { center: 'shop', at }],
    [at - tolerance - 1, undefined],
  ];
  for (const [now, opened] of ages) {
    test(`that ages ${opened === undefined ? 'does not open' : 'opens'} ${now - at} ms after it was made`, () => {
      assert.deepEqual(aging.open(when(now), token), opened);
    });
  }

  test('that does not age holds no time, and opens at any time', () => {
    const made = lasting.seal({ seal }, { center: 'shop' });
    assert.deepEqual(seal.open('lasting', made), { center: 'shop' });
    assert.deepEqual(lasting.open({ seal }, made), { center: 'shop' });
  });

  const strangers: readonly unknown[] = [
    undefined,
    null,
    7,
    '',
    'forged',
    [token],
    lasting.seal({ seal }, { center: 'shop' }),
    seal.seal('aging', null),
    seal.seal('aging', { center: 'shop' }),
    seal.seal('aging', { center: 7, at }),
    seal.seal('aging', { center: 'shop', at: String(at) }),
    createSeal(['another-secret-of-at-least-32-bytes']).seal('aging', { center: 'shop', at }),
  ];
  for (const [index, stranger] of strangers.entries()) {
    test(`of another use, form or secret does not open: ${index}`, () =>
      assert.equal(aging.open(when(at), stranger), undefined));
  }
});

suite('A token of an earlier version', () => {
  const [center, subject] = ['b00c5000-0000-4000-8000-000000000001', 'anna@example.org'];
  const held = { center, subject, path: '/news', fields: [['action', 'save']] };
  const earlier = {
    'fresh link': [freshLinkToken.open, { center, subject, at }],
    'sign-in form': [signInFormToken.open, { center, at }],
    'held post': [heldPostToken.open, held],
    'link maker': [linkMakerToken.open, { id: 'm1', name: 'Mia' }],
  } as const;
  for (const [use, [open, value]] of Object.entries(earlier)) {
    test(`that was sealed as ${use} opens unchanged`, () => {
      assert.deepEqual(open(when(at), seal.seal(use, value)), value);
    });
  }
});
