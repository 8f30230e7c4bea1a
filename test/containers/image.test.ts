import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import {
  books,
  click,
  makeKnown,
  onRecord,
  openForm,
  type Platform,
  send,
  someone,
  startPlatform,
  within,
} from '../chaos/rig.ts';
import { postgres } from '../kit/postgres.ts';
import { freePorts, manyCalls } from '../kit/product.ts';
import { mountSmallDisk, type SmallDisk } from '../kit/small-disk.ts';
import { type Container, runContainer } from './container.ts';
import { type Builder, createBuilder, type Image, skip } from './image.ts';
import { playPod } from './pod.ts';

suite('The image', { skip, concurrency: false }, () => {
  let builder: Builder;
  let image: Image;
  let platform: Platform;
  let disk: SmallDisk;
  let env: Readonly<Record<string, string>>;
  let container: Container;

  before(async () => {
    builder = createBuilder();
    image = builder.build();
    platform = await startPlatform();
    disk = mountSmallDisk({ megabytes: 16, owner: 1000 });
    const [port = 0] = await freePorts(1);
    env = {
      PORT: String(port),
      HOST: '127.0.0.1',
      PUBLIC_URL: `http://localhost:${port}`,
      PLATFORM_URL: `http://127.0.0.1:${platform.port}`,
      PLATFORM_CLIENT_ID: 'sandbox',
      PLATFORM_CLIENT_SECRET: 'sandbox-secret',
      SECRET: randomBytes(32).toString('base64'),
      DRAIN_SECONDS: '1',
      ...manyCalls,
    };
    container = await start();
  });
  after(async () => {
    await container?.end('SIGKILL');
    await platform?.[Symbol.asyncDispose]();
    disk?.end();
    builder?.end();
  });

  const front = () => ({ env, url: env['PUBLIC_URL'] ?? '' });

  async function start(): Promise<Container> {
    const begun = await runContainer(image, { volume: disk.folder, env });
    assert.ok(await within(60_000, async () => begun.isHealthy()), begun.output());
    return begun;
  }

  const isGone = async (subject: string) => (await onRecord(platform.sandbox, books, subject)).size === 0;

  test('the image refuses a base without a digest', () => {
    assert.match(builder.buildByTag(), /NODE_IMAGE must name its image by a digest/);
  });

  test('the image has one volume, and the code with its compile cache', () => {
    assert.deepEqual(Object.keys(image.config.Volumes), ['/data']);
    const app = join(image.root, 'app');
    const names = readdirSync(app).filter((name) => !name.startsWith('LICENSE'));
    assert.deepEqual(names.sort(), ['node_modules', 'package.json', 'public', 'src', 'views']);
    assert.ok(readdirSync(join(app, 'node_modules/.cache/sayso'), { recursive: true }).length > 100);
  });

  test('the product runs as no root, without capabilities, on a read-only file system', () => {
    const status = readFileSync(`/proc/${container.pid}/status`, 'utf8');
    const line = (name: string) => new RegExp(`^${name}:\\s+(.*)$`, 'm').exec(status)?.[1];
    assert.equal(line('Uid'), '1000\t1000\t1000\t1000');
    for (const name of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'])
      assert.equal(line(name), '0000000000000000', name);
    assert.equal(line('NoNewPrivs'), '1');
    assert.equal(line('Seccomp'), '2', 'a filter');
    for (const path of ['/x', '/app/x', '/app/node_modules/.cache/sayso/x', '/tmp/x', '/run/x']) {
      const { status: code, stderr } = container.tryAsRoot('touch', path);
      assert.notEqual(code, 0, path);
      assert.match(stderr, /Read-only file system/, path);
    }
    assert.equal(container.tryAsRoot('touch', '/data/x').status, 0);
  });

  test('a container saves a change, stops in order, and continues with its volume', async () => {
    const rig = { front: front(), sandbox: platform.sandbox };
    const person = await someone({ rig, who: 'container.save@example.org' });
    person.form.untick('purpose', person.leaving);
    assert.equal((await send(person)).status, 303);
    assert.ok(await within(30_000, person.hasLeft));
    assert.equal(await container.end(image.config.StopSignal as NodeJS.Signals), 0, container.output());
    container = await start();
    const { visitor } = await openForm(front(), books, person.who);
    assert.match((await visitor.open(`/centers/${books}/record`)).text, /class="receipt|<time/);
  });

  test('a container on a full volume refuses what it cannot store, and recovers by itself', async () => {
    const people = Array.from({ length: 400 }, (_, index) => `container.full.${index}@example.org`);
    await platform.sandbox.addFault({ kind: '500', operation: 'withdraw-subject' });
    disk.fill();
    const accepted: string[] = [];
    let refused: string | undefined;
    for (const subject of people) {
      await makeKnown(platform.sandbox, subject);
      const { status } = await click(front(), subject);
      assert.ok(status === 200 || status === 503, String(status));
      if (status === 200) accepted.push(subject);
      else refused = subject;
      if (refused !== undefined) break;
    }
    assert.ok(refused !== undefined, `${accepted.length} clicks were accepted on a full volume`);
    assert.ok(await within(30_000, async () => !container.isHealthy()), 'its check says so');
    disk.free();
    await platform.sandbox.clearFaults();
    assert.ok(await within(30_000, async () => container.isHealthy()));
    assert.equal((await click(front(), refused)).status, 200);
    for (const subject of [...accepted, refused])
      assert.ok(await within(60_000, () => isGone(subject)), subject);
  });

  test('the manifests make a pod that is confined, becomes ready, and stops in order', async (t) => {
    const database = await postgres.database();
    t.after(() => database.end());
    const [port = 0] = await freePorts(1);
    const { SECRET = '', PLATFORM_CLIENT_SECRET = '', PLATFORM_URL, PLATFORM_CLIENT_ID } = env;
    const url = `http://localhost:${port}`;
    const pod = playPod(image, {
      settings: { PORT: String(port), PUBLIC_URL: url, PLATFORM_URL, PLATFORM_CLIENT_ID },
      secrets: {
        secret: SECRET,
        'platform-client-secret': PLATFORM_CLIENT_SECRET,
        'database-url': database.url,
      },
      port,
    });
    const isReady = async () => (await fetch(`${url}/health/ready`).catch(() => undefined))?.status === 200;
    assert.ok(await within(60_000, isReady), pod.output());
    const status = readFileSync(`/proc/${pod.pid}/status`, 'utf8');
    for (const line of [/^Uid:\t1000\t1000\t/m, /^CapBnd:\t0+$/m, /^NoNewPrivs:\t1$/m, /^Seccomp:\t2$/m])
      assert.match(status, line);
    assert.match(readFileSync(`/proc/${pod.pid}/mounts`, 'utf8'), /^\S+ \/ \S+ ro,/m);
    assert.equal(pod.end(), 0, pod.output());
  });
});
