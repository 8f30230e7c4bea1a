import { createReadStream } from 'node:fs';
import { parseArgs } from 'node:util';
import { recordPeople } from '../compose/recording.ts';
import { captureTenant } from '../compose/tools.ts';
import type { Config } from '../config/environment.ts';
import { WrongArgument } from '../config/wrong-argument.ts';
import { print } from './print.ts';

/** Writes the tenant's schemas into a folder for the sandbox and, where people are named, what it answers about them. */
export async function capture(config: Config, args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { people: { type: 'string' } },
    allowPositionals: true,
  });
  const [folder = 'captured', ...more] = positionals;
  if (more.length > 0) throw new WrongArgument('one folder is enough');
  await captureTenant(config, folder, print);
  if (values.people !== undefined)
    await recordPeople(config, { folder, people: createReadStream(values.people), print });
}
