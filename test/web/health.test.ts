import assert from 'node:assert/strict';
import { test } from 'node:test';
import request from 'supertest';
import { healthRoutes } from '../../src/web/health.ts';
import { appOf } from './fixture.ts';

test('readiness is checked at most once a second, however often it is asked for', async () => {
  let [now, checks, isWell, isLeaving] = [0, 0, true, false];
  const { app } = appOf(
    healthRoutes({
      clock: { now: () => now },
      isLeaving: () => isLeaving,
      isReady: async () => {
        checks += 1;
        if (!isWell) throw new Error('the disk is full');
        return true;
      },
    }),
  );
  const status = async () => (await request(app).get('/health/ready')).status;
  const many = await Promise.all(Array.from({ length: 50 }, status));
  assert.deepEqual(new Set(many), new Set([200]));
  assert.equal(checks, 1);
  isWell = false;
  now = 999;
  assert.equal(await status(), 200);
  now = 1_000;
  assert.equal(await status(), 503);
  assert.equal(await status(), 503);
  assert.equal(checks, 2);
  isWell = true;
  now = -60_000;
  assert.equal(await status(), 200);
  isLeaving = true;
  assert.equal(await status(), 503, 'leaving is told at once');
  assert.equal(checks, 3);
});

test('a slow check gives the previous answer until it ends', async () => {
  let now = 0;
  const last = Promise.withResolvers<boolean>();
  const checks = [Promise.resolve(true), last.promise];
  const { app } = appOf(
    healthRoutes({
      clock: { now: () => now },
      isLeaving: () => false,
      isReady: () => checks.shift() ?? Promise.reject(new Error('one check at a time')),
    }),
  );
  const status = async () => (await request(app).get('/health/ready')).status;
  assert.equal(await status(), 200);
  now = 1_000;
  assert.equal(await status(), 200, 'the last check is still running');
  now = 3_000;
  assert.equal(await status(), 200, 'no second check begins beside it');
  last.resolve(false);
  assert.equal(await status(), 503);
});
