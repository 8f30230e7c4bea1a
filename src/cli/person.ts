import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { erasePerson, exportPerson } from '../compose/person.ts';
import type { Config } from '../config/environment.ts';
import { WrongArgument } from '../config/wrong-argument.ts';

/** Writes all that is kept about a person, or erases it. */
export async function person(config: Config, args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      identifier: { type: 'string' },
      export: { type: 'string' },
      erase: { type: 'boolean', default: false },
      reason: { type: 'string' },
      'forget-withdrawals': { type: 'boolean', default: false },
    },
  });
  const { identifier, export: file, erase, reason } = values;
  if (identifier === undefined) throw new WrongArgument('say whom: --identifier');
  if ((file === undefined) === !erase) throw new WrongArgument('say either --export or --erase');
  if (file !== undefined) {
    const text = await exportPerson(config, identifier);
    if (file === '-') process.stdout.write(text);
    else writeFileSync(file, text, { mode: 0o600 });
    return;
  }
  if (reason === undefined || reason.trim() === '') throw new WrongArgument('say why: --reason');
  const forgets = values['forget-withdrawals'];
  process.stdout.write(await erasePerson(config, { identifier, reason: reason.trim(), forgets }));
}
