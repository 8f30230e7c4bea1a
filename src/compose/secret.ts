import { hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../clock.ts';
import type { Config } from '../config/environment.ts';
import { createLinkMint, type LinkMint } from '../features/identity/link-token.ts';
import type { RecordSigner } from '../ports/signed-records.ts';
import { openDataFolder } from '../store/data-folder.ts';
import { createRecordSigner, type RecordKeys } from '../store/record-signer.ts';

/**
 * Returns the secrets of the settings. Without them the sandbox uses a secret of the data folder, which is
 * generated once and readable by its owner alone.
 */
export function readSecrets({ secrets, dataDir }: Pick<Config, 'secrets' | 'dataDir'>): readonly string[] {
  if (secrets !== undefined) return secrets.map((secret) => secret.reveal());
  const file = join(dataDir, 'secret');
  if (!existsSync(file)) {
    openDataFolder(dataDir);
    // If two processes start at once, the first one writes the file and the other reads it.
    try {
      writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
    } catch (fault) {
      if (!existsSync(file)) throw fault;
    }
  }
  return [readFileSync(file, 'utf8').trim()];
}

/** Derives a key of 32 bytes for one use (HKDF-SHA256). Keys of different uses are independent. */
export function deriveKey(secret: string, use: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', `sayso ${use}`, 32));
}

/** Keys for cookies: the first key signs, all keys verify. */
export function cookieKeys(secrets: readonly string[], use: string): readonly string[] {
  return secrets.map((secret) => Buffer.from(deriveKey(secret, use)).toString('base64url'));
}

/** The first secret signs; records signed under the others still verify. */
export function openSigner(
  secrets: readonly string[],
  { recordKeys }: { readonly recordKeys: RecordKeys },
): Promise<RecordSigner> {
  return createRecordSigner(
    secrets.map((secret) => deriveKey(secret, 'record signature')),
    recordKeys,
  );
}

/** Links are signed with the first secret. */
export function linkMint([secret]: readonly string[]): LinkMint {
  if (secret === undefined) throw new Error('no key to sign links with');
  return createLinkMint({ key: deriveKey(secret, 'link'), clock: systemClock });
}
