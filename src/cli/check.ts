import type { Config } from '../config/environment.ts';
import { isWell, printedJson, printedLines } from './check/report.ts';
import { checkTenant } from './check/tenant-check.ts';
import { print } from './streams.ts';
import type { Values } from './usage.ts';

/** Tries the tenant's settings; ends with status 1 when something is wrong. */
export async function check(config: Config, values: Values<'check'>): Promise<void> {
  const lines = await checkTenant(config, values);
  for (const line of values.json ? [printedJson(lines)] : printedLines(lines)) print(line);
  if (!isWell(lines)) process.exitCode = 1;
}
