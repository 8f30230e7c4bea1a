import { isLoopback } from '../core/model/web-address.ts';
import type { Reading } from './reading.ts';
import { Secret } from './setting.ts';

export type DatabaseSettings = NonNullable<ReturnType<typeof readDatabaseSettings>>;

const encrypted = ['require', 'verify-ca', 'verify-full'];

/** The PostgreSQL that all nodes share; undefined: files of this machine. */
export function readDatabaseSettings({ read, has, faults, warnings }: Reading) {
  const text = read('DATABASE_URL');
  /** Connections of this process, besides the one that listens. */
  const poolSize = read('DATABASE_POOL');
  /** Milliseconds for a statement, and for waiting for a connection. */
  const deadlineMs = read('DATABASE_TIMEOUT_SECONDS') * 1_000;
  if (!has('DATABASE_URL')) return undefined;
  if (!has('SECRET')) faults.push('SECRET is missing beside DATABASE_URL: every node must have the same');
  if (text === undefined) return undefined;
  const url = new URL(text);
  const mode = url.searchParams.get('sslmode') ?? 'disable';
  if (!encrypted.includes(mode) && !isOfThisMachine(url)) {
    warnings.push(
      'DATABASE_URL is without encryption, and not of this machine: only a closed network may lie between. Use sslmode=verify-full',
    );
  }
  if (mode === 'require' && !url.searchParams.has('sslrootcert')) {
    warnings.push('DATABASE_URL: sslmode=require trusts any server that answers. Use sslmode=verify-full');
  }
  return { url: new Secret(text), poolSize, deadlineMs };
}

function isOfThisMachine({ hostname, searchParams }: URL): boolean {
  const host = searchParams.get('host') ?? hostname;
  return host === '' || host.startsWith('/') || isLoopback({ protocol: 'http:', hostname: host });
}
