import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import type { Seal } from '../../src/ports/seal.ts';
import { createSeal } from '../../src/store/seal.ts';
import { openPacked, sealPacked } from '../../src/store/sealed-row.ts';

const old = 'an old secret of at least thirty-two bytes';
const fresh = 'a fresh secret of at least thirty-two bytes';
const before = createSeal([old]);
const during = createSeal([fresh, old]);
const after = createSeal([fresh]);

const text = 'anna@example.org';
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const bytesOf = (token: string) => Buffer.from(token, 'base64url');

interface Kind {
  readonly seal: (by: Seal, use?: string) => string;
  readonly open: (by: Seal, token: string, use?: string) => unknown;
}

const kinds: Readonly<Record<string, Kind>> = {
  'A token': {
    seal: (by, use = 'form') => by.seal(use, text),
    open: (by, token, use = 'form') => by.open(use, token),
  },
  'A short token': {
    seal: (by, use = 'form') => by.sealShort(use, Buffer.from(text)),
    open: (by, token, use = 'form') => by.openShort(use, token)?.toString(),
  },
};

for (const [name, { seal, open }] of Object.entries(kinds))
  suite(name, () => {
    const token = seal(during);

    test('A token is sealed by the first secret, and opens under each secret that is kept', () => {
      const opened = [
        ...[open(during, token), open(after, token), open(during, seal(before))],
        ...[open(before, token), open(after, seal(before))],
      ];
      assert.deepEqual(opened, [text, text, text, undefined, undefined]);
    });

    test('A token fits an address, and does not show what it seals', () => {
      assert.match(token, /^[\w-]+$/);
      assert.ok(!bytesOf(token).toString('latin1').includes('anna'));
    });

    test('A token opens for no other use', () => {
      assert.equal(open(during, seal(during, 'link')), undefined);
      assert.equal(open(during, token, 'link'), undefined);
    });

    test('A token does not open after any bit or character was changed, nor cut, lengthened or made up', () => {
      const bytes = bytesOf(token);
      const forged = ['', 'x', 'é', '/', '\n', ...[42, 43, 200].map((length) => 'A'.repeat(length))];
      for (let bit = 0; bit < bytes.length * 8; bit += 1)
        forged.push(
          Buffer.from(bytes.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))).toString(
            'base64url',
          ),
        );
      for (const [at, was] of [...token].entries())
        for (const character of ['A', 'B', '_', '=', ' ', '.'].filter((each) => each !== was))
          forged.push(token.slice(0, at) + character + token.slice(at + 1));
      // Bytes have one spelling: the last character has bits that say nothing.
      for (const last of alphabet) if (!token.endsWith(last)) forged.push(token.slice(0, -1) + last);
      for (let length = 0; length < bytes.length; length += 1)
        forged.push(bytes.subarray(0, length).toString('base64url'));
      const longer = Buffer.concat([bytes, Buffer.alloc(1)]).toString('base64url');
      for (const each of [...forged, longer, `${token}A`, `${token}=`, token.slice(0, -1)])
        assert.equal(open(during, each), undefined, each);
    });
  });

suite('The seal', () => {
  test('The seal opens what it sealed, whatever it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        assert.deepEqual(after.open('form', after.seal('form', value)), JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test('The seal opens what it packed, with GUIDs or without, in its row alone, and a GUID takes its bytes', () => {
    const where = { purpose: 'asked', row: 'one' };
    const value = fc.oneof(
      fc.jsonValue(),
      fc.array(fc.uuid(), { maxLength: 300 }),
      fc.dictionary(fc.uuid(), fc.string()),
    );
    fc.assert(
      fc.property(value, (each) => {
        const packed = sealPacked(after, where, each);
        assert.deepEqual(openPacked(after, where, packed), JSON.parse(JSON.stringify(each)));
        assert.equal(openPacked(after, { ...where, row: 'other' }, packed), undefined);
      }),
    );
    const guids = ['0b438c8a-bb4d-4a92-8e88-702cceb04720', '26F53610-AAA5-4890-AF76-1221518021A6'];
    const [small = 0, large = 0] = guids.map((guid) => sealPacked(after, where, [guid]).length);
    assert.ok(small < large - 10, `${small}, ${large}`);
    const mixed = [...guids, '\u0001'];
    assert.deepEqual(openPacked(after, where, sealPacked(after, where, mixed)), mixed);
  });

  test('The seal never gives the same token twice, but for a short token, 12 bytes longer than its content', () => {
    assert.notEqual(after.seal('form', text), after.seal('form', text));
    const short = (use: string) => after.sealShort(use, Buffer.from(text));
    assert.equal(short('form'), short('form'));
    assert.notEqual(short('form'), short('link'));
    assert.equal(bytesOf(short('form')).length, text.length + 12);
    assert.equal(after.openBytes('form', short('form')), undefined);
  });

  test('The seal gives the same hash for the same text, use and key, and for nothing else', () => {
    assert.equal(before.hash('subject', 'anna'), createSeal([old]).hash('subject', 'anna'));
    const [one, two] = [before, after].map((each) => each.hash('subject', 'anna'));
    const others = [before.hash('subject', 'ben'), before.hash('other', 'anna')];
    assert.equal(new Set([one, two, ...others]).size, 4);
    assert.deepEqual(during.hashes('subject', 'anna'), [two, one]);
  });

  test('A seal needs a secret', () => {
    assert.throws(() => createSeal([]));
  });
});
