import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Request, Router } from 'express';
import request from 'supertest';
import { readSubjectId } from '../../src/core/model/person/subject.ts';
import { createSeal } from '../../src/store/seal.ts';
import { openSessionStore } from '../../src/store/sessions.ts';
import { createSessions } from '../../src/visits/session.ts';
import { inMemory } from '../store/on-both.ts';
import { appOf } from './fixture.ts';

const secret = 'a secret of thirty-two bytes or so';
const subject = readSubjectId('anna') ?? assert.fail();

function openStore(clock: { now(): number }, times: { idleMs: number; absoluteMs: number }) {
  const [sql, seal] = [inMemory(clock), createSeal([secret])];
  return openSessionStore({ ...times, sql, store: 'visitors', seal, longestIssuedMs: 1 });
}

test('a look that is no sign of life neither renews the session nor its cookie, and still knows who is there', async () => {
  const touched: string[] = [];
  const clock = { now: () => 1_000_000 };
  const times = { idleMs: 60_000, absoluteMs: 600_000 };
  const store = openStore(clock, times);
  const sessions = createSessions({
    ...times,
    store: {
      ...store,
      touch(id) {
        touched.push(id);
        return store.touch(id);
      },
    },
    secrets: [secret],
    https: false,
    clock,
  });
  const router = Router().use(sessions.middleware);
  router.post('/in', async (incoming: Request, response) => {
    const visit = { center: 'shop', subject, scope: 'manage', channel: 'link', since: 1_000_000 } as const;
    await sessions.signIn(incoming, visit);
    response.send('in');
  });
  router.get('/look', (incoming, response) => {
    response.send(sessions.visitOf(incoming, 'shop')?.subject ?? 'nobody');
  });
  router.get('/visit', (incoming, response) => {
    const who = sessions.visitOf(incoming, 'shop')?.subject ?? 'nobody';
    sessions.leaveUntouched(incoming);
    response.send(`${who}, then ${sessions.visitOf(incoming, 'shop')?.subject ?? 'nobody'}`);
  });
  const browser = request.agent(appOf(router).app);
  await browser.post('/in');
  touched.length = 0;
  const visit = await browser.get('/visit');
  assert.equal(visit.text, 'anna, then nobody');
  assert.equal(visit.headers['set-cookie'], undefined);
  assert.equal(touched.length, 0);
  const look = await browser.get('/look');
  assert.equal(look.text, 'anna');
  assert.ok(look.headers['set-cookie']);
  assert.equal(touched.length, 1);
});

test('A request reads its session once; a sign of life goes to the store every 15 s, else the answer goes out in one piece.', async () => {
  const calls: string[] = [];
  const clock = { at: 1_000_000, now: () => clock.at };
  const times = { idleMs: 1_800_000, absoluteMs: 3_600_000 };
  const store = openStore(clock, times);
  let fault: Error | undefined;
  const sessions = createSessions({
    ...times,
    store: {
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
    },
    secrets: [secret],
    https: false,
    clock,
  });
  const router = Router();
  router.use((_incoming, response, next) => {
    response.write = new Proxy(response.write, {
      apply(write, self, given) {
        calls.push('piece');
        return Reflect.apply(write, self, given);
      },
    });
    next();
  });
  router.use(sessions.middleware);
  router.post('/in', async (incoming: Request, response) => {
    const visit = { center: 'shop', subject, scope: 'manage', channel: 'link', since: clock.at } as const;
    await sessions.signIn(incoming, visit);
    response.send('in');
  });
  router.get('/look', (_incoming, response) => {
    response.send('an answer');
  });
  const browser = request.agent(appOf(router).app);
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
