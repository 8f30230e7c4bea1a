import { systemClock } from '../clock.ts';
import { readSecrets } from '../compose/secret.ts';
import type { Config } from '../config/environment.ts';
import { everyRole } from '../core/model/staff/staff-member.ts';
import { staffKeyToken } from '../features/staff/staff-key.ts';
import { random } from '../random-bytes.ts';
import { createSeal } from '../store/seal.ts';
import { print } from './streams.ts';
import { type Values, WrongArgument } from './usage.ts';

/**
 * Prints an address that signs a staff member in once, within a quarter of an hour, from this machine unless
 * `anywhere`.
 */
export async function staffKey(config: Config, { role, anywhere }: Values<'staff-key'>): Promise<void> {
  const roles = everyRole.filter((each) => each === role);
  if (roles.length === 0) throw new WrongArgument(`--role must be one of ${everyRole.join(', ')}`);
  const seal = createSeal(readSecrets(config));
  const from = anywhere ? 'anywhere' : 'this machine';
  const key = staffKeyToken.seal({ seal, clock: systemClock }, { id: random.id(), roles, from });
  const base = anywhere ? config.publicUrl : new URL(`http://localhost:${config.port}`);
  print(new URL(`/staff?key=${key}`, base).href);
}
