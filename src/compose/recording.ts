import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../clock.ts';
import type { Config } from '../config/environment.ts';
import { createIdentifiers } from '../core/model/identifiers.ts';
import { textsIn, withoutPerson } from '../upstream/anonymous.ts';
import { createPlatform } from '../upstream/platform.ts';
import { csvRows } from './csv-rows.ts';

/**
 * Adds what the tenant answers about people to a folder of captured schemas, with nobody in it: one file for each person
 * in each center, which the sandbox plays.
 */
export async function recordPeople(
  config: Config,
  {
    folder,
    people,
    print,
  }: { folder: string; people: AsyncIterable<Uint8Array>; print: (line: string) => void },
): Promise<void> {
  if (config.platform === undefined)
    throw new Error('there is no tenant: set PLATFORM_URL, PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET');
  const platform = createPlatform({
    ...config.platform,
    identifierEncoding: config.identifierEncoding,
    clock: systemClock,
  });
  const identifiers = createIdentifiers(config.identifierEncoding);
  const home = join(folder, 'centers');
  const centers = existsSync(home) ? readdirSync(home) : [];
  const texts = new Map(centers.map((id) => [id, textsIn(schemasIn(join(home, id)))]));
  let at: number | undefined;
  let count = 0;
  try {
    for await (const rows of csvRows(people)) {
      for (const row of rows) {
        const cells = 'cells' in row ? row.cells : [];
        if (at === undefined) {
          at = cells.findIndex((cell) => cell.trim().toLowerCase() === 'identifier');
          if (at < 0) throw new Error('the first line must name the column identifier');
          continue;
        }
        const identifier = identifiers.read(cells[at]);
        if (identifier === undefined) {
          print(`line ${row.line} is left out: it has no identifier that can be used`);
          continue;
        }
        count += 1;
        const alias = `person-${count}@example.org`;
        for (const id of centers) {
          const record = await platform.captureSubject(id, identifier);
          if (record === undefined) continue;
          const given = { identifier, alias, texts: texts.get(id) ?? new Set<string>() };
          const subjects = join(home, id, 'subjects');
          mkdirSync(subjects, { recursive: true });
          const text = JSON.stringify(withoutPerson(record, given), undefined, 2);
          writeFileSync(join(subjects, `${alias}.json`), `${text}\n`);
        }
      }
    }
  } finally {
    await platform.close();
  }
  print(`${count} people recorded, each by another name. npm run sandbox -- --from ${folder} plays it`);
}

function schemasIn(folder: string): unknown[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.json') && !name.startsWith('subjects'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as unknown);
}
