import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/environment.ts';
import { createIdentifiers } from '../core/model/person/identifiers.ts';
import { textsIn, withoutPerson } from '../upstream/anonymous.ts';
import { peopleIn } from './csv-rows.ts';
import { withTenant } from './tenant.ts';

/**
 * Adds people's answers of the tenant to a folder of captured schemas, under other names: one file for each
 * person in each center. The sandbox plays them.
 */
export async function recordPeople(
  config: Config,
  {
    folder,
    people,
    print,
  }: { folder: string; people: AsyncIterable<Uint8Array>; print: (line: string) => void },
): Promise<void> {
  const home = join(folder, 'centers');
  const centers = existsSync(home) ? readdirSync(home) : [];
  const texts = new Map(centers.map((id) => [id, textsIn(schemasIn(join(home, id)))]));
  let count = 0;
  await withTenant(config, async (platform) => {
    for await (const { line, subject } of peopleIn(people, createIdentifiers(config.identifierEncoding))) {
      if (subject === undefined) {
        print(`line ${line} is left out: it has no identifier that can be used`);
        continue;
      }
      count += 1;
      const alias = `person-${count}@example.org`;
      for (const id of centers) {
        const record = await platform.captureSubject(id, subject);
        if (record === undefined) continue;
        const given = { identifier: subject, alias, texts: texts.get(id) ?? new Set<string>() };
        const subjects = join(home, id, 'subjects');
        mkdirSync(subjects, { recursive: true });
        const text = JSON.stringify(withoutPerson(record, given), undefined, 2);
        writeFileSync(join(subjects, `${alias}.json`), `${text}\n`);
      }
    }
  });
  print(`${count} people recorded, each by another name. npm run sandbox -- --from ${folder} plays it`);
}

function schemasIn(folder: string): unknown[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.json') && !name.startsWith('subjects'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as unknown);
}
