import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { isWeak } from '../../src/config/secrets.ts';
import en from '../../src/i18n/messages/en.json' with { type: 'json' };
import { rollDice, times } from '../chaos/dice.ts';

const dice = rollDice('test/config/secrets');
/** Secrets of each kind; one in 10⁶ may be refused. */
const made = times(20_000, 5_000_000);

function text(letters: string, length: number): string {
  let made = '';
  while (made.length < length) made += letters[dice.whole(0, letters.length - 1)];
  return made;
}

function uuid(): string {
  return [8, 4, 4, 4, 12].map((length) => text('0123456789abcdef', length)).join('-');
}

const digits = '0123456789';
const small = 'abcdefghijklmnopqrstuvwxyz';
const capitals = small.toUpperCase();
const base32 = `${capitals}234567`;
const kinds: readonly (readonly [name: string, make: () => string])[] = [
  ['base32 of 20 bytes', () => text(base32, 32)],
  ['base32 of 32 bytes', () => `${text(base32, 52)}====`],
  ['base32 in small letters', () => text(base32.toLowerCase(), 32)],
  ['hex of 16 bytes', () => text(`${digits}abcdef`, 32)],
  ['base64 of 24 bytes', () => text(`${small}${capitals}${digits}+/`, 32)],
  ['a UUID', uuid],
  ['base64url of 32 bytes', () => text(`${small}${capitals}${digits}-_`, 43)],
];

suite('A secret that was made by chance is not called weak:', () => {
  for (const [name, make] of kinds) {
    test(`${name}.`, () => {
      let weak = 0;
      for (let at = 0; at < made; at += 1) weak += isWeak(make()) ? 1 : 0;
      assert.ok(weak <= Math.max(1, made / 1_000_000), `${weak} of ${made}`);
    });
  }

  test('base32 that happens to have no digits among its letters.', () => {
    let weak = 0;
    // One in eighty of 32 characters is so.
    const rare = made / 20;
    for (let at = 0; at < rare; at += 1) weak += isWeak(text(capitals, 28) + text('234567', 4)) ? 1 : 0;
    assert.ok(weak <= 3 + rare / 10_000, `${weak} of ${rare}`);
  });
});

suite('A secret that can be guessed is called weak:', () => {
  const guessed = [
    'correcthorsebatterystaplecorrecthorse',
    'whereisthecatthatateallofthefishes',
    'CORRECTHORSEBATTERYSTAPLEANDANOTHER',
    'letmeinletmeinpleaseopenthedoor2026',
    'unserwunderbaresgeheimespasswort2026',
    'correct-horse-battery-staple-2026-prod',
    'This-Is-My-Very-Secret-Password-2026!',
    'CorrectHorseBatteryStapleAndAnother1',
    'sayso production secret do not share it',
    'qwertyuiopasdfghjklzxcvbnmqwerty1234',
    'poiuytrewqlkjhgfdsamnbvcxzpoiuytrewq',
    'passwordpasswordpasswordpassword',
    'abcdefghijklmnopqrstuvwxyzabcdef',
    'aaaabbbbccccddddeeeeffffgggghhhh',
    '12345678901234567890123456789012',
    'xvqzkxvqzkxvqzkxvqzkxvqzkxvqzkxvqzk',
    'xqzk-vjwq-xkzv-qjxw-zkvq-wjxk-qzvx',
  ];
  for (const secret of guessed) test(`${secret}.`, () => assert.equal(isWeak(secret), true));

  test('nearly every 32 letters of our own English texts.', () => {
    const letters = JSON.stringify(en)
      .replaceAll(/"[^"]*":|\{[^}]*\}|[^a-z]/gi, '')
      .toLowerCase();
    const slices = Array.from({ length: Math.floor((letters.length - 32) / 7) }, (_, at) =>
      letters.slice(at * 7, at * 7 + 32),
    );
    const weak = slices.filter(isWeak).length;
    assert.ok(weak >= slices.length * 0.97, `${weak} of ${slices.length}`);
  });
});
