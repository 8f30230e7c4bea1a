import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Request, type RequestHandler, Router } from 'express';
import request from 'supertest';
import { readSubjectId } from '../../src/core/model/person/subject.ts';
import type { SessionStore } from '../../src/ports/session-store.ts';
import { createSeal } from '../../src/store/seal.ts';
import { openSessionStore } from '../../src/store/sessions.ts';
import { createSessions } from '../../src/visits/session.ts';
import { inMemory } from '../store/on-both.ts';
import { appOf } from '../web/fixture.ts';

const minute = 60_000;
const secret = 'a secret of thirty-two bytes or so';

interface Parts {
  readonly https?: boolean;
  /** Wraps the store so that a test can watch or break it. */
  readonly over?: (store: SessionStore) => SessionStore;
  readonly before?: RequestHandler;
}

function startApp({ https = false, over = (store) => store, before }: Parts = {}) {
  const clock = { at: 1_000_000, now: () => clock.at };
  const times = { idleMs: 30 * minute, absoluteMs: 720 * minute };
  const kept = { seal: createSeal([secret]), store: 'visitors', sql: inMemory(clock) } as const;
  const store = over(openSessionStore({ ...kept, ...times, longestIssuedMs: minute }));
  const sessions = createSessions({ ...times, store, secrets: [secret], https, clock });
  const router = Router().use(before ?? ((_incoming, _response, next) => next()), sessions.middleware);
  const whoIn = (incoming: Request, center: string) =>
    sessions.visitOf(incoming, center)?.subject ?? 'nobody';
  router.post('/in/:center/:who', async (incoming: Request<{ center: string; who: string }>, response) => {
    const { center, who } = incoming.params;
    const subject = readSubjectId(who) ?? assert.fail('no identifier');
    await sessions.signIn(incoming, { center, subject, scope: 'manage', channel: 'link', since: clock.at });
    response.send('in');
  });
  router.post('/out', async (incoming, response) => {
    await sessions.signOut(incoming);
    response.send('out');
  });
  router.get('/who/:center', (incoming: Request<{ center: string }>, response) => {
    const { center } = incoming.params;
    response.json({ who: whoIn(incoming, center), left: sessions.secondsLeft(incoming, center) ?? -1 });
  });
  router.get('/passing', (incoming, response) => {
    const who = whoIn(incoming, 'shop');
    sessions.leaveUntouched(incoming);
    response.send(`${who}, then ${whoIn(incoming, 'shop')}`);
  });
  const { app } = appOf(router);
  const whoHas = async (cookie: string) =>
    (await request(app).get('/who/shop').set('cookie', cookie)).body.who;
  return { app, clock, whoHas };
}

/** The session cookie of an answer, in the form that a browser sends. */
function cookieOf({ headers }: { readonly headers: Readonly<Record<string, unknown>> }): string {
  return /sayso=[^;]+/.exec(String(headers['set-cookie']))?.[0] ?? '';
}

test('no cookie is set before a person signs in, and no other site gets it', async () => {
  const { app } = startApp();
  const before = await request(app).get('/who/shop');
  assert.equal(before.headers['set-cookie'], undefined);
  assert.deepEqual(before.body, { who: 'nobody', left: -1 });
  const plain = await request(app).post('/in/shop/anna');
  assert.match(
    String(plain.headers['set-cookie']),
    /^sayso=.*; Path=\/; Expires=.*; HttpOnly; SameSite=Lax$/,
  );
  const secure = await request(startApp({ https: true }).app).post('/in/shop/anna');
  const cookie = String(secure.headers['set-cookie']);
  assert.match(cookie, /^__Host-sayso=.*; Path=\/; .*HttpOnly; Secure; SameSite=Lax$/);
  assert.doesNotMatch(cookie, /Domain/);
});

test('centers in one browser are never mixed, and a new person replaces the old one', async () => {
  const browser = request.agent(startApp().app);
  await browser.post('/in/shop/anna');
  assert.deepEqual((await browser.get('/who/shop')).body, { who: 'anna', left: 1800 });
  assert.equal((await browser.get('/who/bank')).body.who, 'nobody');
  await browser.post('/in/bank/c-77');
  await browser.post('/in/shop/omar');
  assert.equal((await browser.get('/who/shop')).body.who, 'omar');
  assert.equal((await browser.get('/who/bank')).body.who, 'c-77');
});

test('each sign-in gets a new session id, and the id before it is worthless', async () => {
  const { app, whoHas } = startApp();
  const old = cookieOf(await request(app).post('/in/shop/anna'));
  assert.equal(await whoHas(old), 'anna');
  for (const known of [old, 'sayso=s%3Achosen-by-somebody-else.AAAA']) {
    const next = cookieOf(await request(app).post('/in/bank/c-77').set('cookie', known));
    assert.ok(next !== '' && next !== known && !next.includes('chosen'), next);
    assert.equal(await whoHas(known), 'nobody');
  }
});

test('signing out ends every visit and removes the cookie', async () => {
  const { app, whoHas } = startApp();
  const browser = request.agent(app);
  const old = cookieOf(await browser.post('/in/shop/anna'));
  const out = await browser.post('/out');
  assert.match(String(out.headers['set-cookie']), /sayso=; Path=\/; Expires=Thu, 01 Jan 1970/);
  assert.equal(await whoHas(old), 'nobody');
});

test('a visit ends at its absolute limit, however active it is', async () => {
  const { app, clock } = startApp();
  const browser = request.agent(app);
  await browser.post('/in/shop/anna');
  const start = clock.at;
  for (const minutes of [...Array.from({ length: 24 }, (_, index) => 29 * (index + 1)), 719]) {
    clock.at = start + minutes * minute;
    assert.equal((await browser.get('/who/shop')).body.who, 'anna', `${minutes} minutes`);
  }
  assert.equal((await browser.get('/who/shop')).body.left, 60);
  clock.at += minute;
  assert.equal((await browser.get('/who/shop')).body.who, 'nobody');
});

test('a failing store makes the answer 503 store-unavailable, and no person is signed in', async () => {
  const gone = () => Promise.reject(new Error('gone'));
  const { app } = startApp({
    over: (store) => ({ ...store, find: gone, save: gone, touch: gone, end: gone }),
  });
  const signingIn = await request(app).post('/in/shop/anna').set('accept', 'application/json');
  assert.equal(signingIn.status, 503);
  assert.equal(signingIn.body.error, 'store-unavailable');
  assert.ok(signingIn.headers['retry-after']);
});

test('a request reads its session once, and renews it in the store at most every 15 s', async () => {
  const calls: string[] = [];
  let fault: Error | undefined;
  const { app, clock } = startApp({
    over: (store) => ({
      ...store,
      find(id) {
        calls.push('find');
        return store.find(id);
      },
      async touch(id) {
        calls.push('touch');
        if (fault !== undefined) throw fault;
        return store.touch(id);
      },
    }),
    before: (_incoming, response, next) => {
      response.write = new Proxy(response.write, {
        apply(write, self, given) {
          calls.push('piece');
          return Reflect.apply(write, self, given);
        },
      });
      next();
    },
  });
  const browser = request.agent(app);
  const look = async (path = '/who/shop') => {
    calls.length = 0;
    const { text, headers } = await browser.get(path);
    assert.match(text, /anna/);
    assert.equal(headers['set-cookie'] !== undefined, path !== '/passing');
    return calls.join(' ');
  };
  await browser.post('/in/shop/anna');
  assert.equal(await look('/passing'), 'find', 'a passing look does not renew the session');
  assert.equal((await browser.get('/passing')).text, 'anna, then nobody');
  assert.equal(await look(), 'find touch piece');
  clock.at += 14_999;
  assert.equal(await look(), 'find');
  assert.equal(await look(), 'find');
  clock.at += 1;
  assert.equal(await look(), 'find touch piece');
  clock.at += 15_000;
  fault = new Error('the store is away');
  assert.equal(await look(), 'find touch piece');
  fault = undefined;
  assert.equal(await look(), 'find touch piece', 'a failed renewal is made up with the next request');
  assert.equal(await look(), 'find');
});
