import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everyCenter } from '../../src/core/model/center/center-config.ts';
import { createBrandOf } from '../../src/web/brand-view.ts';
import { assets } from './fixture.ts';

test('the title of a center is the name of its brand, and later pages without a title keep it', () => {
  const registry = everyCenter({
    embedOrigins: [],
    linkKeys: [],
    signIn: { mail: true, singleSignOn: undefined },
  });
  const brandOf = createBrandOf({ assets, registry, productName: 'The product' });
  const [books, bank] = ['b', 'c'].map((digit) =>
    registry.find(`${digit}00c5000-0000-4000-8000-000000000001`),
  );
  assert.equal(brandOf(books, undefined).name, 'The product');
  assert.equal(brandOf(books, 'Harbour Books').name, 'Harbour Books');
  assert.equal(brandOf(books, undefined).name, 'Harbour Books');
  assert.equal(brandOf(bank, undefined).name, 'The product');
  assert.equal(brandOf(undefined, undefined).name, 'The product');
});
