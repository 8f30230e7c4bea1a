import { readFileSync } from 'node:fs';
import { enableCompileCache, getCompileCacheDir } from 'node:module';
import { join } from 'node:path';
import { compileCacheOf, isInside } from './cli/compile-cache.ts';
import type { CommandName } from './cli/usage.ts';
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
const { WrongArgument } = await import('./config/wrong-argument.ts');
const { isCommand, usage, usageOf } = await import('./cli/usage.ts');

/** `read`: the settings once more, of files that may have changed. */
type Command = (config: Config, args: readonly string[], read: () => Config) => Promise<void>;

/** What each command of package.json runs, loaded only when it is; without one, the whole product. */
const commands: Readonly<Record<CommandName, () => Promise<Command>>> = {
  serve: async () => (await import('./cli/serve.ts')).serve,
  sandbox: async () => (await import('./cli/sandbox.ts')).sandbox,
  compile: async () => (await import('./cli/compile.ts')).compile,
  check: async () => (await import('./cli/check.ts')).check,
  'check-mail': async () => (await import('./cli/check-mail.ts')).checkMail,
  capture: async () => (await import('./cli/capture.ts')).capture,
  move: async () => (await import('./cli/move.ts')).move,
  'staff-key': async () => (await import('./cli/staff-key.ts')).staffKey,
  shadow: async () => (await import('./cli/shadow.ts')).shadow,
  'import-links': async () => (await import('./cli/import-links.ts')).importLinks,
  person: async () => (await import('./cli/person.ts')).person,
  link: async () => (await import('./cli/link.ts')).link,
};

/** What the machine refuses (a port in use, a folder that cannot be written, or of another version): no stack helps. */
function isOfSetting(fault: unknown): boolean {
  if (fault instanceof ConfigFaults) return true;
  if (!(fault instanceof Error)) return false;
  return 'code' in fault ? 'syscall' in fault : fault.constructor === Error || fault.name === 'UnknownLayout';
}

/** It was typed wrong. */
function isOfArguments(fault: unknown): fault is Error {
  if (fault instanceof WrongArgument) return true;
  return fault instanceof Error && 'code' in fault && String(fault.code).startsWith('ERR_PARSE_ARGS_');
}

/** What a command reads its settings from, where that is not all of the environment. */
const environments: Partial<Readonly<Record<CommandName, (env: NodeJS.ProcessEnv) => NodeJS.ProcessEnv>>> = {
  // The command is the asking; what there is for a tenant is not for it.
  sandbox: sandboxAlone,
  // An image is built before anyone has settings for it.
  compile: () => ({}),
  'check-mail': () => ({}),
};

function sandboxAlone(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith('PLATFORM_'));
  return { ...Object.fromEntries(kept), SANDBOX: 'on' };
}

function end(code: number, text: string): never {
  process.stderr.write(text);
  process.exit(code);
}

/** An option alone is of the whole product. */
function readCommand([first = 'serve', ...others]: readonly string[]): {
  readonly name: CommandName;
  readonly args: readonly string[];
} {
  if (isCommand(first)) return { name: first, args: others };
  if (first.startsWith('-')) return { name: 'serve', args: [first, ...others] };
  end(2, `there is no command "${first}": ${Object.keys(usage).join(', ')}\n`);
}

async function main(): Promise<void> {
  const { name, args } = readCommand(process.argv.slice(2));
  if (args.some((arg) => arg === '--help' || arg === '-h')) return void process.stdout.write(usageOf(name));
  try {
    const env = environments[name]?.(process.env) ?? process.env;
    const read = () => readConfig(env, (path) => readFileSync(path, 'utf8'));
    const config = read();
    const command = await commands[name]();
    await command(config, args, read);
  } catch (fault) {
    if (isOfArguments(fault)) end(2, `${fault.message}\n${usageOf(name)}`);
    if (!(fault instanceof Error)) end(1, `${String(fault)}\n`);
    end(1, `${isOfSetting(fault) ? fault.message : (fault.stack ?? fault.message)}\n`);
  }
}

await main();
