import { after, before } from 'node:test';
import { type Product, type ProductOptions, startProduct } from './product.ts';

/**
 * What the suite, or the file, that asks needs: it is made before the tests there, and ended after them; without `end`
 * it is disposed of.
 */
export function forSuite<T extends object>(
  make: () => Promise<T>,
  end: (made: T) => unknown = (other: Partial<AsyncDisposable>) => other[Symbol.asyncDispose]?.(),
): T {
  let made: T | undefined;
  before(async () => {
    made = await make();
  });
  after(() => made && end(made));
  return new Proxy({} as T, {
    get(_none, member) {
      if (made === undefined) throw new Error('it is made before the tests of its suite');
      return Reflect.get(made, member);
    },
  });
}

export function productOf(options: ProductOptions = {}): Product {
  return forSuite(() => startProduct(options));
}
