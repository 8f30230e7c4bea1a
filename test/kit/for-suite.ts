import { after, before } from 'node:test';
import { type Product, type ProductOptions, startProduct } from './product.ts';

/**
 * A resource of the suite, or file, that calls this: made before its tests and ended after them, by default
 * by disposal. Its members may be destructured before it is made: each is looked up when it is used.
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
  const find = (name: string | symbol): ((...given: readonly unknown[]) => unknown) => {
    if (made === undefined) throw new Error('the resource is made before the tests of its suite');
    return Reflect.get(made, name) as never;
  };
  const later = (name: string | symbol) =>
    new Proxy(() => undefined, {
      get: (_none, inner) => Reflect.get(find(name), inner),
      apply: (_none, _this, given: unknown[]) => find(name)(...given),
    });
  return new Proxy({} as T, { get: (_none, name) => (made === undefined ? later(name) : find(name)) });
}

export function productOf(options: ProductOptions = {}): Product {
  return forSuite(() => startProduct(options));
}
