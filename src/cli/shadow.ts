import { createReadStream } from 'node:fs';
import { stdin } from 'node:process';
import { parseArgs } from 'node:util';
import { shadowTenant } from '../compose/shadow.ts';
import type { Config } from '../config/environment.ts';
import { WrongArgument } from '../config/wrong-argument.ts';
import { print } from './print.ts';

/** Shows what real people would see, by reading alone; ends with status 1 when a rule is broken. */
export async function shadow(config: Config, args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      people: { type: 'string' },
      out: { type: 'string', default: 'shadow' },
      share: { type: 'string', default: '25' },
      personal: { type: 'boolean', default: false },
    },
  });
  if (values.people === undefined)
    throw new WrongArgument('say which people: --people people.csv, or - for stdin');
  const share = Number(values.share);
  if (!(share > 0 && share <= 100))
    throw new WrongArgument('--share must be a number from 1 to 100, per cent of the quota');
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  const isWell = await shadowTenant(config, {
    people: values.people === '-' ? stdin : createReadStream(values.people),
    out: values.out,
    share,
    isPersonal: values.personal,
    print,
    stop: stopping.signal,
  });
  if (!isWell) process.exitCode = 1;
}
