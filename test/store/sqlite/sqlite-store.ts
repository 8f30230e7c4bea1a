import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Closable, MakeTestStore } from '../contract/test-store.ts';

/** A store in a file of its own folder. */
export function sqliteStore<T extends Closable>(
  open: (given: { readonly file: string }) => T,
): MakeTestStore<T> {
  return async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sayso-store-'));
    return {
      open: async () => open({ file: join(folder, 'store.sqlite') }),
      async end() {
        rmSync(folder, { recursive: true, force: true });
      },
    };
  };
}
