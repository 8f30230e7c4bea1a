import { parseArgs } from 'node:util';
import { moveToDatabase } from '../compose/move.ts';
import type { Config } from '../config/environment.ts';
import { WrongArgument } from '../config/wrong-argument.ts';
import { print } from './print.ts';

/** Copies an embedded folder into PostgreSQL, and compares both. */
export async function move(config: Config, args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { to: { type: 'string' } } });
  if (values.to !== 'postgres') throw new WrongArgument('say where to: --to postgres');
  await moveToDatabase(config, print);
}
