import { parseArgs } from 'node:util';
import { systemClock } from '../clock.ts';
import { random } from '../compose/random.ts';
import { readSecrets } from '../compose/secret.ts';
import type { Config } from '../config/environment.ts';
import { WrongArgument } from '../config/wrong-argument.ts';
import { everyRole } from '../core/model/staff/staff-member.ts';
import { staffKeyToken } from '../features/staff/staff-key.ts';
import { createSeal } from '../store/seal.ts';
import { print } from './streams.ts';

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

/**
 * Makes an address that signs a staff member in once, within a quarter of an hour, from this machine unless
 * `anywhere`.
 */
function mintStaffKey(
  config: Config,
  { role, anywhere }: { readonly role: string; readonly anywhere: boolean },
): string {
  const roles = everyRole.filter((each) => each === role);
  if (roles.length === 0) throw new WrongArgument(`--role must be one of ${everyRole.join(', ')}`);
  const seal = createSeal(readSecrets(config));
  const from = anywhere ? 'anywhere' : 'this machine';
  const key = staffKeyToken.seal({ seal, clock: systemClock }, { id: random.id(), roles, from });
  const base = anywhere ? config.publicUrl : new URL(`http://localhost:${config.port}`);
  return new URL(`/staff?key=${key}`, base).href;
}
