import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import express from 'express';
import session, { type SessionData } from 'express-session';
import request from 'supertest';
import { createSeal } from '../../../src/store/seal.ts';
import { SessionStore } from '../../../src/store/sqlite/sessions.ts';
import { FakeTime } from '../../delivery/fake-time.ts';

const idle = 900_000;
const absolute = 8 * 3_600_000;
const secret = 'a secret of at least thirty-two bytes';

function open(t: TestContext, options: { file?: string; time?: FakeTime; secrets?: string[] } = {}) {
  const time = options.time ?? new FakeTime();
  const seal = createSeal(options.secrets ?? [secret]);
  const store = new SessionStore({
    file: options.file ?? ':memory:',
    seal,
    clock: time,
    idle,
    absolute,
    longestIssued: absolute,
  });
  t.after(() => store.close());
  const get = (id: string) =>
    new Promise<SessionData | null | undefined>((resolve, reject) => {
      store.get(id, (fault, found) => (fault ? reject(fault) : resolve(found)));
    });
  const done = (act: (done: (fault?: unknown) => void) => void) =>
    new Promise<void>((resolve, reject) => act((fault) => (fault ? reject(fault) : resolve())));
  return {
    store,
    time,
    get,
    set: (id: string, value: SessionData = data()) => done((settled) => store.set(id, value, settled)),
    touch: (id: string) => done((settled) => store.touch(id, data(), settled)),
    destroy: (id: string) => done((settled) => store.destroy(id, settled)),
  };
}

function data(change: object = {}): SessionData {
  return { cookie: { originalMaxAge: idle, path: '/' }, ...change } as SessionData;
}

suite('the session store', () => {
  test('keeps a session, and only under its id', async (t) => {
    const { set, get } = open(t);
    await set('one', data({ visits: [{ center: 'c', subject: 'anna' }] }));
    assert.deepEqual((await get('one'))?.visits, [{ center: 'c', subject: 'anna' }]);
    assert.equal(await get('two'), null);
  });

  test('a destroyed session stays dead under racing writes and touches', async (t) => {
    const { set, get, destroy, touch } = open(t);
    await set('one');
    await destroy('one');
    await Promise.all([set('one'), touch('one'), set('one')]);
    assert.equal(await get('one'), null);
  });

  test('an id that was destroyed before it was ever kept is dead too', async (t) => {
    const { set, get, destroy } = open(t);
    await destroy('one');
    await set('one');
    assert.equal(await get('one'), null);
  });

  test('stays dead after a sweep, a restart and a rotation', async (t) => {
    const path = mkdtempSync(join(tmpdir(), 'sayso-'));
    t.after(() => rmSync(path, { recursive: true, force: true }));
    const time = new FakeTime();
    const file = join(path, 'sessions.db');
    const first = open(t, { file, time });
    await first.set('one');
    await first.destroy('one');
    time.pass(absolute);
    first.store.sweep();
    const rotated = open(t, { file, time, secrets: ['a fresh secret of at least thirty-two bytes', secret] });
    assert.equal(await rotated.get('one'), null);
  });

  test('lives on over a rotation', async (t) => {
    const path = mkdtempSync(join(tmpdir(), 'sayso-'));
    t.after(() => rmSync(path, { recursive: true, force: true }));
    const time = new FakeTime();
    const file = join(path, 'sessions.db');
    await open(t, { file, time }).set('one', data({ visits: [{ subject: 'old' }] }));
    const rotated = open(t, { file, time, secrets: ['a fresh secret of at least thirty-two bytes', secret] });
    assert.deepEqual((await rotated.get('one'))?.visits, [{ subject: 'old' }]);
    time.pass(1);
    await rotated.set('one', data({ visits: [{ subject: 'new' }] }));
    assert.deepEqual((await rotated.get('one'))?.visits, [{ subject: 'new' }]);
    await rotated.destroy('one');
    assert.equal(await rotated.get('one'), null);
  });

  test('ends after its idle time, and a write does not bring it back', async (t) => {
    const { set, get, touch, time } = open(t);
    await set('one');
    time.pass(idle - 1);
    assert.ok(await get('one'));
    await touch('one');
    time.pass(idle - 1);
    assert.ok(await get('one'));
    time.pass(1);
    assert.equal(await get('one'), null);
    await touch('one');
    await set('one');
    assert.equal(await get('one'), null);
  });

  test('ends after its absolute time however often it is used', async (t) => {
    const { set, get, time } = open(t);
    await set('one');
    for (let passed = 0; passed < absolute - 600_000; passed += 600_000) {
      time.pass(600_000);
      await set('one');
    }
    assert.ok(await get('one'));
    time.pass(600_000);
    assert.equal(await get('one'), null);
    await set('one');
    assert.equal(await get('one'), null);
  });

  test('touches rarely: fifteen seconds must have passed since the last write', async (t) => {
    for (const [wait, isKept] of [
      [14_999, false],
      [15_000, true],
    ] as const) {
      const { set, get, touch, time } = open(t);
      await set('one');
      time.pass(wait);
      await touch('one');
      time.pass(idle - wait);
      assert.equal((await get('one')) !== null, isKept);
    }
  });

  test('ends every session of one person, and no one else’s', async (t) => {
    const { store, set, get } = open(t);
    await set('phone', data({ visits: [{ subject: 'anna' }] }));
    await set('desk', data({ visits: [{ subject: 'ben' }, { subject: 'anna' }] }));
    await set('ben', data({ visits: [{ subject: 'ben' }] }));
    store.destroyOf('anna');
    await set('phone', data({ visits: [{ subject: 'anna' }] }));
    assert.deepEqual([await get('phone'), await get('desk')], [null, null]);
    assert.ok(await get('ben'));
  });

  test('holds nobody’s name and no id in the clear, and sweeps what has ended', async (t) => {
    const path = mkdtempSync(join(tmpdir(), 'sayso-'));
    t.after(() => rmSync(path, { recursive: true, force: true }));
    const { set, store, time } = open(t, { file: join(path, 'sessions.db') });
    await set('the-session-id', data({ visits: [{ subject: 'anna@example.org' }] }));
    const bytes = readdirSync(path)
      .map((file) => readFileSync(join(path, file), 'latin1'))
      .join('');
    assert.ok(!bytes.includes('anna@example.org') && !bytes.includes('the-session-id'));
    assert.equal(store.sweep(), 0);
    time.pass(idle);
    assert.equal(store.sweep(), 1);
  });

  test('a store that is gone says so, and reads as no one', async (t) => {
    const { store, get, set, destroy, touch } = open(t);
    store.check();
    store.close();
    t.mock.method(store, 'close', () => undefined);
    for (const use of [get('one'), set('one'), destroy('one'), touch('one')]) {
      await assert.rejects(use, { code: 'store-unavailable' });
    }
    assert.throws(() => store.check(), { code: 'store-unavailable' });
  });

  test('behind express-session: a logout wins over a slower request that saves the same session', async (t) => {
    const { store } = open(t, { time: new FakeTime(Date.now()) });
    const app = express();
    const { promise: loggedOut, resolve: logOut } = Promise.withResolvers<void>();
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    app.use(
      session({
        store,
        secret,
        resave: false,
        saveUninitialized: false,
        rolling: true,
        cookie: { maxAge: idle },
      }),
    );
    app.get('/in', (req, res) => {
      req.session.visits = [];
      res.send('in');
    });
    app.get('/slow', async (req, res) => {
      arrive();
      await loggedOut;
      Object.assign(req.session, { visits: [{ subject: 'anna' }] });
      res.send('slow');
    });
    app.get('/out', (req, res) => void req.session.destroy(() => res.send('out')));
    app.get('/who', (req, res) => void res.send(req.session.visits === undefined ? 'nobody' : 'somebody'));

    const cookie = (await request(app).get('/in')).get('Set-Cookie')?.[0] ?? '';
    const as = (path: string) =>
      request(app)
        .get(path)
        .set('Cookie', cookie.split(';')[0] ?? '');
    assert.equal((await as('/who')).text, 'somebody');
    const slow = as('/slow').then((answer) => answer.text);
    await arrived;
    await as('/out');
    logOut();
    assert.equal(await slow, 'slow');
    assert.equal((await as('/who')).text, 'nobody');
  });
});
