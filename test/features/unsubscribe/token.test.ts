import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import type { SealedOneClick } from '../../../src/core/consent/one-click.ts';
import { readSubjectId, sealedSubjectId } from '../../../src/core/model/person/subject.ts';
import { openOneClick, sealOneClick } from '../../../src/features/unsubscribe/token.ts';
import { createSeal } from '../../../src/store/seal.ts';
import { books as center } from '../../kit/sandbox-ids.ts';

const subject = readSubjectId('anna@example.org');
assert.ok(subject);
const day = 24 * 3_600_000;
const someDay = Date.UTC(2026, 10, 23);
const everything: SealedOneClick = { center, subject, purpose: undefined, madeAt: someDay };
const news: SealedOneClick = { ...everything, purpose: 'b00c5000-0000-4001-8000-000000000001' };
const seal = createSeal(['a-secret-of-at-least-thirty-two-bytes-1']);

suite('A one-click token', () => {
  test('a token restores its content for every identifier', () => {
    const letters = fc.constantFrom(...'ab019.@-_+');
    const names = fc.oneof(
      fc.string({ unit: letters, minLength: 1, maxLength: 512 }),
      fc.string({ unit: 'grapheme' }),
    );
    fc.assert(
      fc.property(names, fc.uuid(), fc.option(fc.uuid(), { nil: undefined }), (name, center, purpose) => {
        const subject = readSubjectId(name);
        fc.pre(subject !== undefined);
        const oneClick = { center, subject, purpose, madeAt: someDay };
        assert.deepEqual(openOneClick(seal, sealOneClick(seal, oneClick)), oneClick);
      }),
    );
  });

  test('the age of a token counts from the start of its day', () => {
    const late = sealOneClick(seal, { ...news, madeAt: someDay + day - 1 });
    assert.equal(late, sealOneClick(seal, news));
    assert.equal(
      openOneClick(seal, sealOneClick(seal, { ...news, madeAt: someDay + day }))?.madeAt,
      someDay + day,
    );
    for (const madeAt of [0, Date.UTC(2080, 0, 1)])
      assert.throws(() => sealOneClick(seal, { ...news, madeAt }), /clock/);
  });

  test('a token of an old mail opens although its identifier is no longer accepted', () => {
    const named = sealedSubjectId('anna\u200b');
    assert.ok(named);
    assert.equal(openOneClick(seal, sealOneClick(seal, { ...news, subject: named }))?.subject, named);
  });

  test('a token of the version before opens', () => {
    const outside = readSubjectId('Anna Ö');
    assert.ok(outside);
    const known: Readonly<Record<string, SealedOneClick>> = {
      '40hiRuVbTVnKjp5ZCTIfpg8Xxa5zZCgwVNgaxYDRcGBR0lsFWtmzBu0': everything,
      'KU-6b-QyJ0URvHfkeqoDjx2y75f8rZCevaDWp6cdCLASxl4TsjEE-egXiKXHx1sq2KVu_GmEM6jU': news,
      'DAH-zUc4aF-WIRJfqtwRgA2PTA2VW8d12xPXHKAzCSNs0gVURQ': { ...everything, subject: outside },
    };
    for (const [token, oneClick] of Object.entries(known))
      assert.deepEqual(openOneClick(seal, token), oneClick);
  });

  const address = (oneClick: SealedOneClick) =>
    `https://preferences.example.org/u/${sealOneClick(seal, oneClick)}`;

  test('an address has at most 120 characters, for a purpose too', () => {
    const named = readSubjectId('anne-marie.may@example.org');
    assert.ok(named);
    assert.equal(address(everything).length, 89);
    assert.equal(address(news).length, 110);
    assert.ok(address({ ...news, subject: named }).length <= 120);
  });
});
