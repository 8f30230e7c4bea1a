import type { Config } from '../config/environment.ts';
import { isGuid } from '../core/model/center/center-config.ts';
import { printLinkTable } from './link-table.ts';
import { linksOf, oneClickHeader, oneClickPost, readDays, readIdentifier } from './links.ts';
import { print } from './streams.ts';
import { type Values, WrongArgument } from './usage.ts';

/**
 * Prints a person's address. With --one-click it is the address for the header of a mail; with --csv the
 * links of all people in a file are printed.
 */
export async function link(config: Config, values: Values<'link'>): Promise<void> {
  const { csv, days = '30', center, ...others } = values;
  if (csv === undefined) return print(oneLink(config, values));
  const other = Object.entries(others).find(([, value]) => value !== undefined && value !== false);
  if (other !== undefined) throw new WrongArgument(`--${other[0]} does not go with --csv`);
  await printLinkTable(config, { path: csv, center, days });
}

/** The text that the command prints for one person. */
export function oneLink(config: Config, values: Values<'link'>): string {
  const { 'one-click': isOneClick, headers, purpose, scope, days } = values;
  if (!isOneClick && (headers || purpose !== undefined))
    throw new WrongArgument('--headers and --purpose belong to --one-click');
  if (isOneClick && (scope !== undefined || days !== undefined))
    throw new WrongArgument(
      '--scope and --days do not belong to --one-click: it only withdraws, for three years',
    );
  const links = linksOf(config, values.center);
  const subject = readIdentifier(config, values.identifier);
  if (!isOneClick) {
    if (scope !== undefined && scope !== 'manage' && scope !== 'withdraw')
      throw new WrongArgument('--scope must be manage or withdraw');
    return links.manage(subject, scope ?? 'manage', readDays(days ?? '30'));
  }
  if (purpose !== undefined && !isGuid(purpose))
    throw new WrongArgument('--purpose must be the id of a purpose');
  const href = links.oneClick(subject, purpose);
  if (!headers) return href;
  return `List-Unsubscribe: ${oneClickHeader(href)}\nList-Unsubscribe-Post: ${oneClickPost}`;
}
