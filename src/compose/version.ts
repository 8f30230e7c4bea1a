import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** As package.json says it. */
export function productVersion(): string {
  const read: unknown = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
  const version = typeof read === 'object' && read !== null && 'version' in read ? read.version : undefined;
  return typeof version === 'string' ? version : 'unknown';
}
