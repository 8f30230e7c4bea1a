import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { suite, test } from 'node:test';
import {
  isOver,
  oneClickIntent,
  oneClickLife,
  type SealedOneClick,
} from '../../../src/core/consent/one-click.ts';
import { readSubjectId } from '../../../src/core/model/subject.ts';
import { openOneClick, sealOneClick } from '../../../src/features/unsubscribe/token.ts';
import { createSeal } from '../../../src/store/seal.ts';

const subject = readSubjectId('anna@example.org');
assert.ok(subject);
const everything: SealedOneClick = { center: 'c', subject, purpose: undefined, madeAt: 1_000 };
const news: SealedOneClick = { ...everything, purpose: 'news' };
const seal = createSeal(['a-secret-of-at-least-thirty-two-bytes-1']);

suite('A one-click token', () => {
  test('opens as what was sealed.', () => {
    for (const oneClick of [everything, news])
      assert.deepEqual(openOneClick(seal, sealOneClick(seal, oneClick)), oneClick);
  });

  test('of a mail that lies there for long opens as it was sealed, though nobody is named so any more.', () => {
    const token = seal.seal('one-click', { c: 'c', s: 'anna\u200b', t: 1_000 });
    assert.equal(openOneClick(seal, token)?.subject, 'anna\u200b');
  });

  test('opens under a rotated secret, and not without the old one.', () => {
    const token = sealOneClick(seal, news);
    const fresh = 'another-secret-of-at-least-32-bytes--2';
    assert.deepEqual(
      openOneClick(createSeal([fresh, 'a-secret-of-at-least-thirty-two-bytes-1']), token),
      news,
    );
    assert.equal(openOneClick(createSeal([fresh]), token), undefined);
  });

  test('is not a token sealed for another use, and no other use is one.', () => {
    const value = { c: 'c', s: subject, t: 1 };
    for (const use of ['action', 'preferences', 'embed visit', 'fresh link', 'one-clic']) {
      assert.equal(openOneClick(seal, seal.seal(use, value)), undefined);
    }
    assert.equal(seal.open('action', sealOneClick(seal, news)), undefined);
  });

  test('lives three years, which is more than one.', () => {
    assert.ok(oneClickLife >= 365 * 24 * 3_600_000);
    assert.equal(isOver(news, news.madeAt + oneClickLife), false);
    assert.equal(isOver(news, news.madeAt + oneClickLife + 1), true);
  });

  const count = process.env['SAYSO_LONG'] ? 100_000 : 10_000;
  test(`is refused after any change: ${count} mutations, none accepted.`, () => {
    const token = sealOneClick(seal, news);
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/. %';
    let tried = 0;
    while (tried < count) {
      const mutated = mutate(token, alphabet);
      if (mutated === token) continue;
      tried += 1;
      assert.equal(openOneClick(seal, mutated), undefined, mutated);
    }
  });
});

function mutate(token: string, alphabet: string): string {
  const at = randomInt(token.length);
  const letter = alphabet[randomInt(alphabet.length)] ?? '';
  const to = at + randomInt(1, 9);
  switch (randomInt(6)) {
    case 0:
      return token.slice(0, at) + letter + token.slice(at + 1);
    case 1:
      return token.slice(0, at) + token.slice(to);
    case 2:
      return token.slice(0, at) + letter + token.slice(at);
    case 3:
      return token.slice(at) + token.slice(0, at);
    case 4:
      return token.slice(0, at) + [...token.slice(at, to)].reverse().join('') + token.slice(to);
    default:
      return flipBit(token, at);
  }
}

function flipBit(token: string, at: number): string {
  const bytes = Buffer.from(token, 'base64url');
  const index = at % bytes.length;
  bytes[index] = (bytes[index] ?? 0) ^ (1 << randomInt(8));
  return bytes.toString('base64url');
}

test('A one-click withdraws the purpose, or everything.', () => {
  assert.equal(oneClickIntent(everything).everything, 'withdraw');
  assert.deepEqual(oneClickIntent(news).purposes, [{ kind: 'off', purpose: 'news' }]);
});
