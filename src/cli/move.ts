import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSecrets } from '../compose/secret.ts';
import type { Config } from '../config/environment.ts';
import { type Print, print } from './streams.ts';
import { type Values, WrongArgument } from './usage.ts';

/** Copies an embedded folder into PostgreSQL, and compares both. */
export async function move(config: Config, { to }: Values<'move'>): Promise<void> {
  if (to !== 'postgres') throw new WrongArgument('say where to: --to postgres');
  await moveToDatabase(config, print);
}

/** Copies an embedded data folder into the database of DATABASE_URL. Throws errors for an operator. */
export async function moveToDatabase(config: Config, print: Print): Promise<void> {
  const { database, dataDir } = config;
  if (database === undefined) throw new Error('DATABASE_URL is missing: where everything is to be moved');
  if (!existsSync(join(dataDir, 'journal.sqlite')))
    throw new Error('DATA_DIR holds no journal.sqlite: it must be the folder that is to be moved');
  assertOpens(dataDir, readSecrets(config));
  const { moveToPostgres } = await import('../store/move.ts');
  await moveToPostgres({ folder: dataDir, url: database.url.reveal(), told: print });
  print('Everything is there, and the same. Start with DATABASE_URL; nothing was changed in the folder.');
}

/**
 * The generated secret of the folder must be among the secrets of SECRET: the folder's rows are sealed with
 * it.
 */
function assertOpens(dataDir: string, secrets: readonly string[]): void {
  const file = join(dataDir, 'secret');
  if (!existsSync(file) || secrets.includes(readFileSync(file, 'utf8').trim())) return;
  throw new Error(
    `SECRET lacks the one in ${file}, under which what is there may be sealed: put it behind the first`,
  );
}
