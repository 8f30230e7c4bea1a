import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Product, startProduct, tenantAt } from '../../kit/product.ts';

/** The product in this process, as it runs with a tenant: for tests that move the time, or ask thousands of pages. */
export function startInProcess({ platformUrl }: { readonly platformUrl: string }): Promise<Product> {
  return startProduct({ store: 'files', env: { ...tenantAt(platformUrl), LOG_LEVEL: 'silent' } });
}

/** It over a platform that a test plays; both end together. */
export async function startOver<P extends { readonly url: string; close(): Promise<void> }>(platform: P) {
  const product = await startInProcess({ platformUrl: platform.url });
  return {
    platform,
    product,
    async [Symbol.asyncDispose]() {
      await product[Symbol.asyncDispose]();
      await platform.close();
    },
  };
}

/** Writes a folder as the tests describe one: path → text. */
export function writeFolder(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
