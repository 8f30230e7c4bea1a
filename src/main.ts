import { readFileSync } from 'node:fs';
import { enableCompileCache, getCompileCacheDir } from 'node:module';
import { join } from 'node:path';
import { compileCacheOf, isInside } from './cli/compile-cache.ts';
import type { Config } from './config/environment.ts';

const dataDir = process.env['DATA_DIR']?.trim() || './data';
// One that Node was told of cannot be taken away from it any more.
const told = getCompileCacheDir();
if (told !== undefined && isInside(told, dataDir)) {
  process.stderr.write('NODE_COMPILE_CACHE is in DATA_DIR, and what is in it is run: leave it out\n');
  process.exit(1);
}
// Halves a start, and so comes before every other import of ours.
const cache = compileCacheOf(join(import.meta.dirname, '..'), dataDir);
if (told === undefined && cache !== undefined) enableCompileCache(cache);
const { ConfigFaults, readConfig } = await import('./config/environment.ts');

const usage: Readonly<Record<string, string>> = {
  move: 'npm run move -- --to postgres, with DATABASE_URL, DATA_DIR and SECRET',
  link: 'npm run --silent link -- --center <address or id> --identifier <identifier> [--scope withdraw] [--days 30]\n       npm run --silent link -- --center <address or id> --identifier <identifier> --one-click [--purpose <id>] [--headers]\n       npm run --silent link -- --center <address or id> --csv <file, or - for stdin> [--days 30] > links.csv',
};

type Command = (config: Config, args: readonly string[]) => Promise<void>;

/** What each command of package.json runs, loaded only when it is; without one, the whole product. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./cli/serve.ts')).serve,
  sandbox: async () => (await import('./cli/sandbox.ts')).sandbox,
  compile: async () => (await import('./cli/compile.ts')).compile,
  check: async () => (await import('./cli/check.ts')).check,
  capture: async () => (await import('./cli/capture.ts')).capture,
  move: async () => (await import('./cli/move.ts')).move,
  link: async () => (await import('./cli/link.ts')).link,
};

/** A wrong argument, or what the machine refuses (a port in use, a folder that cannot be written, or of another version): no stack helps. */
function isOfSetting(fault: unknown): boolean {
  if (!(fault instanceof Error)) return false;
  if (!('code' in fault)) return fault.constructor === Error || fault.name === 'UnknownLayout';
  return 'syscall' in fault || String(fault.code).startsWith('ERR_PARSE_ARGS_');
}

/** What a command reads its settings from, where that is not all of the environment. */
const environments: Readonly<Record<string, (env: NodeJS.ProcessEnv) => NodeJS.ProcessEnv>> = {
  // The command is the asking; what there is for a tenant is not for it.
  sandbox: sandboxAlone,
  // An image is built before anyone has settings for it.
  compile: () => ({}),
};

function sandboxAlone(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith('PLATFORM_'));
  return { ...Object.fromEntries(kept), SANDBOX: 'on' };
}

async function main(): Promise<void> {
  const [name = 'serve', ...args] = process.argv.slice(2);
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  try {
    if (load === undefined)
      throw new Error(`there is no command "${name}": ${Object.keys(commands).join(', ')}`);
    const env = environments[name]?.(process.env) ?? process.env;
    const config = readConfig(env, (path) => readFileSync(path, 'utf8'));
    const command = await load();
    await command(config, args);
  } catch (fault) {
    const help = usage[name] === undefined ? '' : `\nUsage: ${usage[name]}`;
    const known = fault instanceof ConfigFaults || isOfSetting(fault) || load === undefined;
    process.stderr.write(
      `${fault instanceof Error ? (known ? fault.message : (fault.stack ?? fault.message)) : String(fault)}${help}\n`,
    );
    process.exit(1);
  }
}

await main();
