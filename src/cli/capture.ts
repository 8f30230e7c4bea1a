import { captureTenant } from '../compose/tools.ts';
import type { Config } from '../config/environment.ts';
import { print } from './print.ts';

/** Writes the tenant's schemas, never people, into a folder for the sandbox. */
export async function capture(config: Config, [folder = 'captured']: readonly string[]): Promise<void> {
  await captureTenant(config, folder, print);
}
