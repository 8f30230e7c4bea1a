import { hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/environment.ts';
import { openDataFolder } from '../store/data-folder.ts';

/**
 * The secrets of the settings, or, in sandbox mode without one, a secret of this data folder: made once, readable
 * by its owner alone.
 */
export function readSecrets({ secrets, dataDir }: Pick<Config, 'secrets' | 'dataDir'>): readonly string[] {
  if (secrets !== undefined) return secrets.map((secret) => secret.reveal());
  const file = join(dataDir, 'secret');
  if (!existsSync(file)) {
    openDataFolder(dataDir);
    // Two processes may start at once: the first to make it wins, the other reads it.
    try {
      writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
    } catch (fault) {
      if (!existsSync(file)) throw fault;
    }
  }
  return [readFileSync(file, 'utf8').trim()];
}

/** A key of 32 bytes for one use, by HKDF-SHA256: what is signed for one use says nothing to another. */
export function deriveKey(secret: string, use: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', `sayso ${use}`, 32));
}
