import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { SignJWT } from 'jose';
import { makeAuthority } from '../kit/authority.ts';
import { postgres } from '../kit/postgres.ts';
import { type ProductProcess, startProcess, startProduct } from '../kit/product.ts';
import { until } from '../kit/until.ts';
import { receiverSecret, startReceiver } from '../webhooks/receiver.ts';
import { type Dice, rollDice, times } from './dice.ts';
import { nodesOf } from './nodes.ts';
import { books } from './rig.ts';

const linkSecret = '0HOdeR5ktL2QYJq1MgTpKsYzBgzRDrVZT0Q20dot4ws';
const apiKey = 'sayso-key-of-newsletter-0123456789abcdef';
const purposes = [1, 2, 9].map((number) => `${books.slice(0, 14)}4001-8000-00000000000${number}`);
const people = Array.from({ length: times(4, 24) }, (_, index) => `events.${index}@example.org`);

interface Line {
  readonly cursor: number;
  readonly data: { readonly id: string; readonly identifier: string };
}

suite('Two nodes on one database that call one receiver', { skip: postgres.skip }, () => {
  test('tell it of each event, of each person in their order, though one is killed while it calls.', async (t) => {
    const dice = rollDice('kill -9 of a node that calls');
    const database = await postgres.database();
    t.after(() => database.end());
    const { files, receiver } = await startTold(t, dice);
    const doomed = dice.whole(0, 1);
    let killed: ProductProcess | undefined;
    await using rig = await nodesOf(
      {
        databases: [database.url, database.url],
        env: {
          CENTERS_FILE: files.centers,
          NODE_EXTRA_CA_CERTS: files.authority,
          EVENTS_TO_PRIVATE_NETWORKS: 'on',
          DATABASE_TIMEOUT_SECONDS: '5',
        },
      },
      async (options, index) => {
        if (index !== doomed) return startProduct(options);
        killed = await startProcess(options);
        return killed;
      },
    );
    const { nodes, front } = rig;
    const left = nodes[1 - doomed];
    /** As a mailbox provider does, whichever node it meets; again where that is just being killed. */
    const post = async (sub: string, purpose: string | undefined) => {
      const address = `${front.url}/u/${await sign(sub, purpose)}`;
      for (let tries = 0; ; tries += 1) {
        const answer = await fetch(address, { method: 'POST' }).catch(() => undefined);
        await answer?.body?.cancel();
        if (answer?.status === 200) return;
        assert.ok(tries < 100, `${answer?.status}`);
        await pause(100);
      }
    };
    let leaving = Promise.all(
      people.map(async (sub) => {
        for (const purpose of [...purposes, undefined]) {
          await pause(dice.whole(0, 300));
          await post(sub, purpose);
        }
      }),
    );
    assert.ok(killed !== undefined && left !== undefined);
    // While it has sent something and has no answer yet, by what its own socket says.
    await until(() => receiver.heard.length >= 10);
    await killed.kill9();
    const heardThen = receiver.heard.length;
    await leaving;
    await killed.start();
    leaving = Promise.all(people.slice(0, 8).map((sub) => post(sub, undefined)));
    await leaving;

    const read = async (): Promise<readonly Line[]> => {
      const answer = await fetch(`${left.url}/api/events?limit=1000`, {
        headers: { authorization: `Bearer ${apiKey}` },
      });
      const text = await answer.text();
      assert.equal(answer.status, 200, text);
      return text.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line)));
    };
    // Heard here before it is read there.
    await until(() => new Set(receiver.taken.map(({ id }) => id)).size >= people.length * 8);
    const lines = await until(async () => {
      const all = await read();
      const taken = new Set(receiver.taken.map(({ id }) => id));
      return all.length >= people.length * 8 && all.every(({ data }) => taken.has(data.id)) && all;
    });
    t.diagnostic(`${lines.length} events, ${receiver.heard.length} calls, ${heardThen} before the kill`);
    assert.deepEqual(
      lines.map(({ cursor }) => cursor),
      lines.map((_, index) => index + 1),
    );
    assert.equal(new Set(lines.map(({ data }) => data.id)).size, lines.length, 'each is written once');
    for (const sub of people) {
      const order = lines.flatMap(({ data }) => (data.identifier === sub ? data.id : []));
      // What was written since is not in the list.
      const places = receiver.heard.map(({ id }) => order.indexOf(id)).filter((place) => place >= 0);
      // One may come again, and never behind a later one.
      assert.deepEqual(
        places,
        places.toSorted((one, other) => one - other),
        `${sub}: ${places}`,
      );
      assert.deepEqual(
        [...new Set(places)],
        order.map((_, index) => index),
      );
    }
  });
});

/** What the nodes are told, and whom they call: over https, at times slow or failing. */
async function startTold(t: TestContext, dice: Dice) {
  const authority = makeAuthority();
  // Of the node in this process; the setting is for the other one.
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, readFileSync(authority.file, 'utf8')]);
  const folder = mkdtempSync(join(tmpdir(), 'sayso-told-'));
  t.after(() => {
    setDefaultCACertificates(trusted);
    authority.close();
    rmSync(folder, { recursive: true });
  });
  const receiver = await startReceiver(
    t,
    (response) => {
      const status = dice.whole(0, 19) === 0 ? 503 : 204;
      setTimeout(() => response.writeHead(status).end(), dice.whole(0, 150));
    },
    authority.issue(['localhost']),
  );
  const files = {
    authority: authority.file,
    secret: join(folder, 'secret'),
    centers: join(folder, 'centers.json'),
  };
  writeFileSync(files.secret, `whsec_${receiverSecret}\n`);
  const center = {
    ...{ address: 'shop', center: books },
    linkKeys: [{ issuer: 'https://shop.example', secret: linkSecret }],
    events: [{ url: receiver.url, secretFile: files.secret }],
    apiKeys: [
      {
        name: 'all',
        label: 'all',
        sha256: createHash('sha256').update(apiKey).digest('hex'),
        scopes: ['events'],
      },
    ],
  };
  writeFileSync(files.centers, JSON.stringify([center]));
  return { files, receiver };
}

function sign(sub: string, purpose: string | undefined): Promise<string> {
  return new SignJWT({ scope: 'one-click', ...(purpose === undefined ? {} : { purpose }) })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer('https://shop.example')
    .setAudience('shop')
    .setSubject(sub)
    .setExpirationTime('1y')
    .sign(new TextEncoder().encode(linkSecret));
}
