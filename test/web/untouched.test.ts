import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Request, type RequestHandler, Router } from 'express';
import request from 'supertest';
import { readSubjectId } from '../../src/core/model/person/subject.ts';
import { createSeal } from '../../src/store/seal.ts';
import { openSessionStore } from '../../src/store/sessions.ts';
import { createSessions } from '../../src/visits/session.ts';
import { inMemory } from '../store/on-both.ts';
import { appOf } from './fixture.ts';

const secret = 'a secret of thirty-two bytes or so';
const subject = readSubjectId('anna') ?? assert.fail();

/** A browser that can sign in at `/in`. `hears`: of each call of the store, which it may make fail. */
function startApp(
  clock: { now(): number },
  hears: (call: 'find' | 'touch') => void,
  before: RequestHandler = (_incoming, _response, next) => next(),
) {
  const times = { idleMs: 1_800_000, absoluteMs: 3_600_000 };
  const kept = { sql: inMemory(clock), store: 'visitors', seal: createSeal([secret]) } as const;
  const store = openSessionStore({ ...times, ...kept, longestIssuedMs: 1 });
  const sessions = createSessions({
    ...times,
    store: {
      ...store,
      find(id) {
        hears('find');
        return store.find(id);
      },
      async touch(id) {
        hears('touch');
        return store.touch(id);
      },
    },
    secrets: [secret],
    https: false,
    clock,
  });
  const router = Router().use(before, sessions.middleware);
  router.post('/in', async (incoming: Request, response) => {
    const visit = { center: 'shop', subject, scope: 'manage', channel: 'link', since: clock.now() } as const;
    await sessions.signIn(incoming, visit);
    response.send('in');
  });
  return { sessions, router, browser: request.agent(appOf(router).app) };
}

test('a look that is no sign of life neither renews the session nor its cookie, and still knows who is there', async () => {
  let touched = 0;
  const count = (call: string) => {
    if (call === 'touch') touched += 1;
  };
  const { sessions, router, browser } = startApp({ now: () => 1_000_000 }, count);
  const whoIn = (incoming: Request) => sessions.visitOf(incoming, 'shop')?.subject ?? 'nobody';
  router.get('/look', (incoming, response) => {
    response.send(whoIn(incoming));
  });
  router.get('/visit', (incoming, response) => {
    const who = whoIn(incoming);
    sessions.leaveUntouched(incoming);
    response.send(`${who}, then ${whoIn(incoming)}`);
  });
  await browser.post('/in');
  touched = 0;
  const visit = await browser.get('/visit');
  assert.equal(visit.text, 'anna, then nobody');
  assert.equal(visit.headers['set-cookie'], undefined);
  assert.equal(touched, 0);
  const look = await browser.get('/look');
  assert.equal(look.text, 'anna');
  assert.ok(look.headers['set-cookie']);
  assert.equal(touched, 1);
});

test('A request reads its session once; a sign of life goes to the store every 15 s, else the answer goes out in one piece.', async () => {
  const calls: string[] = [];
  const clock = { at: 1_000_000, now: () => clock.at };
  let fault: Error | undefined;
  const hears = (call: string) => {
    calls.push(call);
    if (call === 'touch' && fault !== undefined) throw fault;
  };
  const { router, browser } = startApp(clock, hears, (_incoming, response, next) => {
    response.write = new Proxy(response.write, {
      apply(write, self, given) {
        calls.push('piece');
        return Reflect.apply(write, self, given);
      },
    });
    next();
  });
  router.get('/look', (_incoming, response) => {
    response.send('an answer');
  });
  const look = async () => {
    calls.length = 0;
    const { text, headers } = await browser.get('/look');
    assert.equal(text, 'an answer');
    assert.ok(headers['set-cookie']);
    return calls.join(' ');
  };
  await browser.post('/in');
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
  assert.equal(await look(), 'find touch piece', 'what was not written is written with the next request');
  assert.equal(await look(), 'find');
});
