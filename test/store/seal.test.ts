import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { createSeal } from '../../src/store/seal.ts';
import { openPacked, sealPacked } from '../../src/store/sealed-row.ts';

const old = 'an old secret of at least thirty-two bytes';
const fresh = 'a fresh secret of at least thirty-two bytes';

suite('the seal', () => {
  const seal = createSeal([fresh]);

  test('opens what it sealed, whatever it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        assert.deepEqual(seal.open('form', seal.seal('form', value)), JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test('opens what it packed, GUIDs or not, in its row alone, and a GUID takes its bytes', () => {
    const where = { purpose: 'asked', row: 'one' };
    const value = fc.oneof(
      fc.jsonValue(),
      fc.array(fc.uuid(), { maxLength: 300 }),
      fc.dictionary(fc.uuid(), fc.string()),
    );
    fc.assert(
      fc.property(value, (each) => {
        const packed = sealPacked(seal, where, each);
        assert.deepEqual(openPacked(seal, where, packed), JSON.parse(JSON.stringify(each)));
        assert.equal(openPacked(seal, { ...where, row: 'other' }, packed), undefined);
      }),
    );
    const guids = ['0b438c8a-bb4d-4a92-8e88-702cceb04720', '26F53610-AAA5-4890-AF76-1221518021A6'];
    const [small = 0, large = 0] = guids.map((guid) => sealPacked(seal, where, [guid]).length);
    assert.ok(small < large - 10, `${small}, ${large}`);
    const mixed = [...guids, '\u0001'];
    assert.deepEqual(openPacked(seal, where, sealPacked(seal, where, mixed)), mixed);
  });

  test('makes tokens that fit an address and never say the same twice', () => {
    const [one, other] = [seal.seal('form', 'anna@example.org'), seal.seal('form', 'anna@example.org')];
    assert.match(one, /^[\w-]+$/);
    assert.notEqual(one, other);
    assert.ok(!Buffer.from(one, 'base64url').toString('latin1').includes('anna'));
  });

  test('opens nothing that was made for another use', () => {
    assert.equal(seal.open('link', seal.seal('form', 1)), undefined);
  });

  test('opens nothing in which a single character was changed', () => {
    const token = seal.seal('form', { who: 'anna' });
    for (let index = 0; index < token.length; index += 1) {
      for (const character of ['A', 'B', '_', '=', ' ', '.']) {
        if (token[index] === character) continue;
        const forged = token.slice(0, index) + character + token.slice(index + 1);
        assert.equal(seal.open('form', forged), undefined, forged);
      }
    }
  });

  test('opens nothing that was cut, lengthened or made up', () => {
    const token = seal.seal('form', 'a value');
    const made = ['', 'x', 'é', '/', 'A'.repeat(42), 'A'.repeat(43), 'A'.repeat(200), '\n'];
    for (const other of [token.slice(0, -1), `${token}A`, ...made])
      assert.equal(seal.open('form', other), undefined, other);
  });
});

suite('A short token', () => {
  const seal = createSeal([fresh, old]);
  const bytes = Buffer.from('anna@example.org');

  test('opens as the bytes that were sealed, under every secret in use', () => {
    assert.deepEqual(seal.openShort('form', seal.sealShort('form', bytes)), bytes);
    assert.deepEqual(seal.openShort('form', createSeal([old]).sealShort('form', bytes)), bytes);
    assert.equal(createSeal([old]).openShort('form', seal.sealShort('form', bytes)), undefined);
  });

  test('is 12 bytes longer than what it seals, and does not show it', () => {
    const token = Buffer.from(seal.sealShort('form', bytes), 'base64url');
    assert.equal(token.length, bytes.length + 12);
    assert.ok(!token.includes('anna'));
  });

  test('is another one for another use, which does not open it', () => {
    const token = seal.sealShort('form', bytes);
    assert.notEqual(seal.sealShort('link', bytes), token);
    assert.equal(seal.openShort('link', token), undefined);
    assert.equal(seal.openBytes('form', token), undefined);
  });

  test('does not open after any bit of it was changed, nor cut or lengthened', () => {
    const token = Buffer.from(seal.sealShort('form', bytes), 'base64url');
    for (let bit = 0; bit < token.length * 8; bit += 1) {
      const forged = Buffer.from(token);
      forged[bit >> 3] = (forged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      assert.equal(seal.openShort('form', forged.toString('base64url')), undefined);
    }
    for (let length = 0; length < token.length; length += 1)
      assert.equal(seal.openShort('form', token.subarray(0, length).toString('base64url')), undefined);
    const longer = Buffer.concat([token, Buffer.alloc(1)]).toString('base64url');
    assert.equal(seal.openShort('form', longer), undefined);
    assert.equal(seal.openShort('form', `${token.toString('base64url')}=`), undefined);
  });
});

suite('rotation', () => {
  const before = createSeal([old]);
  const during = createSeal([fresh, old]);
  const after = createSeal([fresh]);

  test('the first secret seals, every one opens, and one that is gone opens nothing', () => {
    assert.equal(during.open('form', before.seal('form', 1)), 1);
    assert.equal(after.open('form', during.seal('form', 1)), 1);
    assert.equal(before.open('form', during.seal('form', 1)), undefined);
    assert.equal(after.open('form', before.seal('form', 1)), undefined);
  });

  test('hashes are the same for the same text, use and key, and for nothing else', () => {
    assert.equal(before.hash('subject', 'anna'), createSeal([old]).hash('subject', 'anna'));
    const [one, two] = [before, after].map((each) => each.hash('subject', 'anna'));
    const others = [before.hash('subject', 'ben'), before.hash('other', 'anna')];
    assert.equal(new Set([one, two, ...others]).size, 4);
    assert.deepEqual(during.hashes('subject', 'anna'), [two, one]);
  });

  test('without a secret there is no seal', () => {
    assert.throws(() => createSeal([]));
  });
});
