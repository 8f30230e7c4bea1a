import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../clock.ts';
import type { Config } from '../config/environment.ts';
import { type Center, itemsOf } from '../core/model/center.ts';
import { Problem } from '../core/model/problem.ts';
import { chooseText } from '../i18n/language.ts';
import type { PlatformLog } from '../upstream/options.ts';
import { createPlatform, type HttpPlatform } from '../upstream/platform.ts';

type Print = (line: string) => void;

/**
 * Tries a tenant's settings: a token, the list, each center, each of its languages. Prints one line for each.
 * False when anything is wrong.
 */
export async function checkTenant(config: Config, print: Print): Promise<boolean> {
  for (const warning of config.warnings) print(`  WARN   ${warning}`);
  const log = { warn: (...told: Parameters<PlatformLog['warn']>) => tellSize(print, ...told) };
  return withTenant(config, log, async (platform) => {
    if ((await tried(print, 'token', () => platform.signIn())) === false) return false;
    const ids = await centerIds(config, platform, print);
    let isWell = ids.length > 0;
    for (const id of ids) {
      const center = await tried(print, `center ${id}`, () => platform.findCenter(id));
      if (center === undefined || center === false) {
        if (center === undefined) print(`  FAULT  center ${id}: the platform knows no such center`);
        isWell = false;
        continue;
      }
      for (const line of describe(center)) print(line);
    }
    return isWell;
  });
}

/** Writes the schemas of every center, and nothing about people, in the layout that the sandbox reads. */
export async function captureTenant(config: Config, folder: string, print: Print): Promise<void> {
  await withTenant(config, undefined, async (platform) => {
    for (const id of await centerIds(config, platform, print)) {
      const raw = await platform.captureCenter(id);
      if (raw === undefined) {
        print(`${id}: the platform knows no such center`);
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

/** The log also tells what `check` says in other words. */
function tellSize(print: Print, event: string, fields: Parameters<PlatformLog['warn']>[1]): void {
  if (event === 'center nearly too large')
    print(
      `  WARN   center ${fields['center']}: its schemas are ${fields['percent']} % of what is read at most`,
    );
}

async function withTenant<T>(
  config: Config,
  log: PlatformLog | undefined,
  use: (platform: HttpPlatform) => Promise<T>,
): Promise<T> {
  if (config.platform === undefined) {
    throw new Error('there is no tenant: set PLATFORM_URL, PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET');
  }
  const imageHosts = (id: string) => config.centers?.find(({ center }) => center === id)?.imageHosts ?? [];
  const platform = createPlatform({
    ...config.platform,
    identifierEncoding: config.identifierEncoding,
    clock: systemClock,
    imageHosts,
    log,
  });
  try {
    return await use(platform);
  } finally {
    await platform.close();
  }
}

async function centerIds(config: Config, platform: HttpPlatform, print: Print): Promise<readonly string[]> {
  if (config.centers !== undefined) return config.centers.map((centerConfig) => centerConfig.center);
  const listed = await tried(print, 'list of centers', () => platform.listCenters());
  if (listed === false) print('         without it only the centers that a CENTERS_FILE names are served');
  else if (listed.length === 0) print('  FAULT  list of centers: it is empty, so that none is served');
  return listed === false ? [] : listed.map((summary) => summary.id);
}

async function tried<T>(print: Print, what: string, run: () => Promise<T>): Promise<T | false> {
  try {
    const result = await run();
    print(`  ok     ${what}`);
    return result;
  } catch (fault) {
    print(
      `  FAULT  ${what}: ${fault instanceof Problem ? (meanings[fault.code] ?? fault.code) : 'unexpected'}`,
    );
    return false;
  }
}

const meanings: Readonly<Record<string, string>> = {
  'platform-denied': 'refused: check the client id and secret, and that its scopes include CONSENT',
  'platform-unreachable': 'the platform does not answer: check PLATFORM_URL',
  'platform-slow': 'the platform takes too long to answer',
  'platform-busy': 'the platform limits requests: try again later',
  'quota-used-up': 'the platform’s quota is used up: try again later',
  'platform-unreadable': 'the answer is not what the interface describes: is PLATFORM_URL the API’s address?',
  'platform-refused': 'refused',
};

function describe(center: Center): readonly string[] {
  const languages = center.languages.map((language) => {
    const { named, all } = countNames(center, language);
    return `${language} ${named}/${all}`;
  });
  return [
    `         ${center.title ?? '(no title)'}: ${center.template}, ${center.pages.length} page(s); names by language: ${languages.join(', ')}`,
    ...center.unread.map((line) => `         left out: ${line}`),
  ];
}

/** How many purposes have a name of their own in a language. */
function countNames(center: Center, language: string): { named: number; all: number } {
  const names = itemsOf(center).flatMap((item) => (item.kind === 'purpose' ? [item.purpose.name] : []));
  const named = names.filter(
    (name) => chooseText(name, language, center.defaultLanguage)?.lang === undefined,
  );
  return { named: named.length, all: names.length };
}
