import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { type Authority, makeAuthority } from '../../kit/authority.ts';
import { fastTime } from '../../kit/fast-time.ts';
import { oneClick } from '../../kit/one-click.ts';
import { type Product, startProcess } from '../../kit/product.ts';
import { books } from '../../kit/sandbox-ids.ts';
import { until } from '../../kit/until.ts';
import {
  type Heard,
  receiverSecret,
  startReceiver,
  type TestReceiver,
  takes,
} from '../../webhooks/receiver.ts';

const root = join(import.meta.dirname, '../../..');
/** Starts the product like `npm start`, under the permission model of Node. */
const launcher = ['sh', '-c', `exec "$0" ${join(root, 'scripts', 'start.mjs')}`];

let authority: Authority;
let stranger: Authority;
let receivers: Readonly<Record<'good' | 'untrusted' | 'otherName' | 'over', TestReceiver>>;

before(async () => {
  authority = makeAuthority();
  stranger = makeAuthority();
  receivers = {
    good: await startReceiver(undefined, takes, authority.issue(['localhost'])),
    untrusted: await startReceiver(undefined, takes, stranger.issue(['localhost'])),
    otherName: await startReceiver(undefined, takes, authority.issue(['crm.example.org'])),
    over: await startReceiver(undefined, takes, authority.issueOver(['localhost'])),
  };
});
after(async () => {
  for (const receiver of Object.values(receivers ?? {})) await receiver.close();
  authority.close();
  stranger.close();
});

async function outcomes(product: Product): Promise<Readonly<Record<string, number>>> {
  const text = await (await fetch(product.metricsUrl)).text();
  const found = text.matchAll(/^sayso_event_call_seconds_count\{[^}]*outcome="([\w-]+)"\} (\d+)$/gm);
  return Object.fromEntries([...found].map(([, outcome = '', count]) => [outcome, Number(count)]));
}

/** Checks the signature with the command of OpenSSL, which shares no code with the signer. */
function isSigned({ headers, text, id }: Heard): boolean {
  const key = Buffer.from(receiverSecret, 'base64').toString('hex');
  const expected = execFileSync(
    'openssl',
    ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `hexkey:${key}`, '-binary'],
    {
      input: `${id}.${headers['webhook-timestamp']}.${text}`,
    },
  );
  return headers['webhook-signature'] === `v1,${expected.toString('base64')}`;
}

suite('Receivers of events over https', () => {
  test('a receiver is called only if its certificate comes from a trusted authority', async () => {
    const env = { ...fastTime, NODE_EXTRA_CA_CERTS: authority.file };
    const events = Object.values(receivers).map(({ url }) => ({ url, secretFile: '{home}/secret' }));
    const centers = [{ address: 'books', center: books, events }];
    const files = { secret: `whsec_${receiverSecret}\n` };
    await using product = await startProcess({ launcher, env, centers, files });
    await oneClick(product, 'over.https@example.org');
    const { good, ...others } = receivers;
    const taken = await until(() => good.taken.length >= 2 && good.taken);
    assert.deepEqual(
      taken.map(({ body }) => body.type),
      ['withdrawal.accepted', 'consent.verified'],
    );
    for (const heard of taken) assert.ok(isSigned(heard));
    const { 'certificate-refused': refused = 0, ...found } = await until(async () => {
      const counted = await outcomes(product);
      return (counted['certificate-refused'] ?? 0) >= 3 && counted;
    });
    assert.deepEqual([Object.keys(found), found['ok']], [['ok'], good.taken.length], `${refused} refused`);
    for (const [which, receiver] of Object.entries(others)) {
      assert.ok(receiver.connections > 0, `${which} was called`);
      assert.equal(receiver.heard.length, 0, `${which} received nothing`);
    }
  });
});
