import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { isPublicAddress, isReceiverAddress } from '../../src/webhooks/address.ts';

suite('an address of the public internet', () => {
  for (const address of ['1.1.1.1', '93.184.215.14', '2606:4700:4700::1111', '::ffff:8.8.8.8', '172.32.0.1'])
    test(`is ${address}`, () => assert.equal(isPublicAddress(address), true));

  for (const address of [
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.8.9.10',
    '168.63.129.16',
    '::ffff:168.63.129.16',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '::ffff:a9fe:a9fe',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    'nothing',
    '',
  ])
    test(`is not ${address || 'nothing'}`, () => assert.equal(isPublicAddress(address), false));
});

suite('an address of a receiver within private networks', () => {
  for (const address of [
    '1.1.1.1',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '::ffff:10.0.0.1',
    '::1',
    'fd12:3456::1',
    '2606:4700:4700::1111',
  ])
    test(`may be ${address}`, () => assert.equal(isReceiverAddress(address), true));

  for (const address of [
    '0.0.0.0',
    '0.1.2.3',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    '::ffff:100.100.100.200',
    '::ffff:0:a9fe:a9fe',
    'fd20:ce::254',
    '169.254.169.254',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '::ffff:0.0.0.0',
    '::169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'ff02::1',
    'nothing',
    '',
  ])
    test(`is never ${address || 'nothing'}`, () => assert.equal(isReceiverAddress(address), false));
});
