import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { canaries } from '../../kit/canaries.ts';
import { type Product, startProduct } from '../../kit/product.ts';

export type InProcess = Product;

/** The product in this process, as it runs with a tenant: for tests that move the time, or ask thousands of pages. */
export function startInProcess({
  platformUrl,
  env = {},
}: {
  readonly platformUrl: string;
  readonly env?: Readonly<Record<string, string>>;
}): Promise<InProcess> {
  const tenant = {
    PLATFORM_URL: platformUrl,
    PLATFORM_CLIENT_ID: 'sandbox',
    PLATFORM_CLIENT_SECRET: canaries.platformSecret,
  };
  return startProduct({ store: 'files', env: { ...tenant, LOG_LEVEL: 'silent', ...env } });
}

/** Writes a folder as the tests describe one: path → text. */
export function writeFolder(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
