import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withTenant } from '../compose/tenant.ts';
import type { Config } from '../config/environment.ts';
import { textsIn, withoutPerson } from '../upstream/anonymous.ts';
import type { HttpPlatform } from '../upstream/platform.ts';
import { reasonOf } from './check/report.ts';
import { peopleIn } from './csv-rows.ts';
import { print, readable } from './streams.ts';
import { type Values, WrongArgument } from './usage.ts';

/**
 * Writes the schemas of every center in the layout that the sandbox reads. With a file of people it also
 * writes the tenant's answers about them under other names: one file for each person in each center. The
 * sandbox plays such a recording.
 */
export async function capture(
  config: Config,
  { people }: Values<'capture'>,
  { positionals: [folder = 'captured', ...others] }: { readonly positionals: readonly string[] },
): Promise<void> {
  if (others.length > 0) throw new WrongArgument('one folder is enough');
  await withTenant(config, async (platform) => {
    for (const id of await centerIds(config, platform)) {
      const raw = await platform.captureCenter(id);
      if (raw === undefined) {
        print(`center ${id} is left out: it has no schema that is published`);
        continue;
      }
      const home = join(folder, 'centers', id);
      if (raw.preferences !== undefined) write(home, 'preferences.json', raw.preferences);
      if (raw.root !== undefined) write(home, 'schema.json', raw.root);
      for (const page of raw.pages) write(join(home, 'pages'), `${page.id}.json`, page.schema);
      print(`${id}: written to ${home}`);
    }
    if (people === undefined) return;
    const home = join(folder, 'centers');
    const centers = existsSync(home) ? readdirSync(home) : [];
    const texts = new Map(centers.map((id) => [id, textsIn(schemasIn(join(home, id)))]));
    let count = 0;
    for await (const { line, subject } of peopleIn(readable(people), config.identifiers)) {
      if (subject === undefined) {
        print(`line ${line} is left out: it has no identifier that can be used`);
        continue;
      }
      count += 1;
      const alias = `person-${count}@example.org`;
      for (const id of centers) {
        const record = await platform.captureSubject(id, subject);
        if (record === undefined) continue;
        const replaced = { identifier: subject, alias, texts: texts.get(id) ?? new Set<string>() };
        write(join(home, id, 'subjects'), `${alias}.json`, withoutPerson(record, replaced));
      }
    }
    print(`${count} people recorded, each by another name. npm run sandbox -- --from ${folder} plays it`);
  });
}

function write(folder: string, name: string, content: unknown): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `${JSON.stringify(content, undefined, 2)}\n`);
}

async function centerIds(config: Config, platform: HttpPlatform): Promise<readonly string[]> {
  if (config.centers !== undefined) return config.centers.map((centerConfig) => centerConfig.center);
  try {
    return (await platform.listCenters()).map((summary) => summary.id);
  } catch (fault) {
    throw new Error(`the list of centers cannot be read: ${reasonOf(fault)}`);
  }
}

function schemasIn(folder: string): unknown[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.json') && !name.startsWith('subjects'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as unknown);
}
