import { parseArgs } from 'node:util';
import { mintStaffKey } from '../compose/staff-key.ts';
import type { Config } from '../config/environment.ts';
import { print } from './print.ts';

/** Prints an address that opens the staff pages, once. */
export async function staffKey(config: Config, args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      role: { type: 'string', default: 'viewer' },
      anywhere: { type: 'boolean', default: false },
    },
  });
  print(mintStaffKey(config, values));
}
