import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/environment.ts';
import { Problem } from '../core/model/problem.ts';
import { createSeal } from '../store/seal.ts';
import { random } from './random.ts';
import { readSecrets } from './secret.ts';
import { openStores } from './stores.ts';

/** Copies what an embedded folder keeps into the database of DATABASE_URL. Throws words for an operator. */
export async function moveToDatabase(config: Config, print: (line: string) => void): Promise<void> {
  const { database, dataDir } = config;
  if (database === undefined) throw new Error('DATABASE_URL is missing: where everything is to be moved');
  if (!existsSync(join(dataDir, 'journal.sqlite')))
    throw new Error('DATA_DIR holds no journal.sqlite: it must be the folder that is to be moved');
  const secrets = readSecrets(config);
  assertOpens(dataDir, secrets);
  await bringUpToDate({ ...config, database: undefined }, secrets);
  const { moveToPostgres } = await import('../store/move/move.ts');
  await moveToPostgres({ folder: dataDir, url: database.url.reveal(), told: print });
  print('Everything is there, and the same. Start with DATABASE_URL; nothing was changed in the folder.');
}

/** Files of an earlier release are migrated as at a start. */
async function bringUpToDate(config: Config, secrets: readonly string[]): Promise<void> {
  try {
    const embedded = await openStores({ config, seal: createSeal(secrets), random });
    await embedded.recordKeys.publish([]);
    await embedded.close();
  } catch (fault) {
    if (!(fault instanceof Problem)) throw fault;
    throw new Error(`The files of ${config.dataDir} cannot be used: stop the product that runs on them`, {
      cause: fault,
    });
  }
}

/** A folder that made its own secret is of no use without it. */
function assertOpens(dataDir: string, secrets: readonly string[]): void {
  const file = join(dataDir, 'secret');
  if (!existsSync(file) || secrets.includes(readFileSync(file, 'utf8').trim())) return;
  throw new Error(
    `SECRET lacks the one in ${file}, under which what is there may be sealed: put it behind the first`,
  );
}
