import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { networkOf } from '../../src/web/client-network.ts';

suite('The network of a client', () => {
  const cases: readonly (readonly [ip: string, network: string])[] = [
    ['203.0.113.77', '203.0.113.0/24'],
    ['::ffff:203.0.113.77', '203.0.113.0/24'],
    ['0:0:0:0:0:ffff:203.0.113.77', '203.0.113.0/24'],
    ['64:FF9B::cb00:714d', '203.0.113.0/24'],
    ['64:ff9b:1::cb00:714d', '64:ff9b:1::/48'],
    ['::1', '0:0:0::/48'],
    ['2001:DB8::7', '2001:db8:0::/48'],
    ['1::2:3:4:5:6:7', '1:0:2::/48'],
    ['2001:0db8:0007:ffff:1:2:3:4', '2001:db8:7::/48'],
    ['', 'unknown'],
  ];
  for (const [ip, network] of cases) {
    test(`of ${JSON.stringify(ip)} is ${network}.`, () => assert.equal(networkOf({ ip }), network));
  }

  test('says nothing of the last 8 bits of IPv4 and the last 80 of IPv6.', () => {
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
