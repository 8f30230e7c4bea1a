import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everyRole, type Role } from '../../../src/core/model/staff/staff-member.ts';
import { routes } from '../../../src/features/staff/routes.ts';
import { runCommand } from '../../kit/command.ts';
import { forSuite, productOf } from '../../kit/for-suite.ts';
import { createVisitor, type Visitor } from '../../kit/visitor.ts';
import { guid } from './fixture.ts';

const product = productOf();
/** One member for each role, who has no other role. */
const members = forSuite(async () => {
  const entered = everyRole.map(async (role) => {
    const { stdout } = await runCommand(['staff-key', '--role', role], product.env);
    const { pathname, search } = new URL(stdout.trim());
    const member = createVisitor(product.url);
    assert.equal((await member.open(pathname + search)).status, 200);
    return [role, member] as const;
  });
  return Object.fromEntries(await Promise.all(entered)) as Readonly<Record<Role, Visitor>>;
});

test('there are routes for every kind of work', () => {
  assert.ok(routes.length >= 25, `${routes.length} routes`);
  for (const role of everyRole) assert.ok(routes.map(([, , needs]) => needs).includes(role), role);
});

test('each route that changes something, and the audit log, needs the role of its kind', () => {
  const changing = routes.filter(
    ([method, path]) => method === 'post' && /^\/(tasks|people\/|submissions)/.test(path),
  );
  assert.ok(changing.length >= 6);
  for (const [, path, needs] of changing)
    assert.equal(needs, /^\/people\/(export|erase)$/.test(path) ? 'privacy' : 'editor', path);
  for (const [, path, needs] of routes) if (path.startsWith('/audit')) assert.equal(needs, 'auditor', path);
});

for (const [method, pattern, needs] of routes) {
  test(`${method.toUpperCase()} /staff${pattern} lets in only members with the role that it needs`, async () => {
    const path = `/staff${pattern.replace(/:\w+/g, guid(0))}`;
    const statusFor = async (visitor: Visitor) =>
      (await (method === 'get' ? visitor.get(path) : visitor.post(path, [['a', 'b']]))).status;
    assert.equal(await statusFor(createVisitor(product.url)), 401);
    for (const role of everyRole) {
      const status = await statusFor(members[role]);
      if (needs !== 'viewer' && role !== needs) assert.equal(status, 403, role);
      // Behind the guard, a form without a token is refused.
      else if (method === 'post') assert.equal(status, 400, role);
      else assert.ok(status !== 401 && status !== 403, `${role}: ${status}`);
    }
  });
}
