import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { suite, test } from 'node:test';
import { isRandomSecret, secretRule } from '../../src/config/setting.ts';
import { rollDice, times } from '../chaos/dice.ts';

const dice = rollDice('test/config/setting');
/** Number of secrets in each encoding; one in 10⁶ may be refused. */
const made = times(20_000, 5_000_000);

function bytes(): Buffer {
  return Buffer.from(Array.from({ length: 32 }, () => dice.whole(0, 255)));
}

suite('A secret of 32 random bytes is accepted', () => {
  const encodings = {
    'in base64': (each: Buffer) => each.toString('base64'),
    'in base64 without its end': (each: Buffer) => each.toString('base64').replace('=', ''),
    'in base64url': (each: Buffer) => each.toString('base64url'),
    'in hex': (each: Buffer) => each.toString('hex'),
    'in hex of capitals': (each: Buffer) => each.toString('hex').toUpperCase(),
  };
  for (const [name, encode] of Object.entries(encodings))
    test(name, () => {
      let refused = 0;
      for (let at = 0; at < made; at += 1) refused += isRandomSecret(encode(bytes())) ? 0 : 1;
      assert.ok(refused <= Math.max(1, made / 1_000_000), `${refused} of ${made}`);
    });

  test('the command of the rule makes an accepted secret', () => {
    const [, command = ''] = /`(.+)`/.exec(secretRule) ?? [];
    const [program = '', ...args] = command.split(' ');
    assert.equal(isRandomSecret(execFileSync(program, args, { encoding: 'utf8' }).trim()), true);
  });
});

suite('A secret is refused', () => {
  const text = (value: string, encoding: 'base64' | 'hex') =>
    Buffer.from(value.padEnd(32, value)).subarray(0, 32).toString(encoding);
  const random = 'qzXzm3dKpkYxBHfKWLkMQVvHvO7E5hYIYw6pmwh2Dqk';
  const refused: Readonly<Record<string, string>> = {
    'that is empty': '',
    'of a keyboard’s rows': 'qwertyuiopasdfghjklzxcvbnm123456789',
    'of a keyboard’s rows, as long as base64': 'qwertyuiopasdfghjklzxcvbnmqwertyuiopasdfghj',
    'of digits of pi': '31415926535897932384626433832795028841971',
    'of digits of pi, as long as base64': '3141592653589793238462643383279502884197169',
    'of digits of pi, as long as hex': '3141592653589793238462643383279502884197169399375105820974944592',
    'of a timestamp': '2026-11-23T09:30:00.000Z-2026-11-23T09:30:00',
    'of words': 'correct-horse-battery-staple-2026-production',
    'of capitals': 'CORRECTHORSEBATTERYSTAPLECORRECTHORSEBATTER',
    'of zero bytes in base64': Buffer.alloc(32).toString('base64'),
    'of zero bytes in hex': '0'.repeat(64),
    'of 0xff bytes': Buffer.alloc(32, 255).toString('base64'),
    'of a pattern': Buffer.from('c0ffee99'.repeat(8), 'hex').toString('base64'),
    'of 16 random bytes twice': Buffer.from(random, 'base64').subarray(0, 16).toString('hex').repeat(2),
    'of a text in base64': text('The quick brown fox jumps over the lazy dog', 'base64'),
    'of a text in hex': text('The quick brown fox jumps over the lazy dog', 'hex'),
    'of a hex text in base64': text('f3a91c7b20de4865a1b2c3d4e5f60718', 'base64'),
    'of counted bytes': Buffer.from(Array.from({ length: 32 }, (_, at) => at)).toString('base64'),
    'of 31 bytes': Buffer.from(random, 'base64').subarray(1).toString('base64'),
    'of 33 bytes': Buffer.concat([Buffer.from(random, 'base64'), Buffer.from([200])]).toString('base64'),
    'of 24 bytes': Buffer.from(random, 'base64').subarray(8).toString('base64'),
    'of hex of 16 bytes': Buffer.from(random, 'base64').subarray(16).toString('hex'),
    'with a sign that is not of base64': `${random.slice(0, -1)}!`,
    'of a UUID': '123e4567-e89b-12d3-a456-426614174000',
  };
  for (const [title, secret] of Object.entries(refused))
    test(title, () => assert.equal(isRandomSecret(secret), false));

  test('a random secret of the same kinds is accepted', () => assert.equal(isRandomSecret(random), true));
});
