import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeyedHash } from '../../../src/ports/keyed-hash.ts';
import type { Seal } from '../../../src/ports/seal.ts';
import { createSeal } from '../../../src/store/seal.ts';
import type { Given, MakeTestStore } from '../contract/test-store.ts';

type Opened = Pick<Given, 'clock'> & {
  readonly file: string;
  readonly seal: Seal & KeyedHash;
  readonly hash: KeyedHash;
};

/** A store in a file of its own folder. */
export function sqliteStore<T>(open: (given: Opened) => T): MakeTestStore<T> {
  return async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sayso-store-'));
    return {
      async open({ clock, secrets }) {
        const seal = createSeal(secrets);
        return open({ clock, seal, hash: seal, file: join(folder, 'store.sqlite') });
      },
      async end() {
        rmSync(folder, { recursive: true, force: true });
      },
    };
  };
}

/** Every byte that lies in a folder. */
export function bytesIn(folder: string): string {
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('');
}
