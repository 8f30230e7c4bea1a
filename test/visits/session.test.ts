import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Request, Router } from 'express';
import request from 'supertest';
import { readSubjectId } from '../../src/core/model/person/subject.ts';
import type { Visit } from '../../src/core/model/person/visit.ts';
import type { SessionStore } from '../../src/ports/session-store.ts';
import { createSeal } from '../../src/store/seal.ts';
import { openSessionStore } from '../../src/store/sessions.ts';
import { createSessions } from '../../src/visits/session.ts';
import { inMemory } from '../store/on-both.ts';
import { appOf } from '../web/fixture.ts';

const minute = 60_000;

function visit(center: string, identifier: string, since: number): Visit {
  const subject = readSubjectId(identifier);
  assert.ok(subject);
  return { center, subject, scope: 'manage', channel: 'link', since };
}

function startApp({ https = false, store }: { https?: boolean; store?: SessionStore } = {}) {
  const clock = { at: 1_000_000, now: () => clock.at };
  const times = { idleMs: 30 * minute, absoluteMs: 720 * minute };
  const seal = createSeal(['a secret of thirty-two bytes or so']);
  const kept = { seal, store: 'visitors', sql: inMemory({ now: () => 1 }), longestIssuedMs: minute } as const;
  const sessions = createSessions({
    ...times,
    // Its own time stands still: what ends a visit here is what is tested.
    store: store ?? openSessionStore({ ...kept, ...times }),
    secrets: ['a secret of thirty-two bytes or so'],
    https,
    clock,
  });
  const router = Router().use(sessions.middleware);
  router.post('/in/:center/:who', async (request: Request<{ center: string; who: string }>, response) => {
    await sessions.signIn(request, visit(request.params.center, request.params.who, clock.now()));
    response.send('in');
  });
  router.post('/out', async (request, response) => {
    await sessions.signOut(request);
    response.send('out');
  });
  router.get('/who/:center', (request: Request<{ center: string }>, response) => {
    const { center } = request.params;
    response.json({
      who: sessions.visitOf(request, center)?.subject ?? 'nobody',
      left: sessions.secondsLeft(request, center) ?? -1,
    });
  });
  return { app: appOf(router).app, clock };
}

function idOf(cookies: unknown): string | undefined {
  return /sayso=([^;]+)/.exec(String(cookies))?.[1];
}

test('nobody gets a cookie before signing in', async () => {
  const response = await request(startApp().app).get('/who/shop');
  assert.equal(response.headers['set-cookie'], undefined);
  assert.deepEqual(response.body, { who: 'nobody', left: -1 });
});

test('a person is known after signing in, in that center only', async () => {
  const { app } = startApp();
  const browser = request.agent(app);
  await browser.post('/in/shop/anna');
  assert.deepEqual((await browser.get('/who/shop')).body, { who: 'anna', left: 1800 });
  assert.equal((await browser.get('/who/bank')).body.who, 'nobody');
});

test('several centers in one browser are never mixed, and a new person replaces the old', async () => {
  const { app } = startApp();
  const browser = request.agent(app);
  await browser.post('/in/shop/anna');
  await browser.post('/in/bank/c-77');
  await browser.post('/in/shop/omar');
  assert.equal((await browser.get('/who/shop')).body.who, 'omar');
  assert.equal((await browser.get('/who/bank')).body.who, 'c-77');
});

test('each signing in is under a new id, and the old one is worth nothing', async () => {
  const { app } = startApp();
  const first = await request(app).post('/in/shop/anna');
  const old = `sayso=${idOf(first.headers['set-cookie'])}`;
  const second = await request(app).post('/in/bank/c-77').set('cookie', old);
  assert.notEqual(idOf(second.headers['set-cookie']), idOf(first.headers['set-cookie']));
  assert.equal((await request(app).get('/who/shop').set('cookie', old)).body.who, 'nobody');
});

test('an id that somebody else chose is not taken over', async () => {
  const { app } = startApp();
  const fixed = 'sayso=s%3Achosen-by-somebody-else.AAAA';
  const response = await request(app).post('/in/shop/anna').set('cookie', fixed);
  assert.doesNotMatch(String(response.headers['set-cookie']), /chosen-by-somebody-else/);
  assert.equal((await request(app).get('/who/shop').set('cookie', fixed)).body.who, 'nobody');
});

test('signing out ends every visit, and the cookie is forgotten', async () => {
  const { app } = startApp();
  const browser = request.agent(app);
  const signedIn = await browser.post('/in/shop/anna');
  const out = await browser.post('/out');
  assert.match(String(out.headers['set-cookie']), /sayso=; Path=\/; Expires=Thu, 01 Jan 1970/);
  const old = `sayso=${idOf(signedIn.headers['set-cookie'])}`;
  assert.equal((await request(app).get('/who/shop').set('cookie', old)).body.who, 'nobody');
});

test('a visit ends at its absolute limit, however busy it is', async () => {
  const { app, clock } = startApp();
  const browser = request.agent(app);
  await browser.post('/in/shop/anna');
  clock.at += 719 * minute;
  assert.deepEqual((await browser.get('/who/shop')).body, { who: 'anna', left: 60 });
  clock.at += minute;
  assert.equal((await browser.get('/who/shop')).body.who, 'nobody');
});

test('the cookie is for us alone', async () => {
  const plain = await request(startApp().app).post('/in/shop/anna');
  assert.match(
    String(plain.headers['set-cookie']),
    /^sayso=.*; Path=\/; Expires=.*; HttpOnly; SameSite=Lax$/,
  );
  const secure = await request(startApp({ https: true }).app).post('/in/shop/anna');
  const cookie = String(secure.headers['set-cookie']);
  assert.match(cookie, /^__Host-sayso=.*; Path=\/; .*HttpOnly; Secure; SameSite=Lax$/);
  assert.doesNotMatch(cookie, /Domain/);
});

test('a store that fails is said to be unavailable, and nobody is signed in', async () => {
  const gone = () => Promise.reject(new Error('gone'));
  const broken: Pick<SessionStore, 'find' | 'save' | 'touch' | 'end'> = {
    find: gone,
    save: gone,
    touch: gone,
    end: gone,
  };
  const { app } = startApp({ store: broken as SessionStore });
  const signingIn = await request(app).post('/in/shop/anna').set('accept', 'application/json');
  assert.equal(signingIn.status, 503);
  assert.equal(signingIn.body.error, 'store-unavailable');
  assert.ok(signingIn.headers['retry-after']);
});
