import assert from 'node:assert/strict';
import { test } from 'node:test';
import express, { type ErrorRequestHandler } from 'express';
import request from 'supertest';
import { listedCenters } from '../../../src/core/model/center/center-config.ts';
import { Problem } from '../../../src/core/model/problem.ts';
import { everyRole, type Role } from '../../../src/core/model/staff/staff-member.ts';
import type { StaffParts } from '../../../src/features/staff/parts.ts';
import { staffRoutes } from '../../../src/features/staff/routes.ts';
import { createSeal } from '../../../src/store/seal.ts';

/** The guard of the real routes, before a set of deps in which nothing works: whoever gets past it meets a fault. */
function startApp() {
  const parts: Partial<StaffParts> = {
    sessions: {
      middleware: (_request, _response, next) => next(),
      signIn: () => Promise.resolve(),
      signOut: () => Promise.resolve(),
      wasThere: () => false,
      memberOf(asked) {
        const roles = asked.get('x-roles')?.split(' ') as Role[] | undefined;
        return roles === undefined ? undefined : { id: 'm', name: 'M', roles, since: 0 };
      },
      secondsLeft: () => 900,
    },
    registry: listedCenters([]),
    seal: createSeal(['a secret that is long enough for a test']),
    random: { id: () => 'random' },
    clock: { now: () => 0 },
    render: async (response, _view, _page, { status = 200 } = {}) => void response.status(status).end(),
    singleSignOn: undefined,
    takeKey: async () => undefined,
  };
  // What is missing throws when it is used, which is what must not happen to those who are refused.
  const broken = new Proxy(parts, {
    get: (known, name) =>
      Reflect.get(known, name) ??
      new Proxy(() => 0, {
        get: () => () => 0,
        apply: () => {
          throw new Error('nothing works here');
        },
      }),
  }) as StaffParts;
  const { router, rules } = staffRoutes(broken);
  const answer: ErrorRequestHandler = (fault, _request, response, _next) => {
    response.status(fault instanceof Problem && fault.code === 'form-refused' ? 400 : 500).end();
  };
  return { app: express().use('/staff', router).use(answer), rules };
}

const { app, rules } = startApp();

async function ask(rule: (typeof rules)[number], roles: string | undefined): Promise<number> {
  const path = `/staff${rule.path === '/' ? '' : rule.path.replace(/:\w+/g, '00000000-0000-4000-8000-000000000000')}`;
  const asked =
    rule.method === 'get' ? request(app).get(path) : request(app).post(path).type('form').send('a=b');
  return (roles === undefined ? asked : asked.set('x-roles', roles)).then(({ status }) => status);
}

test('There are routes for every kind of work.', () => {
  assert.ok(rules.length >= 25, `${rules.length} routes`);
  for (const role of everyRole)
    assert.ok(
      rules.some(({ needs }) => needs === role),
      role,
    );
});

test('Whatever changes a task or acts for a person needs an editor, and the audit log an auditor.', () => {
  const changing = rules.filter(
    ({ method, path }) => method === 'post' && /^\/(tasks|people\/|submissions)/.test(path),
  );
  assert.ok(changing.length >= 6);
  for (const { path, needs } of changing)
    assert.equal(needs, /^\/people\/(export|erase)$/.test(path) ? 'privacy' : 'editor', path);
  for (const { path, needs } of rules.filter(({ path }) => path.startsWith('/audit'))) {
    assert.equal(needs, 'auditor', path);
  }
});

for (const rule of rules) {
  test(`${rule.method.toUpperCase()} /staff${rule.path} lets in only members with the role that it needs`, async () => {
    assert.equal(await ask(rule, undefined), 401);
    for (const role of everyRole) {
      const status = await ask(rule, role);
      if (rule.needs !== 'viewer' && role !== rule.needs) assert.equal(status, 403, role);
      // Past the guard, a form is stopped for want of a token.
      else if (rule.method === 'post') assert.equal(status, 400, role);
      else assert.ok(status !== 401 && status !== 403, `${role}: ${status}`);
    }
  });
}
