import { parseArgs } from 'node:util';
import type { Config } from '../config/environment.ts';
import { WrongArgument } from '../config/wrong-argument.ts';
import { printLinkTable } from './link-table.ts';
import { mintLink, mintOneClick, oneClickHeaders } from './links.ts';
import { print } from './streams.ts';

/** Prints a person's address, with --one-click the one for the header of a mail, with --csv everybody's. */
export async function link(config: Config, args: readonly string[]): Promise<void> {
  const { csv, days = '30', center, ...others } = readOptions(args);
  if (csv === undefined) return print(readLink(config, args));
  const other = Object.entries(others).find(([, value]) => value !== undefined && value !== false);
  if (other !== undefined) throw new WrongArgument(`--${other[0]} does not go with --csv`);
  await printLinkTable(config, { path: csv, center, days });
}

/** What the command prints for one person. */
export function readLink(config: Config, args: readonly string[]): string {
  const values = readOptions(args);
  const isOneClick = values['one-click'];
  if (!isOneClick && (values.headers || values.purpose !== undefined))
    throw new WrongArgument('--headers and --purpose belong to --one-click');
  if (isOneClick && (values.scope !== undefined || values.days !== undefined))
    throw new WrongArgument(
      '--scope and --days do not belong to --one-click: it only withdraws, for three years',
    );
  if (isOneClick) {
    const href = mintOneClick(config, values);
    return values.headers ? oneClickHeaders(href) : href;
  }
  const { scope = 'manage', days = '30' } = values;
  return mintLink(config, { ...values, scope, days });
}

function readOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      center: { type: 'string' },
      identifier: { type: 'string' },
      scope: { type: 'string' },
      days: { type: 'string' },
      'one-click': { type: 'boolean', default: false },
      purpose: { type: 'string' },
      headers: { type: 'boolean', default: false },
      csv: { type: 'string' },
    },
  });
  return values;
}
