import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/environment.ts';
import type { HttpPlatform } from '../upstream/platform.ts';
import { reasonOf } from './check/report.ts';
import { withTenant } from './tenant.ts';

type Print = (line: string) => void;

/** Writes the schemas of every center, without data about people, in the layout that the sandbox reads. */
export async function captureTenant(config: Config, folder: string, print: Print): Promise<void> {
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
