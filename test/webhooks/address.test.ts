import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { isPublicAddress, isReceiverAddress } from '../../src/webhooks/address.ts';

/** Addresses of the public internet, of private networks (allowed by a setting), and those never allowed. */
const kinds = {
  public: '1.1.1.1 93.184.215.14 2606:4700:4700::1111 ::ffff:8.8.8.8 172.32.0.1'.split(' '),
  private: [
    ...['10.1.2.3', '100.64.0.1', '127.0.0.1', '127.8.9.10', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
    ...['::ffff:10.0.0.1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::1', 'fc00::1', 'fd12:3456::1'],
    // Reserved addresses, neither link-local nor of a metadata service.
    ...['192.0.0.8', '198.18.0.1', '100::1', '2001:db8::1', 'fec0::1'],
  ],
  never: [
    ...['0.0.0.0', '0.1.2.3', '100.100.100.200', '168.63.129.16', '169.254.169.254'],
    ...['192.0.0.192', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
    ...['::', '::127.0.0.1', '::169.254.169.254', '::ffff:0.0.0.0', '::ffff:0:a9fe:a9fe'],
    ...['::ffff:168.63.129.16', '::ffff:169.254.169.254', '::ffff:a9fe:a9fe', '::ffff:100.100.100.200'],
    ...['64:ff9b::7f00:1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::1', '2001::1'],
    ...['2002:7f00:1::1', '2002:a9fe:a9fe::1', 'fd00:ec2::254', 'fd20:ce::254'],
    ...['fe80::1', 'fe80::1%eth0', 'ff02::1', 'nothing', ''],
  ],
};

suite('An address of a receiver', () => {
  for (const [kind, addresses] of Object.entries(kinds))
    for (const address of addresses)
      test(`${address || 'an empty address'} is ${kind}`, () => {
        assert.equal(isPublicAddress(address), kind === 'public');
        assert.equal(isReceiverAddress(address), kind !== 'never');
      });
});
