import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Request } from 'express';
import { listedCenters } from '../../src/core/model/center/center-config.ts';
import type { ProblemCode } from '../../src/core/model/problem.ts';
import type { ProblemPage } from '../../src/pages/person/problem.ts';
import { createBrandOf } from '../../src/web/brand-view.ts';
import { createProblemPage } from '../../src/web/problem.ts';
import { assets, shop } from './fixture.ts';

const closed = {
  ...shop,
  name: 'closed',
  center: 'ba4c0000-0000-4000-8000-000000000001',
  signIn: { mail: false, singleSignOn: undefined },
};
const registry = listedCenters([shop, closed]);
const problemPage = createProblemPage({
  registry,
  brandOf: createBrandOf({ assets, registry, productName: 'Sayso' }),
  keptCenter: () => undefined,
});

function pageOf(code: ProblemCode, method: string, address: string): ProblemPage {
  const { pathname, searchParams } = new URL(`http://localhost${address}`);
  const asked: Pick<Request, 'method' | 'path' | 'originalUrl' | 'query'> & {
    get: () => undefined;
    acceptsLanguages: () => string[];
  } = {
    method,
    path: pathname,
    originalUrl: address,
    query: Object.fromEntries(searchParams),
    get: () => undefined,
    acceptsLanguages: () => [],
  };
  return problemPage({ code, reference: 'abc', retryAfter: undefined, request: asked as unknown as Request });
}

const linkOf = (...change: Parameters<typeof pageOf>) => pageOf(...change).links[0]?.href;

suite('The page about a problem', () => {
  const ways: readonly (readonly [
    code: ProblemCode,
    method: string,
    address: string,
    href: string | undefined,
  ])[] = [
    ['not-found', 'GET', '/nowhere', '/'],
    ['not-found', 'GET', '/centers/nowhere', '/'],
    ['not-found', 'GET', '/centers/shop/nowhere', '/centers/shop'],
    ['not-found', 'GET', '/centers/shop', '/'],
    ['not-found', 'GET', '/embed/shop/nowhere?v=sealed', '/embed/shop?v=sealed'],
    ['form-refused', 'POST', '/centers/shop', '/centers/shop'],
    ['cross-site', 'POST', '/centers/shop/unsubscribe', '/centers/shop'],
    ['sandboxed-frame', 'POST', '/embed/shop?v=sealed', '/embed/shop?v=sealed'],
    ['link-invalid', 'GET', '/centers/shop?t=secret', '/centers/shop/sign-in'],
    ['link-invalid', 'GET', '/centers/closed?t=secret', '/'],
    ['link-invalid', 'GET', '/embed/shop?ticket=secret', '/centers/shop/sign-in'],
    ['link-invalid', 'GET', '/embed/closed?ticket=secret', undefined],
    ['identifier-refused', 'GET', '/centers/shop', '/centers/shop/sign-in'],
    ['platform-slow', 'GET', '/centers/shop', ''],
    ['platform-denied', 'GET', '/centers/shop/record', ''],
    ['keys-unreachable', 'GET', '/embed/shop?ticket=secret', ''],
    ['platform-slow', 'POST', '/centers/shop', '/centers/shop'],
    ['store-unavailable', 'GET', '//evil.example/centers/shop?t=secret', ''],
    ['not-found', 'GET', '//evil.example/', '/'],
  ];
  for (const [code, method, address, href] of ways) {
    test(`${code}, after ${method} ${address}, leads on to ${href === '' ? 'itself' : href}`, () => {
      assert.equal(linkOf(code, method, address), href);
      assert.doesNotMatch(JSON.stringify(pageOf(code, method, address)), /secret|evil/);
    });
  }

  test('opens the sign-in page outside a frame, and nothing else', () => {
    assert.equal(pageOf('link-invalid', 'GET', '/embed/shop?ticket=x').opensOutside, true);
    assert.equal(pageOf('not-found', 'GET', '/embed/shop/x?v=x').opensOutside, false);
    assert.equal(pageOf('link-invalid', 'GET', '/centers/shop?t=x').opensOutside, false);
  });
});
