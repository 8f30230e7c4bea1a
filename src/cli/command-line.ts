import { readFileSync } from 'node:fs';
import { type Config, ConfigFaults, readConfig } from '../config/environment.ts';
import { faultCode } from '../core/model/fault-code.ts';
import { type CommandName, isCommand, parse, usage, usageOf, type Values, WrongArgument } from './usage.ts';

/** `read`: the settings once more, of files that may have changed. */
type Command<Name extends CommandName> = (
  config: Config,
  values: Values<Name>,
  more: { readonly positionals: readonly string[]; readonly read: () => Config },
) => Promise<void>;

/** What each command of package.json runs, loaded only when it is; without one, the whole product. */
const commands: { readonly [Name in CommandName]: () => Promise<Command<Name>> } = {
  serve: async () => (await import('./serve.ts')).serve,
  sandbox: async () => (await import('./sandbox.ts')).sandbox,
  compile: async () => (await import('./compile.ts')).compile,
  check: async () => (await import('./check/tenant-check.ts')).check,
  'check-mail': async () => (await import('./check-mail.ts')).checkMail,
  capture: async () => (await import('./capture.ts')).capture,
  move: async () => (await import('./move.ts')).move,
  'staff-key': async () => (await import('./staff-key.ts')).staffKey,
  shadow: async () => (await import('./shadow.ts')).shadow,
  'import-links': async () => (await import('./import-links.ts')).importLinks,
  person: async () => (await import('./person.ts')).person,
  evidence: async () => (await import('./evidence.ts')).evidence,
  link: async () => (await import('./link.ts')).link,
};

/** What the machine refuses (a port in use, a folder that cannot be written, or of another version): no stack helps. */
function isOfSetting(fault: unknown): boolean {
  if (fault instanceof ConfigFaults) return true;
  if (!(fault instanceof Error)) return false;
  return 'code' in fault ? 'syscall' in fault : fault.constructor === Error || fault.name === 'UnknownLayout';
}

const away = 'The store does not answer, or its disk is full: try again';

/** It was typed wrong. */
function isOfArguments(fault: unknown): fault is Error {
  if (fault instanceof WrongArgument) return true;
  return faultCode(fault)?.startsWith('ERR_PARSE_ARGS_') === true;
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

/** Gives where the command has ended: with 0 `text` is for stdout, else for stderr. */
export async function runCommandLine(
  [first = 'serve', ...others]: readonly string[],
  given: NodeJS.ProcessEnv,
) {
  // An option alone is of the whole product.
  const name = first.startsWith('-') ? 'serve' : first;
  const args = first.startsWith('-') ? [first, ...others] : others;
  if (!isCommand(name))
    return { code: 2, text: `there is no command "${first}": ${Object.keys(usage).join(', ')}\n` };
  if (args.some((arg) => arg === '--help' || arg === '-h')) return { code: 0, text: usageOf(name) };
  try {
    const env = environments[name]?.(given) ?? given;
    await run(name, args, () => readConfig(env, (path) => readFileSync(path, 'utf8')));
    return { code: 0, text: '' };
  } catch (fault) {
    if (isOfArguments(fault)) return { code: 2, text: `${fault.message}\n${usageOf(name)}` };
    if (!(fault instanceof Error)) return { code: 1, text: `${String(fault)}\n` };
    if (faultCode(fault) === 'store-unavailable')
      return { code: 1, text: `${away} (${fault.cause instanceof Error ? fault.cause.message : ''})\n` };
    return { code: 1, text: `${isOfSetting(fault) ? fault.message : (fault.stack ?? fault.message)}\n` };
  }
}

async function run<Name extends CommandName>(
  name: Name,
  args: readonly string[],
  read: () => Config,
): Promise<void> {
  const config = read();
  const { values, positionals } = parse(name, args);
  const command = await commands[name]();
  await command(config, values, { positionals, read });
}
