import { checkTenant } from '../compose/tools.ts';
import type { Config } from '../config/environment.ts';
import { print } from './print.ts';

/** Tries the tenant's settings; ends with status 1 when something is wrong. */
export async function check(config: Config): Promise<void> {
  if (!(await checkTenant(config, print))) process.exitCode = 1;
}
