import { parseArgs } from 'node:util';
import { mintLink, mintOneClick, oneClickHeaders } from '../compose/links.ts';
import type { Config } from '../config/environment.ts';
import { print } from './print.ts';

/** Prints a person's address, or with --one-click the one for the header of a mail. */
export async function link(config: Config, args: readonly string[]): Promise<void> {
  print(await readLink(config, args));
}

/** What the command prints. */
export async function readLink(config: Config, args: readonly string[]): Promise<string> {
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
    },
  });
  const isOneClick = values['one-click'];
  if (!isOneClick && (values.headers || values.purpose !== undefined))
    throw new Error('--headers and --purpose belong to --one-click');
  if (isOneClick && (values.scope !== undefined || values.days !== undefined))
    throw new Error('--scope and --days do not belong to --one-click: it only withdraws, for three years');
  if (isOneClick) {
    const href = mintOneClick(config, values);
    return values.headers ? oneClickHeaders(href) : href;
  }
  const { scope = 'manage', days = '30' } = values;
  return mintLink(config, { ...values, scope, days });
}
