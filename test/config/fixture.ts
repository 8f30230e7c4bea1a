import assert from 'node:assert/strict';
import { ConfigFaults, readConfig } from '../../src/config/environment.ts';
import type { Environment } from '../../src/config/reading.ts';

/** Path → text. */
export type Files = Readonly<Record<string, string>>;

export const secret = 'gLMUoUTGmeyNEuxP8mxpAt0LIitxLUUIZdiaRudK35c';

/** The settings of a product on a tenant. */
export const tenant = {
  SECRET: secret,
  PLATFORM_URL: 'https://tenant.example',
  PLATFORM_CLIENT_ID: 'client',
  PLATFORM_CLIENT_SECRET: 'client-secret',
};

export function read(env: Environment, files: Files = {}) {
  return readConfig(env, (path) => files[path] ?? assert.fail(`ENOENT: ${path}`));
}

/** The faults of the settings, one on each line; empty if there are none. */
export function faultsOf(env: Environment, files?: Files): string {
  try {
    read(env, files);
    return '';
  } catch (fault) {
    assert.ok(fault instanceof ConfigFaults, String(fault));
    return fault.faults.join('\n');
  }
}
