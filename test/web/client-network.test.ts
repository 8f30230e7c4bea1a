import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { networkOf, networksOf } from '../../src/web/client-network.ts';

suite('A client', () => {
  const six = (a: string, b: string, c: string) => [`${a}::/64 1`, `${b}::/56 2`, `${c}::/48 4`];
  const four = ['203.0.113.7 1', '203.0.113.0/24 4'];
  const cases: Readonly<Record<string, readonly string[]>> = {
    '203.0.113.7': four,
    '::ffff:203.0.113.7': four,
    '::FFFF:cb00:7107': four,
    '0:0:0:0:0:ffff:cb00:7107': four,
    '0:0:0:0:0:ffff:203.0.113.7': four,
    '64:FF9B::cb00:7107': four,
    '64:ff9b:1::cb00:714d': six('64:ff9b:1:0', '64:ff9b:1:0', '64:ff9b:1'),
    '2001:db8:1:2ff:3:4:5:6': six('2001:db8:1:2ff', '2001:db8:1:200', '2001:db8:1'),
    '2001:0DB8:0001:02ab::6': six('2001:db8:1:2ab', '2001:db8:1:200', '2001:db8:1'),
    '2001:db8::6': six('2001:db8:0:0', '2001:db8:0:0', '2001:db8:0'),
    '1::2:3:4:5:6:7': six('1:0:2:3', '1:0:2:0', '1:0:2'),
    'fe80::1%eth0': six('fe80:0:0:0', 'fe80:0:0:0', 'fe80:0:0'),
    '::1': six('0:0:0:0', '0:0:0:0', '0:0:0'),
    '203.0.113.7:50123': four,
    '[2001:db8:1:2ff::6]:443': six('2001:db8:1:2ff', '2001:db8:1:200', '2001:db8:1'),
    '[2001:db8:1:2ff::6]': six('2001:db8:1:2ff', '2001:db8:1:200', '2001:db8:1'),
    '[::ffff:203.0.113.7]:443': four,
    '': ['unknown 1'],
  };
  for (const [ip, networks] of Object.entries(cases))
    test(`with the address ${JSON.stringify(ip)} is counted in its networks, and named by the widest`, () => {
      assert.deepEqual(
        networksOf(ip).map(({ key, times }) => `${key} ${times}`),
        networks,
      );
      assert.equal(networkOf({ ip }), networks.at(-1)?.split(' ')[0]);
    });

  test('is named without the last 8 bits of IPv4 and the last 80 of IPv6', () => {
    const group = fc.integer({ min: 0, max: 0xffff }).map((number) => number.toString(16));
    fc.assert(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), fc.nat(255), (groups, last) => {
        const others = [...groups.slice(0, 3), '1', '2', '3', '4', '5'].join(':');
        assert.equal(networkOf({ ip: groups.join(':') }), networkOf({ ip: others }));
        assert.equal(networkOf({ ip: `198.51.100.${last}` }), '198.51.100.0/24');
      }),
    );
  });
});
